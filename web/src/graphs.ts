// Questions about graphs: edited as text or by drawing; the answer, what mattered, and the states settling.
import { ApiError, get, GraphAnswer, Item, post } from './api';
import { Canvas, canvas } from './canvas';
import { announce, field, h, plural, replace, shown } from './dom';
import { EditedGraph, freshName, withGraph } from './graph_text';
import { stepper } from './stepper';
import { diverging, ink, onTheme } from './theme';

type Places = Map<string, { x: number; y: number }>;

function answerBars(answer: GraphAnswer, at: number): HTMLElement {
  const choices = answer.steps[at];
  if (!choices) return h('p', {}, h('code', {}, JSON.stringify(answer.answer.answer ?? answer.answer)));
  return h('table.bars', {}, h('caption.unseen', {}, 'Probabilities'), h('tbody', {}, choices.slice(0, 6).map((choice, i) => {
    const bar = h('span.bar');
    bar.style.width = `${Math.max(0.5, 100 * choice.probability)}%`;
    return h('tr' + (i === 0 ? '.chosen' : ''), {}, h('th', { scope: 'row' }, choice.label), h('td.track', {}, bar), h('td.number', {}, `${(100 * choice.probability).toFixed(1)} %`));
  })));
}

/** Rows of numbers as colours: nodes down, dimensions across. */
function heat(names: string[], rows: number[][], caption: string): HTMLElement {
  const most = Math.max(1e-9, ...rows.flat().map(Math.abs));
  return h('div.heat-scroll', { tabindex: 0, role: 'group', 'aria-label': caption }, h('table.heat', {}, h('caption', {}, caption), h('tbody', {}, rows.map((row, i) =>
    h('tr', {}, h('th', { scope: 'row' }, names[i]), row.map((value) => {
      const cell = h('td', { title: shown(value) }, h('span.unseen', {}, shown(value, 2)));
      cell.style.backgroundColor = diverging(value / most);
      return cell;
    }))))));
}

const distance = (a: number[], b: number[]): number => Math.hypot(...a.map((value, i) => value - b[i]!));

function edited(answer: GraphAnswer): EditedGraph {
  return { nodes: answer.graph.nodes.map((node) => node.name), edges: answer.graph.edges.map((edge) => ({ ...edge })) };
}

export interface Editing { change(graph: EditedGraph): void; places: Places }

function drawingTools(answer: GraphAnswer, editing: Editing, view: () => Canvas): { element: HTMLElement; tap(node: number): void; empty(x: number, y: number): void } {
  const types = (answer.model.edge_types as string[]) ?? [];
  const kind = h('select', { 'aria-label': 'Type of new edges' }, types.map((type) => h('option', {}, type)));
  const mode = h('button.toggle', { type: 'button', 'aria-pressed': 'false' }, 'Draw');
  const hint = h('span.soft', {}, 'Turn on Draw to add nodes and edges.');
  let drawing = false;
  let from: number | null = null;
  mode.addEventListener('click', () => {
    drawing = !drawing;
    from = null;
    mode.setAttribute('aria-pressed', String(drawing));
    hint.textContent = drawing ? 'Click a node, then another: an edge. Click beside them: a node.' : 'Turn on Draw to add nodes and edges.';
  });
  const addNode = (place?: { x: number; y: number }): void => {
    const graph = edited(answer);
    const name = freshName(graph.nodes);
    graph.nodes.push(name);
    if (place) editing.places.set(name, place);
    // A story knows only nodes that have edges: the new one hangs from the last.
    if (graph.nodes.length > 1) graph.edges.push({ source: graph.nodes.length - 2, type: kind.value, target: graph.nodes.length - 1 });
    editing.change(graph);
  };
  const remove = h('button', { type: 'button', onclick: () => {
    const chosen = view().selected();
    const graph = edited(answer);
    const gone = new Set(chosen.nodes);
    const edges = graph.edges.filter((edge, i) => !chosen.edges.includes(i) && !gone.has(edge.source) && !gone.has(edge.target));
    const number = graph.nodes.map((_, i) => i - chosen.nodes.filter((node) => node < i).length);
    editing.change({ nodes: graph.nodes.filter((_, i) => !gone.has(i)), edges: edges.map((edge) => ({ source: number[edge.source]!, type: edge.type, target: number[edge.target]! })) });
  } }, 'Remove selected');
  return {
    element: h('div.bar-line', { role: 'toolbar', 'aria-label': 'Draw the graph' }, mode, kind, h('button', { type: 'button', onclick: () => addNode() }, 'Add node'), remove, hint),
    tap(node) {
      if (!drawing) return;
      if (from === null) {
        from = node;
        hint.textContent = `${answer.graph.nodes[node]!.name} ${kind.value} …: click the other node`;
        return;
      }
      const graph = edited(answer);
      graph.edges.push({ source: from, type: kind.value, target: node });
      editing.change(graph);
    },
    empty: (x, y) => { if (drawing) addNode({ x, y }); },
  };
}

export function graphResult(answer: GraphAnswer, editing: Editing | null, ask: ((question: number) => void) | null): { element: HTMLElement; mounted(): void } {
  const names = answer.graph.nodes.map((node) => node.name);
  const asked = answer.questions[answer.question]!;
  const said = answer.labels.length > 0 && answer.steps.length > 0
    ? answer.steps.slice(0, Math.max(1, answer.labels.length)).map((choices) => choices[0]!.label).join(', ')
    : JSON.stringify(answer.answer.answer ?? answer.answer);
  const board = h('div.board', { role: 'img', 'aria-label': `Graph of ${plural(names.length, 'node')} and ${plural(answer.graph.edges.length, 'edge')}` });
  let drawn: Canvas | null = null;
  let output = 0, step = 0;
  let mode: 'why' | 'states' | 'annotations' = answer.why && !answer.why.error ? 'why' : 'states';
  const tools = editing ? drawingTools(answer, editing, () => drawn!) : null;
  const settling = answer.settling;
  const bars = h('div'), heats = h('div'), settle = h('div');
  const paint = (): void => {
    const why = answer.why && !answer.why.error ? answer.why : null;
    const most = why ? Math.max(1e-9, ...why.nodes.map(Math.abs)) : 1;
    const mostEdge = why ? Math.max(1e-9, ...why.edges.map(Math.abs)) : 1;
    const now = settling?.outputs[output];
    const last = now?.states[now.states.length - 1];
    const top = answer.steps[output]?.[0]?.index ?? -1;
    const byNode = answer.model.answer !== 'class' && !String(answer.model.answer).includes('class');
    drawn?.paint(names.map((_, v) => {
      const ring = byNode && v === top ? ink('--good') : answer.arguments.includes(v) ? ink('--focus') : undefined;
      if (mode === 'why' && why) return { fill: diverging(why.nodes[v]! / most), ring };
      if (mode === 'annotations' && now) return { fill: diverging(Math.max(...now.annotations[v]!.map(Math.abs), 0)), ring };
      if (mode === 'states' && now && last) {
        const size = Math.max(1e-9, ...last.map((row) => Math.hypot(...row)));
        return { fill: diverging(Math.hypot(...(now.states[step] ?? last)[v]!) / size), ring };
      }
      return { ring };
    }), answer.graph.edges.map((_, e) => mode === 'why' && why
      ? { width: 1 + (5 * Math.abs(why.edges[e]!)) / mostEdge, colour: why.edges[e]! / mostEdge > 0.05 ? ink('--warm') : why.edges[e]! / mostEdge < -0.05 ? ink('--cool') : ink('--faint'), dashed: why.edges[e]! < 0 }
      : {}));
    replace(bars, answerBars(answer, output));
    if (!settling || !now) return replace(heats);
    const states = now.states[step]!;
    const far = last!.map((row, v) => distance(row, states[v]!));
    replace(heats, heat(names, now.annotations, `Annotations${answer.steps.length > 1 ? ` before output ${output + 1}` : ''}`),
      heat(names, states, `States after propagation step ${step + 1}`),
      h('p.soft', {}, states === last ? 'The final states.' : `Furthest from its final state: ${names[far.indexOf(Math.max(...far))]}, by ${shown(Math.max(...far))}`));
  };
  const chooseMode = h('select', { onchange: () => { mode = chooseMode.value as typeof mode; paint(); } },
    answer.why && !answer.why.error && h('option', { value: 'why' }, 'what mattered'),
    settling && [h('option', { value: 'states' }, 'size of states'), h('option', { value: 'annotations' }, 'annotations')]);
  const outputs = h('div.outputs', { role: 'group', 'aria-label': 'Outputs' }, answer.steps.length > 1 && answer.steps.map((choices, k) =>
    h('button.toggle', { type: 'button', 'aria-pressed': String(k === 0), onclick: (event: Event) => {
      output = k;
      outputs.querySelectorAll('button').forEach((button) => button.setAttribute('aria-pressed', String(button === event.currentTarget)));
      paint();
    } }, `${k + 1}: ${choices[0]!.label}`)));
  const count = settling?.outputs[0]?.states.length ?? 0;
  const slider = count > 0 ? stepper('Propagation steps', count, (at) => { step = at; paint(); }) : null;
  if (slider) replace(settle, h('h3', {}, 'States settling'), slider.element);
  const questions = h('select', { value: String(answer.question) }, answer.questions.map((one, i) => h('option', { value: String(i), selected: i === answer.question }, one.text)));
  questions.addEventListener('change', () => ask?.(Number(questions.value)));
  const element = h('div.result', {},
    h('p.verdict.proved', { role: 'status' }, h('span', {}, `${asked.text} → `), h('b', {}, said), answer.steps[0] && h('span.soft', {}, ` ${(100 * answer.steps[0][0]!.probability).toFixed(1)} %`)),
    ask && answer.questions.length > 1 && field('Question', questions),
    h('div.graph-body', {},
      h('section.card', {}, h('div.bar-line', {}, field('Colours show', chooseMode)), tools?.element, board,
        h('p.soft.small', {}, 'Ring: blue what is asked about, green the answer. Warm speaks for the answer, cool against it.'),
        answer.why?.error && h('p.soft', {}, answer.why.error)),
      h('section.card', {}, h('h3', {}, answer.steps.length > 1 ? 'Answer, output by output' : 'Answer'), outputs, bars,
        answer.why && !answer.why.error && whyTable(answer), settle, heats)));
  return {
    element,
    mounted() {
      drawn = canvas(board, answer, editing?.places ?? new Map(), { tapNode: (node) => tools?.tap(node), tapEmpty: (x, y) => tools?.empty(x, y) });
      if (slider) slider.go(count - 1);
      else paint();
      onTheme(() => { if (board.isConnected) { drawn!.restyle(); paint(); } });
    },
  };
}

function whyTable(answer: GraphAnswer): HTMLElement {
  const why = answer.why!;
  const name = (node: number): string => answer.graph.nodes[node]!.name;
  const order = why.edges.map((share, i) => ({ share, i })).sort((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, 5);
  return h('details', { open: true }, h('summary', {}, 'What mattered most'), h('table.plain', {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'edge'), h('th', { scope: 'col' }, 'share'))),
    h('tbody', {}, order.map(({ share, i }) => {
      const edge = answer.graph.edges[i]!;
      return h('tr', {}, h('td', {}, `${name(edge.source)} ${edge.type} ${name(edge.target)}`), h('td.number', {}, shown(share)));
    }))), h('p.soft.small', {}, `log probability ${shown(why.score)}; with nothing known ${shown(why.baseline)}`));
}

export function graphsPart(): HTMLElement {
  const models = h('select');
  const text = h('textarea.editor.short', { rows: 14, spellcheck: 'false' });
  const result = h('div');
  const places: Places = new Map();
  const titles = new Map<string, Item>();
  const go = h('button.primary', { type: 'submit' }, 'Ask');
  const about = h('p.soft');
  async function ask(question: number): Promise<void> {
    go.disabled = true;
    try {
      const answer = await post<GraphAnswer>('/api/ask', { model: models.value, text: text.value, question });
      const editing: Editing = { places, change(graph) {
        const changed = withGraph(text.value, graph);
        if (changed === null) return announce('this text cannot be written anew by drawing');
        text.value = changed;
        void ask(Math.min(answer.question, answer.questions.length - 1));
      } };
      const view = graphResult(answer, editing, (at) => void ask(at));
      replace(result, view.element);
      view.mounted();
      announce(result.querySelector('.verdict')?.textContent ?? '');
    } catch (error) {
      replace(result, h('p.error', { role: 'alert' }, (error as ApiError).message));
    }
    go.disabled = false;
  }
  const choose = (): void => {
    const item = titles.get(models.value);
    about.textContent = item?.title ?? '';
    if (item?.example) {
      text.value = item.example;
      places.clear();
      void ask(0);
    }
  };
  models.addEventListener('change', choose);
  void get<Item[]>('/api/models').then((items) => {
    for (const item of items) titles.set(item.id, item);
    replace(models, items.map((item) => h('option', { value: item.id }, item.name)));
    choose();
  }).catch((error: ApiError) => replace(result, h('p.error', { role: 'alert' }, error.message)));
  return h('div.part', {}, h('h2', {}, 'Graphs'),
    h('p.lead', {}, 'A story, JSON or CSV in; the answer, what it came from, and how the states settled. Start the server with a folder to ask models of your own.'),
    h('form.card', { onsubmit: (event: Event) => (event.preventDefault(), void ask(0)) },
      h('div.bar-line', {}, field('Model', models), about, h('span.grow'), go), field('Graph and questions', text)),
    result);
}
