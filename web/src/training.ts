// Curves of trainings, live while they run, compared, with their settings beside them.
import uPlot from 'uplot';
import { ApiError, get, Item, TrainingView } from './api';
import { field, h, plural, replace, shown } from './dom';
import { colours, ink, onTheme } from './theme';

type Score = 'train_loss' | 'valid_loss' | 'error';
const titles: Record<Score, string> = { train_loss: 'Training loss', valid_loss: 'Validation loss', error: 'Validation error' };

interface Line { label: string; colour: string; strong: boolean; points: [number, number | null][] }

function linesOf(views: TrainingView[], score: Score, x: 'update' | 'seconds'): Line[] {
  const lines: Line[] = [];
  views.forEach((view, i) => {
    const best = (run: TrainingView['runs'][number]): number => Math.min(...run.error.map((value) => value ?? Infinity));
    const least = Math.min(...view.runs.map(best));
    let named = false;
    for (const run of view.runs) {
      const strong: boolean = !named && best(run) === least;
      named = named || strong;
      const points = run[x].map((at, k) => [at, run[score][k]] as [number | null, number | null]).filter((point): point is [number, number | null] => point[0] !== null);
      lines.push({ label: view.runs.length > 1 ? `${view.name} ${run.question} ${run.restart}` : view.name, colour: colours[i % colours.length]!, strong, points });
    }
  });
  return lines;
}

// uPlot wants one list of x for all.
function aligned(lines: Line[]): (number | null)[][] {
  const xs = [...new Set(lines.flatMap((line) => line.points.map(([at]) => at)))].sort((a, b) => a - b);
  const place = new Map(xs.map((at, i) => [at, i]));
  return [xs, ...lines.map((line) => {
    const ys: (number | null)[] = new Array(xs.length).fill(undefined);
    for (const [at, value] of line.points) ys[place.get(at)!] = value;
    return ys;
  })];
}

function chart(box: HTMLElement, lines: Line[], title: string, x: string, log: boolean): void {
  box.replaceChildren();
  if (lines.every((line) => line.points.length === 0)) return replace(box, h('p.soft', {}, `${title}: nothing yet`));
  const axis = { stroke: ink('--soft'), grid: { stroke: ink('--grid'), width: 1 }, ticks: { stroke: ink('--grid') }, font: '12px system-ui' };
  const data = aligned(lines);
  const positive = data.slice(1).every((ys) => ys.every((value) => value === undefined || value === null || value > 0));
  new uPlot({
    title, width: Math.max(240, box.clientWidth), height: 280, legend: { show: false }, cursor: { drag: { x: true, y: false } },
    scales: { x: { time: false }, y: log && positive ? { distr: 3 } : {} },
    axes: [{ ...axis, label: x, labelSize: 20 }, { ...axis, size: 62 }],
    series: [{}, ...lines.map((line) => ({ label: line.label, stroke: line.strong ? line.colour : line.colour + '99', width: line.strong ? 2.4 : 1.2, spanGaps: true, points: { show: line.points.length === 1 } }))],
  }, data as uPlot.AlignedData, box);
}

function flat(value: unknown, path = '', out: Map<string, string> = new Map()): Map<string, string> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) flat(inner, path === '' || path === 'options' ? key : `${path} ${key}`, out);
  } else if (value !== null && value !== '') out.set(path, Array.isArray(value) ? value.join(', ') : String(value));
  return out;
}

function settingsTable(views: TrainingView[]): HTMLElement {
  const all = views.map((view) => flat(view.settings));
  const keys = [...new Set(all.flatMap((one) => [...one.keys()]))].filter((key) => !['event', 'fingerprint'].includes(key));
  const rows = keys.map((key) => ({ key, values: all.map((one) => one.get(key) ?? '') }));
  rows.sort((a, b) => Number(new Set(b.values).size > 1) - Number(new Set(a.values).size > 1));
  return h('div.table-scroll', { tabindex: 0, role: 'group', 'aria-label': 'Settings' }, h('table.plain', {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'setting'), views.map((view) => h('th', { scope: 'col' }, view.name)))),
    h('tbody', {}, rows.map((row) => h('tr' + (new Set(row.values).size > 1 ? '.differs' : ''), {}, h('th', { scope: 'row' }, row.key.replace(/_/g, ' ')), row.values.map((value) => h('td', {}, value)))))));
}

function summary(view: TrainingView): string {
  const errors = view.runs.flatMap((run) => run.error).filter((value): value is number => value !== null);
  const best = errors.length > 0 ? `best ${view.metric.replace(/_/g, ' ')} ${shown(Math.min(...errors), 4)}` : 'no evaluation yet';
  return `${best}; ${view.end ? 'ended' : 'running or cut off'}, ${shown(view.seconds, 1)} s`;
}

export function trainingResult(views: TrainingView[], controls?: HTMLElement): { element: HTMLElement; draw(x: 'update' | 'seconds', log: boolean): void } {
  const boxes = { train_loss: h('div.chart'), valid_loss: h('div.chart'), error: h('div.chart') };
  const element = h('div.result', {}, controls,
    h('ul.runs', {}, views.map((view, i) => {
      const swatch = h('span.swatch');
      swatch.style.backgroundColor = colours[i % colours.length]!;
      return h('li', {}, swatch, h('b', {}, view.name), ' ', h('span.soft', {}, summary(view)));
    })),
    h('div.charts', {}, (Object.keys(boxes) as Score[]).map((score) => h('figure.card', {}, boxes[score], h('figcaption.unseen', {}, `${titles[score]} of ${views.map((view) => view.name).join(', ')}`)))),
    h('section.card', {}, h('h3', {}, 'Settings'), views.length > 1 && h('p.soft', {}, 'What differs stands first.'), settingsTable(views)));
  return {
    element,
    draw(x, log) {
      const metric = views[0]?.metric.replace(/_/g, ' ') ?? '';
      for (const score of Object.keys(boxes) as Score[])
        chart(boxes[score], linesOf(views, score, x), score === 'error' ? `Validation: ${metric}` : titles[score], x === 'update' ? 'updates' : 'seconds', log);
    },
  };
}

export function trainingPart(): HTMLElement {
  const list = h('fieldset.choose', {}, h('legend', {}, 'Runs'));
  const result = h('div');
  const x = h('select', {}, h('option', { value: 'update' }, 'updates'), h('option', { value: 'seconds' }, 'seconds'));
  const log = h('input', { type: 'checkbox' });
  const controls = h('div.bar-line', {}, field('To the right', x), h('label.check', {}, log, ' logarithmic'));
  const chosen = new Set<string>();
  let known = '', seen = '';
  const root = h('div.part', {}, h('h2', {}, 'Training'),
    h('p.lead', {}, 'Curves of runs in the folders that the server was started with (ggsnn train --log), live while they go on.'), h('div.card', {}, list), controls, result);
  async function show(force: boolean): Promise<void> {
    if (chosen.size === 0) return replace(result, h('p.soft', {}, 'Choose a run.'));
    const views = await Promise.all([...chosen].map((id) => get<TrainingView>(`/api/runs/${id}`)));
    const state = JSON.stringify(views);
    if (state === seen && !force) return;
    seen = state;
    const view = trainingResult(views);
    replace(result, view.element);
    view.draw(x.value as 'update' | 'seconds', log.checked);
  }
  async function refresh(): Promise<void> {
    if (known !== '' && !root.isConnected) return;
    try {
      const items = await get<Item[]>('/api/runs');
      const state = items.map((item) => item.id).join();
      if (state !== known || known === '') {
        const first = known === '';
        known = state || ' ';
        if (first) items.slice(0, 2).forEach((item) => chosen.add(item.id));
        replace(list, h('legend', {}, plural(items.length, 'run')), items.length === 0 && h('p.soft', {}, 'No log of a training here. Start one: ggsnn train DATA -o MODEL --log run.jsonl, and the server with its folder: ggsnn serve FOLDER.'),
          items.map((item) => {
            const box = h('input', { type: 'checkbox', value: item.id, checked: chosen.has(item.id) });
            box.addEventListener('change', () => {
              if (box.checked) chosen.add(item.id);
              else chosen.delete(item.id);
              void show(true);
            });
            return h('label.check', {}, box, ' ', item.name);
          }));
      }
      await show(false);
    } catch (error) {
      replace(result, h('p.error', { role: 'alert' }, (error as ApiError).message));
    }
    if (root.isConnected || known === ' ') setTimeout(() => void refresh(), 1500);
  }
  x.addEventListener('change', () => void show(true));
  log.addEventListener('change', () => void show(true));
  onTheme(() => { if (root.isConnected) void show(true); });
  let width = innerWidth;
  addEventListener('resize', () => { if (root.isConnected && Math.abs(innerWidth - width) > 40) { width = innerWidth; void show(true); } });
  setTimeout(() => void refresh(), 0);
  return root;
}
