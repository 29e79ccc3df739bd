// The page: five parts, one at a time; or, in a file of its own, one thing that was given.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { FormulaAnswer, get, GraphAnswer, ProgramAnswer, takeToken, TrainingView } from './api';
import { h, replace } from './dom';
import { formulaResult, formulasPart } from './formulas';
import { graphResult, graphsPart } from './graphs';
import { programResult, programsPart } from './programs';
import { reportsPart } from './reports';
import { isDark, onTheme, startTheme, toggleTheme } from './theme';
import { trainingPart, trainingResult } from './training';

const parts: [string, string, () => HTMLElement][] = [
  ['programs', 'Programs', programsPart],
  ['graphs', 'Graphs', graphsPart],
  ['training', 'Training', trainingPart],
  ['formulas', 'Formulas', formulasPart],
  ['reports', 'Reports', reportsPart],
];

function themeButton(): HTMLElement {
  const button = h('button.theme', { type: 'button', onclick: toggleTheme });
  const tell = (): void => {
    button.textContent = isDark() ? '☀' : '☾';
    const name = isDark() ? 'Light theme' : 'Dark theme';
    button.setAttribute('aria-label', name);
    button.title = name;
  };
  tell();
  onTheme(tell);
  return button;
}

function start(app: HTMLElement): void {
  takeToken();
  const main = h('main', { id: 'main', tabindex: -1 });
  const links = parts.map(([name, title]) => h('a', { href: `#/${name}` }, title));
  const version = h('span.version');
  replace(app, h('a.skip', { href: '#main', onclick: (event: Event) => { event.preventDefault(); main.focus(); } }, 'To the content'),
    h('header.top', {}, h('h1', {}, 'ggsnn'), h('nav', { 'aria-label': 'Parts' }, links), version, themeButton()), main);
  const made = new Map<string, HTMLElement>();
  const route = (): void => {
    const name = parts.find(([part]) => location.hash === `#/${part}`)?.[0] ?? 'programs';
    const [, title, make] = parts.find(([part]) => part === name)!;
    links.forEach((link) => (link.hash === `#/${name}` ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current')));
    document.title = `${title} – ggsnn`;
    // What was written in a part is still there when one comes back; curves begin anew.
    if (!made.has(name) || name === 'training' || name === 'reports') made.set(name, make());
    replace(main, made.get(name)!);
  };
  addEventListener('hashchange', route);
  route();
  void get<{ version: string }>('/api/about').then((about) => { version.textContent = about.version; }).catch(() => undefined);
}

interface Given { part: string; title: string; answer: unknown }

function showGiven(app: HTMLElement, given: Given): void {
  const main = h('main', { id: 'main' });
  replace(app, h('header.top', {}, h('h1', {}, given.title), h('span.grow'), themeButton()), main);
  if (given.part === 'programs') replace(main, (given.answer as ProgramAnswer[]).map((one) => h('div.part', {}, h('h2', {}, one.name), programResult(one))));
  else if (given.part === 'formulas') replace(main, h('div.part', {}, formulaResult(given.answer as FormulaAnswer)));
  else if (given.part === 'graphs') {
    const view = graphResult(given.answer as GraphAnswer, null, null);
    replace(main, h('div.part', {}, view.element));
    view.mounted();
  } else {
    const view = trainingResult(given.answer as TrainingView[]);
    replace(main, h('div.part', {}, view.element));
    const draw = (): void => view.draw('update', false);
    draw();
    onTheme(draw);
  }
}

startTheme();
const app = document.getElementById('app')!;
const given = document.getElementById('given');
if (given) showGiven(app, JSON.parse(given.textContent!) as Given);
else start(app);
