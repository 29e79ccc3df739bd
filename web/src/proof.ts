// Proofs as trees that open and close.
import { ConditionView, FormulaAnswer, ProofStep } from './api';
import { h, plural } from './dom';

function chip(verdict: string): HTMLElement {
  return h(`span.chip.${verdict === 'valid' ? 'proved' : verdict === 'invalid' ? 'unsafe' : 'unknown'}`, {}, verdict);
}

function pathText(path: { line: number; taken: boolean }[]): string {
  if (path.length === 0) return 'straight on';
  return path.map((turn) => `line ${turn.line} ${turn.taken ? 'true' : 'false'}`).join(', ');
}

/** The cases of a function's proof, by what they show. */
export function proofView(conditions: ConditionView[]): HTMLElement {
  if (conditions.length === 0) return h('p.soft', {}, 'No case had to be put to the prover.');
  const groups = new Map<string, ConditionView[]>();
  for (const one of conditions) {
    const key = `Line ${one.line}: ${one.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return h('div.proof', {}, [...groups].map(([title, list]) => {
    const bad = list.some((one) => one.verdict !== 'valid');
    return h('details.branch', { open: bad || groups.size <= 4 },
      h('summary', {}, title, ' ', h('span.soft', {}, plural(list.length, 'case')), ' ',
        chip(bad ? list.find((one) => one.verdict !== 'valid')!.verdict : 'valid')),
      list.map((one, i) => h('details.leaf', { open: one.verdict !== 'valid' },
        h('summary', {}, `case ${i + 1}: ${pathText(one.path)} `, chip(one.verdict)),
        h('p.entails', {}, h('code.formula', {}, one.left), h('span.turnstile', {}, ' ⊢ '), h('code.formula', {}, one.right)))));
  }));
}

function branch(steps: ProofStep[], children: number[][], at: number): HTMLElement {
  const step = steps[at]!;
  const below = children[at]!;
  const title = [h('span.because', {}, step.because || 'The left side'), ' ', h(`span.outcome.${outcomeClass(step.outcome)}`, {}, step.outcome)];
  const state = h('p.entails', {}, h('code.formula', {}, step.state));
  return h('details.branch', { open: steps.length <= 40 }, h('summary', {}, title), state,
    below.map((child) => branch(steps, children, child)));
}

function outcomeClass(outcome: string): string {
  if (outcome.startsWith('every part') || outcome.startsWith('no such')) return 'proved';
  if (outcome.startsWith('a counter')) return 'unsafe';
  return outcome === 'open' ? 'unknown' : 'split';
}

/** What the prover looked at, case below case. */
export function treeView(answer: FormulaAnswer): HTMLElement | null {
  const tree = answer.tree;
  if (!tree || tree.steps.length === 0) return null;
  const children: number[][] = tree.steps.map(() => []);
  tree.steps.forEach((step, i) => step.parent >= 0 && children[step.parent]!.push(i));
  const roots = tree.steps.map((step, i) => (step.parent < 0 ? i : -1)).filter((i) => i >= 0);
  return h('div.proof', {}, roots.map((root) => branch(tree.steps, children, root)),
    tree.cut && h('p.soft', {}, `The first ${tree.steps.length} cases are shown.`));
}
