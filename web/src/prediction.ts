// The prediction of an invariant, step by step, as in the paper's figure 2.
import { LoopView, TraceStep } from './api';
import { h, picture, replace, shown } from './dom';
import { stepper } from './stepper';

const asked: Record<string, string> = {
  quantify: 'Is another existential needed?',
  pick: 'Which node does it name?',
  predicate: 'Which structure begins at the active node?',
  end: 'Where does the list end?',
  explain: 'Which cells does this explain?',
};

function question(step: TraceStep): string {
  const about = step.about ? ` (${step.about})` : '';
  return (asked[step.decision] ?? step.decision) + about;
}

/** Log probabilities of what could have been decided, as bars of their shares. */
export function bars(scores: Record<string, number>, chosen: string): HTMLElement {
  const entries = Object.entries(scores);
  if (entries.length === 0 || (entries.length === 1 && entries[0]![0] === 'annotations')) return h('p.soft', {}, 'Decided for each node by itself: see the picture.');
  const most = Math.max(...entries.map(([, score]) => score));
  const total = entries.reduce((sum, [, score]) => sum + Math.exp(score - most), 0);
  return h('table.bars', {}, h('caption.unseen', {}, 'Scores of this decision'),
    h('tbody', {}, entries.map(([name, score]) => {
      const share = Math.exp(score - most) / total;
      const bar = h('span.bar');
      bar.style.width = `${Math.max(0.5, 100 * share)}%`;
      return h('tr' + (name === chosen ? '.chosen' : ''), {},
        h('th', { scope: 'row' }, name), h('td.track', {}, bar), h('td.number', {}, `${(100 * share).toFixed(1)} %`),
        h('td.number.soft', { title: 'log probability, summed over the heaps' }, shown(score)));
    })));
}

export function predictionView(loop: LoopView): HTMLElement {
  const { heaps, steps } = loop.prediction;
  if (steps.length === 0) return h('p.soft', {}, 'The networks were not asked about this loop.');
  const pictures = heaps.map((heap) => picture(heap.svg, heap.text));
  const formula = h('code.formula.growing');
  const about = h('div.decision');
  const show = (at: number): void => {
    const step = steps[at]!;
    pictures.forEach((svg, i) => {
      const marks = step.heaps.find((site) => site.heap === i);
      for (const node of svg.querySelectorAll<SVGElement>('[data-node]')) {
        const number = Number(node.dataset.node);
        for (const name of ['named', 'active', 'explained', 'chosen'] as const)
          node.classList.toggle(name, step.depth === 0 && (marks?.[name].includes(number) ?? false));
        if (step.depth > 0) // inside a body: sites are numbered through all heaps
          for (const name of ['named', 'active', 'explained', 'chosen'] as const)
            node.classList.toggle(name, step.heaps.some((site) => site[name].includes(number)) && heaps.length === 1);
      }
    });
    formula.textContent = step.formula;
    replace(about, h('p.asked', {}, h('strong', {}, question(step)), ' ', h('span.soft', {}, `Algorithm line ${step.line}`)),
      h('p', {}, 'Decided: ', h('b', {}, step.outcome)), bars(step.scores, step.outcome));
  };
  const steps_ = stepper('Steps of the prediction', steps.length, show);
  const view = h('div.prediction', {}, steps_.element,
    h('p.formula-line', {}, h('span.soft', {}, 'Formula so far '), formula),
    h('div.prediction-body', {}, about,
      h('div.heaps', { tabindex: 0, role: 'group', 'aria-label': 'Heaps of this loop' },
        pictures.map((svg, i) => h('figure.heap-card', { tabindex: 0 }, svg, h('figcaption', {}, `snapshot ${i + 1}`))))),
    legend());
  steps_.go(0);
  return view;
}

function legend(): HTMLElement {
  const entry = (name: string, text: string): HTMLElement => h('li', {}, h(`span.swatch.${name}`), text);
  return h('ul.legend', { 'aria-label': 'Marks' }, entry('named', 'named'), entry('active', 'active'),
    entry('explained', 'explained'), entry('chosen', 'chosen in this step'));
}
