// Elements without a framework.

type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, unknown>;

function append(parent: Node, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) child.forEach((one) => append(parent, one));
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

type TagOf<S extends string> = S extends `${infer K}.${string}` ? K : S;
type ElementOf<S extends string> = TagOf<S> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<S>] : HTMLElement;

/** h('button.primary', { type: 'button', onclick: f }, 'Ask'): classes after dots, listeners by their names. */
export function h<S extends string>(tag: S, attributes: Attributes = {}, ...children: Child[]): ElementOf<S> {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name!);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'value' && 'value' in element) (element as HTMLInputElement).value = String(value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  append(element, children);
  return element as ElementOf<S>;
}

export function replace(parent: HTMLElement, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** A picture that the server drew. Parsed as XML, so that nothing in it is taken for HTML. */
export function picture(svg: string, text: string): Element {
  if (svg === '') return h('p.told', {}, text);
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (parsed.nodeName !== 'svg') return h('p.told', {}, text);
  return document.importNode(parsed, true);
}

let live: HTMLElement | undefined;
/** Says something to those who do not see it change. */
export function announce(text: string): void {
  if (!live) {
    live = h('div.unseen', { role: 'status', 'aria-live': 'polite' });
    document.body.appendChild(live);
  }
  live.textContent = text;
}

export function download(name: string, text: string, type = 'text/plain'): void {
  const link = h('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Numbers for people: no minus before zeros. */
export function shown(value: number, digits = 3): string {
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

let ids = 0;
export const fresh = (stem: string): string => `${stem}-${++ids}`;

/** A label and what it is of. */
export function field(label: string, control: HTMLElement): HTMLElement {
  if (!control.id) control.id = fresh('field');
  return h('div.field', {}, h('label', { for: control.id }, label), control);
}

// What arrives at the loop is described by one of these.
export function graphsText(count: number): string {
  return count === 1 ? 'one memory graph' : `one of ${count} memory graphs`;
}
