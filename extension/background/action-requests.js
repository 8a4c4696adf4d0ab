// Handlers for the actions that the extension's own pages request.

import { applyPermissions, broadcast, reset, restartSensors } from './access.js';
import { together } from './engine.js';
import { insert, startCell } from './insert.js';
import { listenToClicks } from './notify.js';
import { engine, pages, send, settings, store } from './parts.js';
import { granted } from './sites.js';

const DONE = { done: true };

/** @type {import('./requests.js').Handlers<import('./requests.js').ActionRequests>} */
export const ACTIONS = {
  async insert({ tab }) {
    const frames = (await pages.ofTab(Number(tab))).map(({ frame }) => frame);
    return { done: await insert(Number(tab), frames, await startCell()) };
  },
  async act({ do: what, tab, id, name, cell }) {
    if (what === 'mute') {
      await pages.mute(Number(tab), String(id), String(name ?? ''));
      await broadcast('again');
    }
    if (what === 'goto') await send(Number(tab), { kind: 'goto', cell: String(cell) });
    return DONE;
  },
  async again({ tab }) {
    await pages.again(Number(tab));
    await send(Number(tab), { kind: 'again' });
    return DONE;
  },
  async unmute({ id }) {
    await pages.unmute(String(id));
    await broadcast('again');
    return DONE;
  },
  async set({ set }) {
    const { theme } = await settings.all();
    await settings.change(set);
    if ((await settings.all()).theme === theme) await broadcast('again');
    else await restartSensors();
    return DONE;
  },
  async turn({ origin, on }) {
    await settings.turn(await together(engine, String(origin)), on === true);
    await applyPermissions();
    return DONE;
  },
  async 'set-notify'({ on }) {
    await store.set('notify', on === true);
    listenToClicks();
    return DONE;
  },
  async 'allow-changed'() {
    await applyPermissions();
    return { allowed: await granted() };
  },
  async 'forget-history'() {
    await pages.forgetPast();
    return DONE;
  },
  async 'forget-all'() {
    for (const tab of await pages.forgetAll()) await send(tab, { kind: 'again' });
    return DONE;
  },
  async reset() {
    await reset();
    return DONE;
  },
};
