// Every name that the page consists of goes through here, so that `?rename=` can change one as a redesign
// would: `colab-snackbar` (an element), `.output` (a class), `#connect` (an id), `[labeltext]` (an attribute).
const renamed = new Set(new URLSearchParams(location.search).getAll('rename'));
const now = (sigil, name) => (renamed.has(sigil + name) ? `${name}-new` : name);

export const tag = (name) => now('', name);
export const id = (name) => now('#', name);
export const attribute = (name) => (renamed.has(`[${name}]`) ? `${name}-new` : name);
export const classNames = (list) =>
  list
    .split(' ')
    .map((name) => now('.', name))
    .join(' ');

const selector = (text) =>
  text.replace(/([.#[]?)([A-Za-z_][\w-]*)/g, (_, sigil, name) =>
    sigil === '[' ? `[${attribute(name)}` : sigil + now(sigil, name),
  );

/** The first element that a selector in the old names finds. */
export const $ = (text, root = document) => root.querySelector(selector(text));
export const $$ = (text, root = document) => [...root.querySelectorAll(selector(text))];
export const closest = (element, text) => element.closest(selector(text));

export const get = (element, name) => element.getAttribute(attribute(name));

export function set(element, name, value) {
  const text = value === true ? '' : value;
  element.setAttribute(attribute(name), name === 'class' ? classNames(text) : name === 'id' ? id(text) : text);
}

/** Switches classes: `classes(cell, { running: true })`. */
export function classes(element, states) {
  for (const [name, on] of Object.entries(states)) element.classList.toggle(classNames(name), Boolean(on));
}

/** Renames the elements that are in the page from the start. */
export function renameStatic() {
  if (!renamed.size) return;
  for (const old of document.querySelectorAll('body :not(script)')) {
    let element = old;
    if (tag(old.localName) !== old.localName) {
      element = document.createElement(tag(old.localName));
      element.append(...old.childNodes);
      old.replaceWith(element);
    }
    for (const { name, value } of [...old.attributes]) {
      element.removeAttribute(name);
      set(element, name, value);
    }
  }
}
