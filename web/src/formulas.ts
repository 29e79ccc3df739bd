// Entailments of separation logic: a proof to open, or a heap that shows why not.
import { ApiError, FormulaAnswer, StatementAnswers, post } from './api';
import { announce, field, h, picture, plural, replace } from './dom';
import { treeView } from './proof';

const examples = [
  'ls(x,y) * ls(y,NULL) |- ls(x,NULL)',
  'ls(x,y) |- ls(x,NULL)',
  'x |-> {next: y} * ls(y,NULL) * x != y |- ls+(x,NULL)',
  'x != NULL * tree(x) |- exists l r . x |-> {left: l, right: r} * tree(l) * tree(r)',
  'dll(x,l,NULL,NULL) |- ls(x,NULL)',
  'ls(a,cur) * ls(cur,NULL) * ls(b,NULL) * a != b',
  'define sorted(x, lo) := x = NULL \\/ exists n, v . x |-> {next: n, val: v} * lo <= v * sorted(n, v);\nsorted(x, 3) |- sorted(x, 1);\nsorted(x, 1) |- sorted(x, 3)',
];

export function formulaResult(all: FormulaAnswer | StatementAnswers): HTMLElement {
  if (!('answers' in all)) return oneResult(all);
  return h('div.result', {}, all.answers.map((answer) => h('section', {}, h('p.entails', {}, h('code.formula', {}, answer.question!)), oneResult(answer))));
}

function oneResult(answer: FormulaAnswer): HTMLElement {
  const good = answer.verdict === 'valid' || answer.verdict === 'satisfiable' || answer.verdict === 'sat';
  const kind = answer.verdict === 'unknown' ? 'unknown' : good ? 'proved' : 'unsafe';
  const title = answer.verdict === 'invalid' ? 'A heap of the left side that is none of the right' : 'Such a heap';
  const tree = treeView(answer);
  return h('div.result', {},
    h(`p.verdict.${kind}`, { role: 'status' }, h('b', {}, answer.verdict), answer.reason ? `: ${answer.reason}` : ''),
    answer.left && h('p.entails', {}, h('code.formula', {}, answer.left), h('span.turnstile', {}, ' ⊢ '), h('code.formula', {}, answer.right!)),
    answer.formula && h('p.entails', {}, h('code.formula', {}, answer.formula)),
    answer.heap && h('section.card', {}, h('h3', {}, title), h('div.stage', { tabindex: 0, role: 'group', 'aria-label': 'Heap' }, picture(answer.heap.svg, answer.heap.text)),
      h('p.soft', {}, h('code', {}, answer.heap.text), answer.numbers ? ` | ${answer.numbers}` : '')),
    tree && h('section.card', {}, h('h3', {}, `${answer.verdict === 'valid' ? 'The proof' : 'What was looked at'}: ${plural(answer.cases, 'case')}`), tree));
}

export function formulasPart(): HTMLElement {
  const text = h('textarea.editor.short', { rows: 3, spellcheck: 'false', value: examples[0] });
  const result = h('div');
  const go = h('button.primary', { type: 'submit' }, 'Prove');
  async function prove(): Promise<void> {
    go.disabled = true;
    replace(result, h('p.busy', { role: 'status' }, 'Proving …'));
    try {
      const answer = await post<FormulaAnswer | StatementAnswers>('/api/prove', { text: text.value });
      replace(result, formulaResult(answer));
      announce('answers' in answer ? answer.answers.map((one) => one.verdict).join(', ') : answer.verdict);
    } catch (error) {
      replace(result, h('p.error', { role: 'alert' }, (error as ApiError).message));
    }
    go.disabled = false;
  }
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void prove();
  });
  return h('div.part', {}, h('h2', {}, 'Formulas'),
    h('p.lead', {}, 'Write an entailment A |- B, a formula alone (is there such a heap?), definitions and questions about them, or a problem of SL-COMP. Ctrl-Enter proves.'),
    h('form.card', { onsubmit: (event: Event) => (event.preventDefault(), void prove()) },
      field('Entailment', text), h('div.bar-line', {}, h('span.grow'), go),
      h('div.examples', { role: 'group', 'aria-label': 'Examples' }, examples.map((example) =>
        h('button.example', { type: 'button', onclick: () => { text.value = example; void prove(); } }, example)))),
    result);
}
