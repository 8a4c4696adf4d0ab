// What an event is about, and what is kept of it.

/** An event without its texts. @param {SensorEvent} event */
export function withoutTexts(event) {
  const { head: _head, tail: _tail, text: _text, ...rest } = /** @type {any} */ (event);
  return /** @type {SensorEvent} */ (rest);
}

/** Whether an event reports something that just happened, rather than content that was already on the page. @param {SensorEvent} event */
export function isNews(event) {
  if (event.t === 'notice') return !event.old;
  if (event.t === 'kernel') return event.status === 'dead' || event.status === 'autorestarting';
  return (event.t === 'output' || event.t === 'cell') && event.run > 0;
}
