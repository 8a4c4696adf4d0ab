// Reads what a page shows besides its cells: landmarks, notices and resource widgets.

import { MAX_NOTICE } from '../protocol.js';
import { landmarks } from './check.js';
import * as dom from './dom.js';
import { meters, notices } from './shape.js';

const MAX_VITALS = 2000;
/** Unchanged widget values are sent again after this time while a cell runs, in milliseconds. */
const HELD_MS = 30000;

export class Page {
  /** @param {Profile} profile @param {{push(event: SensorEvent): void}} link @param {(root: ShadowRoot) => void} observe */
  constructor(profile, link, observe) {
    this.profile = profile;
    this.link = link;
    this.observe = observe;
    /** @type {Map<Element, {id: string, text: string}>} */
    this.notices = new Map();
    this.last = 0;
    this.first = true;
    /** @type {Map<string, string>} */
    this.vitals = new Map();
    this.sentAt = 0;
    this.sent = '';
    /** Whether a landmark is missing. */
    this.misses = false;
  }

  /** Sends the page's profile and landmarks if the landmarks have changed. @param {string} theme */
  greet(theme) {
    const found = landmarks(this.profile);
    const sent = JSON.stringify(found);
    this.misses = Object.entries(found).some(([name, n]) => n < (this.profile.landmarks[name]?.min ?? 1));
    if (sent === this.sent) return;
    this.sent = sent;
    this.link.push({
      t: 'hello',
      profile: this.profile.id,
      origin: location.origin,
      found,
      theme: /** @type {Theme} */ (theme),
    });
  }

  /** @param {boolean} [runs] whether a cell runs: unchanged values are then sent again every `HELD_MS` */
  readVitals(runs = false) {
    const again = runs && performance.now() - this.sentAt > HELD_MS;
    const firsts = new Map();
    for (const { source, shape, text } of this.profile.vitals) {
      const now = shape ? meters(shape).slice(0, MAX_VITALS) : dom.value(document, text, MAX_VITALS, firsts);
      for (const shadow of dom.shadows(document, text, firsts)) this.observe(shadow);
      if (now === (this.vitals.get(source) ?? '') && !(again && now)) continue;
      this.vitals.set(source, now);
      this.sentAt = performance.now();
      this.link.push({ t: 'vitals', nb: null, text: now, source });
    }
  }

  readNotices() {
    /** @type {Set<Element>} */
    const open = new Set();
    for (const { kind, host, says, open: when, not, text: parts } of this.profile.notice) {
      for (const el of says ? notices(says, not) : dom.hosts(host ?? [])) {
        if (open.has(el) || (not && el.closest(not))) continue;
        for (const list of [when ?? [], ...parts]) for (const shadow of dom.shadows(el, list)) this.observe(shadow);
        if (when && !dom.find(el, when)) continue;
        const text = [...new Set(parts.map((part) => dom.value(el, part, MAX_NOTICE)).filter(Boolean))]
          .join('\n')
          .slice(0, MAX_NOTICE);
        if (!text) continue;
        open.add(el);
        const known = this.notices.get(el);
        if (known?.text === text) continue;
        // A text that grows or shrinks is the same notice; a different text is a new one.
        const same = known && (text.includes(known.text) || known.text.includes(text));
        if (known && !same) this.link.push({ t: 'notice-gone', id: known.id });
        const id = same ? known.id : `m${(this.last += 1)}`;
        this.notices.set(el, { id, text });
        this.link.push({ t: 'notice', nb: null, id, kind: /** @type {NoticeKind} */ (kind), text, old: this.first });
      }
    }
    this.first = false;
    for (const [el, { id }] of this.notices) {
      if (open.has(el)) continue;
      this.notices.delete(el);
      this.link.push({ t: 'notice-gone', id });
    }
  }
}
