// Light and dark: as the machine has it, or as it was chosen here.

export const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7b61c9', '#8a8a00'];

const listeners = new Set<() => void>();
export const onTheme = (listener: () => void): void => void listeners.add(listener);

export function ink(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888';
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function toggleTheme(): void {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem('ggsnn-theme', theme);
  } catch { /* a page from a file may not keep it */ }
  listeners.forEach((listener) => listener());
}

export function startTheme(): void {
  try {
    const kept = localStorage.getItem('ggsnn-theme');
    if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
  } catch { /* as above */ }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => listeners.forEach((listener) => listener()));
}

/** From cool over nothing to warm: -1 .. 1. */
export function diverging(value: number): string {
  const t = Math.max(-1, Math.min(1, value));
  const base = isDark() ? [44, 49, 58] : [246, 247, 249];
  const end = t >= 0 ? [214, 72, 40] : [38, 104, 190];
  const mix = base.map((from, i) => Math.round(from + (end[i]! - from) * Math.abs(t)));
  return `rgb(${mix[0]}, ${mix[1]}, ${mix[2]})`;
}
