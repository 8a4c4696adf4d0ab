// The record that the background stores of its pages, as an event log, and its native replay.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { cards } from './cards.mjs';
import { ROOT } from './packages.mjs';
import { until } from './wait.mjs';

/** Reads a database from where it can be opened: every stored event, and what is muted. */
const read = (open) =>
  new Promise((resolve, reject) => {
    const request = open();
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const db = request.result;
      const work = db.transaction(['events', 'settings']);
      const all = work.objectStore('events').getAll();
      const muted = work.objectStore('settings').get('muted');
      work.onabort = () => reject(work.error);
      work.oncomplete = () => {
        db.close();
        resolve(JSON.stringify({ rows: all.result, muted: muted.result ?? [] }));
      };
    };
  });

/** What the background has stored: `rows` with `page`, `seq`, `order`, `at` and `event`, and what is `muted`. */
export async function stored(session) {
  let text;
  if (session.kind === 'chrome' && session.attached) {
    text = await session.inBackground(`() => (${read})(() => indexedDB.open('nbmedic'))`);
  } else if (session.kind === 'chrome') {
    const page = await session.newPage();
    await page.goto(`chrome-extension://${await session.extensionId()}/popup.html`);
    text = await page.evaluate(`(${read})(() => indexedDB.open('nbmedic'))`);
    await page.close();
  } else {
    text = await session.marionette.chrome(
      `
      const { extension } = WebExtensionPolicy.getByID(arguments[0]);
      return (${read})(() => window.indexedDB.openForPrincipal(extension.principal, 'nbmedic'));`,
      [session.id],
    );
  }
  return JSON.parse(text);
}

/** The stored record as an event log: one line per batch, with the muted diagnoses before each page, as in the background. */
async function log(session) {
  const { rows, muted } = await stored(session);
  const lines = [];
  for (const { page: id, seq, at, event } of rows.sort((a, b) => a.page.localeCompare(b.page) || a.order - b.order)) {
    const last = lines.at(-1);
    if (last?.page !== id && muted.length)
      lines.push({ at, page: id, seq: 0, events: muted.map((one) => ({ t: 'act', do: 'mute', id: one })) });
    if (last?.page === id && last.seq === seq) last.events.push(event);
    else lines.push({ at, page: id, seq, events: [event] });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The command line: NBMEDIC_CLI names it, or it is built once for a test file. */
let program = process.env.NBMEDIC_CLI ?? null;

function nbmedic(...args) {
  if (!program) {
    const told = execFileSync(
      'cargo',
      ['build', '--quiet', '--locked', '-p', 'nbmedic-cli', '--bin', 'nbmedic', '--message-format', 'json'],
      { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20 },
    );
    program = told
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .findLast(({ executable }) => executable).executable;
  }
  try {
    return execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  } catch (error) {
    // 1: there are cards.
    if (error.status !== 1) throw error;
    return error.stdout;
  }
}

/** The cards at the end of a native replay of the record: id and headline. Keeps the log in `out/e2e`. */
async function replayed(session, file) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await log(session));
  const said = nbmedic('replay', file)
    .split('\n')
    .filter((line) => line && line !== 'no card');
  // The text before the id is the cell's display name.
  return said.map((line) => /(\S+ {2}.*)$/.exec(line)[1]);
}

/** The cards on every open page, including frames: id and headline. */
async function shown(session) {
  const all = [];
  for (const page of await session.browser.pages()) {
    for (const frame of page.frames()) {
      // A frame that is unloading, or one of the browser's own.
      const found = await cards(frame).catch(() => []);
      all.push(...found.map(({ id, title }) => `${id}  ${title}`));
    }
  }
  return all;
}

let sessions = 0;

/** Checks that a native replay of a session's record gives the cards that its pages show. */
export async function replaysTheSame(session) {
  const name = `${path.basename(process.argv[1] ?? 'session', '.test.mjs')}-${session.kind}-${++sessions}`;
  const file = path.join(ROOT, 'out/e2e', `${name}.jsonl`);
  let said;
  await until(
    `the stored record of ${name} gives the cards that show`,
    async () => {
      said = [(await shown(session)).sort(), (await replayed(session, file)).sort()];
      return JSON.stringify(said[0]) === JSON.stringify(said[1]);
    },
    { timeout: 15_000, every: 300, detail: () => ({ shown: said?.[0], replayed: said?.[1] }) },
  );
  return said[0].length;
}
