// A question's text, and the same with another graph: stories keep their `eval` lines, JSON keeps its other keys.

export interface EditedGraph { nodes: string[]; edges: { source: number; type: string; target: number }[] }

export function isStory(text: string): boolean {
  return !/^\s*[{<[%]/.test(text) && !/^\s*source\s*,/i.test(text) && !/^[^\n]*,[^\n]*\n/.test(text);
}

function storyOf(text: string, graph: EditedGraph): string {
  const asked = text.split('\n').filter((line) => /^\s*(\d+\s+)?eval\s/.test(line)).map((line) => line.trim().replace(/^\d+\s+/, ''));
  const facts = graph.edges.map((edge) => `${graph.nodes[edge.source]} ${edge.type} ${graph.nodes[edge.target]}`);
  return [...facts, ...asked].join('\n') + '\n';
}

function jsonOf(text: string, graph: EditedGraph): string {
  const record = JSON.parse(text.split('\n').find((line) => line.trim() !== '') ?? '{}') as Record<string, unknown>;
  record.nodes = graph.nodes;
  record.edges = graph.edges.map((edge) => [graph.nodes[edge.source], edge.type, graph.nodes[edge.target]]);
  return JSON.stringify(record) + '\n';
}

function csvOf(graph: EditedGraph): string {
  return 'source,target,type\n' + graph.edges.map((edge) => `${graph.nodes[edge.source]},${graph.nodes[edge.target]},${edge.type}\n`).join('');
}

/** Null where the text is of a form that drawing does not write. */
export function withGraph(text: string, graph: EditedGraph): string | null {
  if (isStory(text)) return storyOf(text, graph);
  if (/^\s*source\s*,/i.test(text)) return csvOf(graph);
  try {
    return jsonOf(text, graph);
  } catch {
    return null;
  }
}

export function freshName(names: string[]): string {
  for (let i = 0; i < 26; ++i) {
    const letter = String.fromCharCode(65 + i);
    if (!names.includes(letter)) return letter;
  }
  for (let i = 1; ; ++i) if (!names.includes(`N${i}`)) return `N${i}`;
}
