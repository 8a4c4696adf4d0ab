// Handlers for the data that the extension's own pages display.

import { drift } from './drift.js';
import { profiles, together } from './engine.js';
import { canNotify } from './notify.js';
import { engine, pages, settings, store, troubles, version } from './parts.js';
import { connect } from './sensor-requests.js';
import { muted } from './settings.js';
import { granted, withheld } from './sites.js';

/** @type {import('./requests.js').Handlers<import('./requests.js').ViewRequests>} */
export const VIEWS = {
  async status({ tab, origin }) {
    const site = String(origin);
    return {
      ...(await pages.status(Number(tab))),
      allowed: await granted(),
      together: await together(engine, site),
      withheld: await withheld(site),
      off: await settings.isOff(site),
    };
  },
  panel: ({ tab }) => pages.panel(Number(tab)),
  draft: ({ tab, page, wanted }) =>
    pages.draft({
      tab: Number(tab),
      page: String(page ?? ''),
      wanted: /** @type {{format?: string, source?: boolean, back?: number[]}} */ (wanted ?? {}),
    }),
  history: async () => ({ past: await store.past() }),
  async drift({ tab, words }) {
    const frames = (await pages.ofTab(Number(tab))).map(({ frame }) => frame);
    return { text: await drift(Number(tab), frames, profiles(await engine.ready()), String(words ?? '')) };
  },
  async triage({ text, name }) {
    const live = await engine.ready();
    try {
      return { diagnoses: JSON.parse(live.triage(String(text), String(name ?? ''))) };
    } catch (error) {
      // An engine that failed partway can't be trusted with the next page.
      engine.reset();
      throw error;
    }
  },
  async example({ text }) {
    const { css } = await connect();
    const { tree = null, markdown = '' } = await engine.examine(String(text), 'welcome.ipynb');
    return { tree, markdown, css };
  },
  async health() {
    return { version, browser: navigator.userAgent, usage: await pages.usage(), troubles: await troubles.all() };
  },
  async options() {
    return {
      allowed: await granted(),
      notify: await canNotify(() => store.get('notify')),
      usage: await pages.usage(),
      muted: await muted(store),
      set: await settings.all(),
    };
  },
};
