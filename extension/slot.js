// The slot of an event, as src/protocol defines it.

import { SLOTS } from './protocol.js';

/**
 * The slot of an event with this tag and these fields. In the store and among events waiting to be sent, a later event
 * replaces an earlier one in the same slot.
 * @param {SensorEvent['t']} tag @param {object} event
 */
export function slotOf(tag, event) {
  // A sensor of another version may send tags unknown to this one.
  const { prefix, fields } = SLOTS[tag] ?? { prefix: String(tag), fields: [['id', 'nb']] };
  const values = /** @type {Record<string, unknown>} */ (event);
  return [
    prefix,
    ...fields.map(
      (names) => names.map((name) => values[name]).find((value) => value !== null && value !== undefined) ?? '',
    ),
  ].join(':');
}

/** The slot of an event. @param {SensorEvent} event */
export const slot = (event) => slotOf(event.t, event);
