// Forward and back through steps: buttons, a slider, arrow keys.
import { fresh, h } from './dom';

export interface Stepper { element: HTMLElement; go(step: number): void }

export function stepper(label: string, count: number, show: (step: number) => void): Stepper {
  let at = 0;
  const id = fresh('stepper');
  const slider = h('input', { type: 'range', min: 0, max: Math.max(0, count - 1), value: 0, id, 'aria-label': label });
  const place = h('output', { for: id }, '');
  const move = (step: number): void => {
    at = Math.min(count - 1, Math.max(0, step));
    slider.value = String(at);
    place.textContent = `${at + 1} of ${count}`;
    first.disabled = back.disabled = at === 0;
    last.disabled = on.disabled = at === count - 1;
    show(at);
  };
  const button = (text: string, name: string, to: () => number): HTMLButtonElement =>
    h('button.step', { type: 'button', 'aria-label': name, title: name, onclick: () => move(to()) }, text);
  const first = button('«', 'First step', () => 0);
  const back = button('‹', 'Step back', () => at - 1);
  const on = button('›', 'Step forward', () => at + 1);
  const last = button('»', 'Last step', () => count - 1);
  slider.addEventListener('input', () => move(Number(slider.value)));
  const element = h('div.stepper', { role: 'group', 'aria-label': label }, first, back, slider, on, last, place);
  element.addEventListener('keydown', (event) => {
    if (event.target === slider) return; // it has arrow keys of its own
    if (event.key === 'ArrowRight') move(at + 1);
    else if (event.key === 'ArrowLeft') move(at - 1);
    else return;
    event.preventDefault();
  });
  return { element, go: move };
}
