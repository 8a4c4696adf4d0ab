// HTML templates in which every value is escaped unless this module made it.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Finished HTML. */
export class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

function show(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(show).join('');
  return String(value).replace(/[&<>"']/g, (c) => ESCAPES[c]);
}

/** A template tag that escapes its values, joins lists, and keeps HTML that it made itself. */
export function html(strings, ...values) {
  return new Html(strings.map((text, i) => (i ? show(values[i - 1]) + text : text)).join(''));
}
