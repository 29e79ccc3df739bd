// A program with line numbers, and in its margin what holds where.
import { FunctionView, ProgramAnswer } from './api';
import { graphsText, h } from './dom';

export interface Note { line: number; kind: 'proved' | 'unsafe' | 'unknown' | 'plain'; label: string; formula?: string; text?: string }

function loopNotes(f: FunctionView): Note[] {
  if (f.verdict === 'unsafe') return [];
  return f.loops.filter((loop) => loop.invariant !== null || loop.run_through || loop.graphs.length > 0).map((loop) => loop.run_through
    ? { line: loop.line, kind: 'plain', label: 'loop', text: 'run through, round by round: it needs no invariant' }
    : loop.invariant === null
    ? { line: loop.line, kind: loop.proved ? 'proved' : 'unknown', label: loop.proved ? 'invariant, proved' : 'invariant, not proved', text: graphsText(loop.graphs.length) }
    : { line: loop.line, kind: loop.proved ? 'proved' : 'unknown', label: loop.proved ? 'invariant, proved' : 'invariant, not proved', formula: loop.invariant! });
}

export function notesOf(answer: ProgramAnswer): Note[] {
  const notes: Note[] = [];
  for (const f of answer.functions) {
    notes.push({ line: f.line, kind: f.verdict, label: `${f.name}: ${f.verdict}`, text: f.verdict === 'proved' ? 'memory-safe' : undefined });
    if (!f.whole && f.requires !== 'emp') notes.push({ line: f.line, kind: 'plain', label: f.requires_assumed ? 'requires, assumed' : 'requires', formula: f.requires });
    if (f.ensures && f.verdict === 'proved') notes.push({ line: f.line, kind: 'plain', label: f.ensures_inferred ? 'ensures, inferred' : 'ensures', formula: f.ensures });
    notes.push(...loopNotes(f));
    if (f.verdict !== 'proved') {
      const line = f.run?.line || f.failure?.line || 0;
      if (line > 0) notes.push({ line, kind: f.verdict, label: f.run ? f.run.fault : f.failure?.kind ?? 'here', text: f.reason });
    }
  }
  return notes;
}

/** mark(line): shows where a run is; 0: nowhere. */
export interface Listing { element: HTMLElement; mark(line: number): void }

export function listing(answer: ProgramAnswer): Listing {
  const notes = notesOf(answer);
  const failing = new Set(answer.functions.filter((f) => f.verdict !== 'proved').map((f) => f.run?.line ?? f.failure?.line ?? 0));
  const lines = answer.source.replace(/\n$/, '').split('\n');
  const rows = lines.map((text, i) => {
    const line = i + 1;
    const own = notes.filter((note) => note.line === line);
    return h('div.row' + (failing.has(line) ? '.failing' : ''), { id: `L${line}` },
      h('span.line-number', {}, String(line)), h('code.code', {}, text === '' ? ' ' : text),
      h('div.margin', {}, own.map((note) => h(`p.note.${note.kind}`, {}, h('b', {}, note.label), ' ',
        note.formula && h('code.formula', {}, note.formula), note.text && h('span', {}, note.text)))));
  });
  const element = h('div.listing', { role: 'region', 'aria-label': `Listing of ${answer.name}`, tabindex: 0 }, rows);
  return {
    element,
    mark(line) {
      rows.forEach((row, i) => row.classList.toggle('at', i + 1 === line));
      const row = rows[line - 1];
      if (row) element.scrollTo({ top: row.offsetTop - element.clientHeight / 2 });
    },
  };
}
