// Element helpers of the replica. No markup is ever parsed from a string: the page is served under Trusted Types.
import { set, tag } from './names.js';

export function h(name, attributes = {}, ...children) {
  const element = document.createElement(tag(name));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === 'onclick') element.addEventListener('click', value);
    else set(element, key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function shadow(host, css, ...children) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const style = document.createElement('style');
  style.textContent = css;
  root.replaceChildren(style, ...children);
  return root;
}

const NS = 'http://www.w3.org/2000/svg';

export function icon(path, size = 20) {
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('width', size);
  svg.setAttribute('height', size);
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(NS, 'path');
  shape.setAttribute('d', path);
  shape.setAttribute('fill', 'currentColor');
  svg.append(shape);
  return svg;
}

export const ICONS = {
  play: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-2 14.5v-9l6 4.5z',
  stop: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm4 14H8V8h8z',
  done: 'M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z',
  check: 'M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z',
  dns: 'M4 4h16v7H4zm0 9h16v7H4zm3-6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm0 9a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  close: 'M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z',
  down: 'M7 10l5 5 5-5z',
  more: 'M6 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm6 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm6 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  output: 'M3 5h18v2H3zm0 6h12v2H3zm0 6h18v2H3z',
};

const NAMES = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'];
const SGR = Object.fromEntries([31, 91].flatMap((from) => NAMES.map((name, i) => [from + i, name])));

// Terminal colours become spans with Colab's custom properties; every other control sequence is dropped.
export function ansiNodes(text) {
  const nodes = [];
  let [bold, colour] = ['', ''];
  let rest = 0;
  const put = (part) => {
    if (!part) return;
    const style = bold + colour;
    nodes.push(style ? h('span', { style }, part) : document.createTextNode(part));
  };
  for (const match of text.matchAll(/\x1b\[([0-9;]*)m/g)) {
    put(text.slice(rest, match.index));
    rest = match.index + match[0].length;
    for (const code of match[1].split(';').map(Number)) {
      if (code === 0) [bold, colour] = ['', ''];
      else if (code === 1) bold = 'font-weight: bold;';
      else if (code === 39) colour = '';
      else if (SGR[code]) colour = `color: var(--ansi-${SGR[code]});`;
    }
  }
  put(text.slice(rest));
  return nodes;
}
