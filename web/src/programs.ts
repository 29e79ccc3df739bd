// C programs: paste or choose one; verdict, invariants, prediction, proof or failing run.
import { ApiError, FunctionView, get, Item, post, ProgramAnswer } from './api';
import { announce, download, field, graphsText, h, picture, plural, replace } from './dom';
import { listing, Listing } from './listing';
import { predictionView } from './prediction';
import { proofView } from './proof';
import { stepper } from './stepper';

const begin = `#include <stdlib.h>

struct node { struct node *next; int value; };

/* Appends b to a, and returns the head. */
struct node *append(struct node *a, struct node *b) {
  if (a == NULL) return b;
  struct node *last = a;
  while (last->next != NULL)
    last = last->next;
  last->next = b;
  return a;
}
`;

function filmView(f: FunctionView, answer: ProgramAnswer, list: Listing | null): HTMLElement {
  const run = f.run!;
  const lines = answer.source.split('\n');
  const stage = h('div.stage', { tabindex: 0, role: 'group', 'aria-label': 'Heap' });
  const told = h('p.film-line', { 'aria-live': 'polite' });
  const last = run.film[run.film.length - 1];
  // The last line of the film is that of the error, but for leaks, which show when all is over.
  const whole = last !== undefined && last.line === run.line;
  const frames = run.film.map((frame, i) => ({ ...frame, end: whole && i === run.film.length - 1 }));
  if (!whole) frames.push({ line: run.line, function: f.name, svg: run.end.svg, text: run.end.text, dead: [], end: true });
  const show = (at: number): void => {
    const frame = frames[at]!;
    replace(stage, picture(frame.svg, frame.text), frame.dead.length > 0 && h('p.soft', {}, `freed, or without a value yet: ${frame.dead.join(', ')}`));
    replace(told, h('span.soft', {}, `${frame.function}, line ${frame.line}  `), h('code', {}, (lines[frame.line - 1] ?? '').trim()),
      frame.end && h('span.fault', {}, ` ${run.fault}`));
    stage.classList.toggle('failed', frame.end);
    list?.mark(frame.line);
  };
  const steps = stepper('Film of the failing run', frames.length, show);
  const view = h('section.film', {}, h('h4', {}, 'The run that fails, line by line'),
    h('p.soft', {}, 'Input: ', h('code', {}, run.input.text)), steps.element, told, stage,
    answer.replay !== '' && h('p', {}, h('button', { type: 'button', onclick: () => download(`replay_${answer.name}`, answer.replay) }, 'Download a replay'), ' ',
      h('span.soft', {}, `a C program that runs into it: keep it beside ${answer.name}`)));
  steps.go(frames.length - 1);
  return view;
}

function loopsView(f: FunctionView): HTMLElement[] {
  return f.loops.filter((loop) => loop.prediction.steps.length > 0 || loop.invariant !== null || loop.graphs.length > 0).map((loop) =>
    h('section.loop', {}, h('h4', {}, `Loop at line ${loop.line}`),
      h('p', {}, loop.invariant !== null ? h('code.formula', {}, loop.invariant) : loop.graphs.length > 0 ? graphsText(loop.graphs.length) : 'no invariant was found', ' ',
        h(`span.chip.${loop.proved ? 'proved' : 'unknown'}`, {}, loop.proved ? 'proved inductive' : loop.run_through ? 'run through' : 'not proved')),
      loop.graphs.length > 0 && h('details', {}, h('summary', {}, 'The graphs, in words'), loop.graphs.map((text) => h('pre.graph', { tabindex: 0 }, text))),
      predictionView(loop),
      loop.candidates.length > 1 && h('details', {}, h('summary', {}, plural(loop.candidates.length, 'candidate'), ' were tried in this order'),
        h('ol', {}, loop.candidates.map((text) => h('li', {}, h('code.formula', {}, text)))))));
}

function functionCard(f: FunctionView, answer: ProgramAnswer, list: Listing | null): HTMLElement {
  const card = h('article.card', {}, h('h3', {}, h('code', {}, f.name), ' ', h(`span.chip.${f.verdict}`, {}, f.verdict)),
    h('p', {}, f.verdict === 'proved' ? f.claim + '.' : f.reason),
    f.requires !== 'emp' && !f.whole && h('p', {}, h('span.soft', {}, f.requires_assumed ? 'requires (assumed) ' : 'requires '), h('code.formula', {}, f.requires)),
    f.ensures && h('p', {}, h('span.soft', {}, f.ensures_inferred ? 'ensures (inferred) ' : 'ensures '), h('code.formula', {}, f.ensures)),
    [...f.assumptions.map((text) => 'assumed: ' + text), ...f.warnings.map((text) => 'warning: ' + text)].map((text) => h('p.soft', {}, text)));
  if (f.run) card.append(filmView(f, answer, list));
  if (f.failure) {
    card.append(h('section', {}, h('h4', {}, `Where the proof ends: line ${f.failure.line}`), h('p', {}, h('code.formula', {}, f.failure.state)),
      f.failure.counter && h('div.stage', { tabindex: 0, role: 'group', 'aria-label': 'Heap' }, h('p.soft', {}, 'a heap that it cannot rule out'), picture(f.failure.counter.svg, f.failure.counter.text))));
  }
  if (f.verdict !== 'unsafe') {
    for (const loop of loopsView(f)) card.append(loop);
    if (f.proof.length > 0) card.append(h('section', {}, h('h4', {}, `The proof: ${plural(f.proof.length, 'case')}`), proofView(f.proof)));
  }
  card.append(h('p.soft.small', {}, `${plural(f.runs, 'run')}, ${f.seconds.toFixed(2)} s`));
  return card;
}

export function programResult(answer: ProgramAnswer): HTMLElement {
  const list = listing(answer);
  const verdict = answer.outcome === 'proved' ? 'Proved memory-safe' : answer.outcome === 'unsafe' ? 'Unsafe' : 'Not proved';
  return h('div.result', {},
    h(`p.verdict.${answer.outcome}`, { role: 'status' }, h('b', {}, verdict), answer.reason ? `: ${answer.reason}` : '',
      answer.functions.length > 1 ? ` (${answer.functions.filter((f) => f.verdict === 'proved').length} of ${plural(answer.functions.length, 'function')} proved)` : ''),
    list.element, answer.notes.map((note) => h('p.soft', {}, note)),
    answer.functions.map((f) => functionCard(f, answer, list)));
}

export function programsPart(): HTMLElement {
  const source = h('textarea.editor', { rows: 18, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', value: begin });
  const examples = h('select', {}, h('option', { value: '' }, 'an example …'));
  const result = h('div');
  const mayFail = h('input', { type: 'checkbox' });
  let name = 'program.c';
  let running: AbortController | null = null;
  const go = h('button.primary', { type: 'submit' }, 'Verify');
  const stop = h('button', { type: 'button', hidden: true, onclick: () => running?.abort() }, 'Stop waiting');
  const form = h('form.card', { onsubmit: (event: Event) => (event.preventDefault(), void verify()) },
    h('div.bar-line', {}, field('Choose', examples), h('label.check', {}, mayFail, ' malloc may fail'), h('span.grow'), stop, go),
    field('or paste C here', source));
  const again = h('button', { type: 'button', hidden: true, onclick: () => edit() }, 'Edit the program');
  const edit = (): void => {
    form.hidden = false;
    again.hidden = true;
    source.focus();
  };
  async function verify(): Promise<void> {
    running?.abort();
    running = new AbortController();
    go.disabled = true;
    stop.hidden = false;
    replace(result, h('p.busy', { role: 'status' }, 'Running, predicting, proving …'));
    try {
      const answer = await post<ProgramAnswer>('/api/verify', { source: source.value, name, allocation_may_fail: mayFail.checked }, running.signal);
      replace(result, programResult(answer));
      form.hidden = true;
      again.hidden = false;
      announce(`${answer.outcome}: ${answer.functions.map((f) => `${f.name} ${f.verdict}`).join(', ')}`);
      again.focus();
    } catch (error) {
      if ((error as Error).name === 'AbortError') replace(result);
      else replace(result, h('p.error', { role: 'alert' }, (error as ApiError).message));
    }
    go.disabled = false;
    stop.hidden = true;
  }
  source.addEventListener('input', () => { name = 'program.c'; });
  examples.addEventListener('change', () => {
    if (examples.value === '') return;
    void get<{ name: string; source: string }>(`/api/programs/${examples.value}`).then((program) => {
      source.value = program.source;
      name = program.name.replace(/^.*\//, '');
    });
  });
  void get<Item[]>('/api/programs').then((items) => {
    for (const broken of [false, true]) {
      const own = items.filter((item) => item.name.startsWith('broken/') === broken);
      if (own.length > 0)
        examples.append(h('optgroup', { label: broken ? 'broken on purpose' : 'programs' }, own.map((item) => h('option', { value: item.id }, item.name.replace(/^broken\//, '')))));
    }
  }).catch(() => undefined);
  return h('div.part', {}, h('h2', {}, 'Programs'),
    h('p.lead', {}, 'A C function in, a proof of memory safety out: runs give heaps, networks say what holds in them, a prover checks it.'),
    form, again, result);
}
