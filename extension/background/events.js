// What an event is about, and what is kept of it.

/** An event without its texts. @param {SensorEvent} event */
export function withoutTexts(event) {
  const { head: _head, tail: _tail, text: _text, ...rest } = /** @type {any} */ (event);
  return /** @type {SensorEvent} */ (rest);
}

/**
 * Whether an event holds what the engine found out: a replay starts with these, and would find them out again.
 * @param {SensorEvent} event @returns {event is Extract<SensorEvent, {t: 'judged' | 'answered'}>}
 */
export function isFound(event) {
  return event.t === 'judged' || event.t === 'answered';
}

/** Whether a stored event says that something failed. @param {{event: SensorEvent}} row */
export const isFailure = ({ event }) => event.t === 'judged' && event.found !== '';

/** Whether an event may report a failure, which the module that reads Python is needed for. @param {SensorEvent} event */
export function mayFail(event) {
  if (event.t === 'output')
    return event.kind === 'error' || [event.head, event.tail].some((text) => text?.includes('Traceback (most'));
  if (event.t === 'cell') return event.state === 'error';
  return (
    event.t === 'notice' || (event.t === 'kernel' && ['autorestarting', 'dead', 'restarting'].includes(event.status))
  );
}

/** Whether an event reports something that just happened, rather than content that was already on the page. @param {SensorEvent} event */
export function isNews(event) {
  if (event.t === 'notice') return !event.old;
  if (event.t === 'kernel') return event.status === 'dead' || event.status === 'autorestarting';
  return (event.t === 'output' || event.t === 'cell') && event.run > 0;
}
