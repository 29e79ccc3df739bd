// Reports of ggsnn reproduce, inside the page: without scripts, with contents beside them.
import { ApiError, get, Item } from './api';
import { field, h, replace } from './dom';
import { isDark, onTheme } from './theme';

export function reportsPart(): HTMLElement {
  const choose = h('select');
  const result = h('div');
  const frame = h('iframe.report', { title: 'Report', sandbox: 'allow-same-origin' });
  const dress = (): void => {
    const inner = frame.contentDocument;
    if (!inner?.documentElement || !inner.body) return;
    inner.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
    // Of the body: the document is never less high than its frame.
    frame.style.height = `${Math.max(400, inner.body.offsetHeight + 40)}px`;
    // Links inside would not leave the frame where they lead elsewhere on the page.
    for (const link of inner.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
      link.onclick = (event) => { event.preventDefault(); inner.getElementById(link.hash.slice(1))?.scrollIntoView(); };
  };
  frame.addEventListener('load', () => { dress(); setTimeout(dress, 300); });
  onTheme(dress);
  addEventListener('resize', dress);
  const show = (): void => {
    const path = `/reports/${choose.value}/index.html`;
    frame.src = path;
    replace(result, h('p', {}, h('a', { href: path, target: '_blank', rel: 'noopener' }, 'Open the report on its own')), frame);
  };
  choose.addEventListener('change', show);
  void get<Item[]>('/api/reports').then((items) => {
    if (items.length === 0)
      return replace(result, h('p.soft', {}, 'No report here. Make one: ggsnn reproduce table1 --quick -o report, and start the server with its folder: ggsnn serve report.'));
    replace(choose, items.map((item) => h('option', { value: item.id }, item.name)));
    show();
  }).catch((error: ApiError) => replace(result, h('p.error', { role: 'alert' }, error.message)));
  return h('div.part', {}, h('h2', {}, 'Reports'), h('p.lead', {}, 'What ggsnn reproduce has found, with a summary first.'), h('div.card', {}, field('Report', choose)), result);
}
