// The record that the background stores of a page, as an event log, and what a native replay of it shows.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ROOT } from './packages.mjs';

/** The stored events of every page, one line of an event log for each batch. For Chromium. */
async function stored(session) {
  const page = await session.newPage();
  await page.goto(`chrome-extension://${await session.extensionId()}/popup.html`);
  const rows = await page.evaluate(() => new Promise((resolve, reject) => {
    const request = indexedDB.open('nbmedic');
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const all = request.result.transaction('events').objectStore('events').getAll();
      all.onerror = () => reject(all.error);
      all.onsuccess = () => { request.result.close(); resolve(all.result); };
    };
  }));
  await page.close();
  const lines = [];
  for (const { page: id, seq, at, event } of rows.sort((a, b) => a.page.localeCompare(b.page) || a.order - b.order)) {
    const last = lines.at(-1);
    if (last?.page === id && last.seq === seq) last.events.push(event);
    else lines.push({ at, page: id, seq, events: [event] });
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/**
 * Keeps what is stored as an event log in `out/e2e`, replays it with the command line, and gives the cards that come
 * out: id and headline.
 */
export async function replayed(session, name) {
  const file = path.join(ROOT, 'out/e2e', `${name}.jsonl`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await stored(session));
  const args = ['run', '--quiet', '--locked', '-p', 'nbmedic-cli', '--bin', 'nbmedic', '--', 'replay', file];
  let said = '';
  try {
    said = execFileSync('cargo', args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  } catch (error) {
    // 1: there are cards.
    if (error.status !== 1) throw error;
    said = error.stdout;
  }
  return said.trim().split('\n').filter((line) => line && line !== 'no card');
}
