// Instruments a copy of the package: records what a sleeping background did when, and when its sensor got the answer.
// Makes an extension that does nothing else, too: what the browser itself takes to wake one.
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { manifest } from './packages.mjs';
import { until } from './wait.mjs';

// Runs before the background's own modules. Times are those of the background's performance.now().
const EAR = `const at = () => performance.now();
const waking = { began: performance.timeOrigin, ear: at(), modules: 0, message: 0, wasm: [], engine: [], opened: 0 };
globalThis.waking = waking;
const timed = (list, name, call) => (...args) => {
  const from = at();
  const result = call(...args);
  const end = () => list.push({ name, from, to: at() });
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
};
/** An instance whose calls of the engine are timed. */
const heard = ({ instance, module }) => {
  const exports = { ...instance.exports };
  for (const name of Object.keys(exports)) if (name.startsWith('engine_')) exports[name] = timed(waking.engine, name, exports[name]);
  return { instance: { exports }, module };
};
const { compile, compileStreaming, instantiate, instantiateStreaming } = WebAssembly;
WebAssembly.compile = timed(waking.wasm, 'compile', (code) => compile(code));
WebAssembly.compileStreaming = timed(waking.wasm, 'compile', (code) => compileStreaming(code));
WebAssembly.instantiate = timed(waking.wasm, 'instantiate', async (code, imports) => {
  const made = await instantiate(code, imports);
  return heard(made instanceof WebAssembly.Instance ? { instance: made, module: code } : made);
});
WebAssembly.instantiateStreaming = timed(waking.wasm, 'instantiate', async (code, imports) => heard(await instantiateStreaming(code, imports)));
const open = indexedDB.open.bind(indexedDB);
IDBFactory.prototype.open = function (...args) {
  const request = open(...args);
  request.addEventListener('success', () => { waking.opened ||= at(); });
  return request;
};
chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  if (message?.nbmedic === 1 && message.kind === 'events') waking.message ||= at();
  if (message?.waking) reply(waking);
  return false;
});
`;

const BACKGROUND = `import './waking-ear.js';
import './background.js';
globalThis.waking.modules = performance.now();
`;

const EMPTY_BACKGROUND = `chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  if (message?.kind !== 'events') return false;
  const request = indexedDB.open('empty', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('rows');
  request.onsuccess = () => reply({ ack: message.seq });
  return true;
});
chrome.runtime.onInstalled.addListener(() => chrome.tabs.create({ url: 'welcome.html' }));
`;

const EMPTY_SENSOR = `document.documentElement.addEventListener('empty-change', () => {
  void chrome.runtime.sendMessage({ nbmedic: 1, kind: 'events', seq: 1 });
});
`;

// Runs in the sensor's world, before the sensor: times the first batch since the test asked, and gets the background's times.
const SENSOR = `if (!globalThis.wakingEar) {
  globalThis.wakingEar = true;
  const root = document.documentElement;
  const now = () => performance.timeOrigin + performance.now();
  const send = chrome.runtime.sendMessage;
  let batch = null;
  chrome.runtime.sendMessage = async (message) => {
    const first = message.kind === 'events' && !batch;
    if (first) batch = { sent: now() };
    const reply = await send.call(chrome.runtime, message);
    if (first && reply?.ack !== message.seq) batch = null;
    if (first && batch) batch.answered = now();
    return reply;
  };
  root.addEventListener('waking-begin', () => { batch = null; delete root.dataset.waking; });
  root.addEventListener('waking-end', async () => {
    const done = batch;
    if (!done?.answered) return;
    const background = await send.call(chrome.runtime, { waking: true });
    // The test asks several times; a late answer is not about the next wake.
    if (batch === done) root.dataset.waking = JSON.stringify({ ...done, background });
  });
}
`;

/** Instruments an unpacked package. */
export async function addEar(dir) {
  await manifest(dir, (made) => {
    if (made.background.service_worker) made.background.service_worker = 'waking-background.js';
    made.background.scripts = ['waking-background.js'];
    made.content_scripts[0].js.unshift('waking-sensor.js');
  });
  await writeFile(path.join(dir, 'waking-ear.js'), EAR);
  await writeFile(path.join(dir, 'waking-background.js'), BACKGROUND);
  await writeFile(path.join(dir, 'waking-sensor.js'), SENSOR);
}

/**
 * Turns an unpacked package into an instrumented extension whose background opens a database and answers, and whose
 * sensor sends a message at each `sendEmpty`.
 */
export async function emptied(dir) {
  await manifest(dir, (made) => {
    const { manifest_version, version, background, browser_specific_settings } = made;
    const { matches, run_at } = made.content_scripts[0];
    for (const key of Object.keys(made)) delete made[key];
    Object.assign(made, { manifest_version, name: 'empty', version, background, browser_specific_settings });
    made.content_scripts = [{ matches, js: ['sensor.js'], run_at }];
  });
  for (const name of await readdir(dir))
    if (name !== 'manifest.json') await rm(path.join(dir, name), { recursive: true });
  await writeFile(path.join(dir, 'background.js'), EMPTY_BACKGROUND);
  await writeFile(path.join(dir, 'sensor.js'), EMPTY_SENSOR);
  await writeFile(path.join(dir, 'welcome.html'), '<!doctype html><title>empty</title>');
  await addEar(dir);
}

/** Makes the sensor of the empty extension send a message. */
export const sendEmpty = (page) =>
  page.evaluate(() => void document.documentElement.dispatchEvent(new Event('empty-change')));

/**
 * Measures one wake: `change` makes the page send something to a sleeping background. Returns milliseconds: the `whole`
 * time from the sensor's message to its answer, and its parts (fewer without WebAssembly); null if the background was awake.
 */
export async function wake(page, change) {
  await page.evaluate(() => document.documentElement.dispatchEvent(new Event('waking-begin')));
  await change();
  const { sent, answered, background } = JSON.parse(
    await until('the answer', () =>
      page.evaluate(() => {
        const root = document.documentElement;
        root.dispatchEvent(new Event('waking-end'));
        return root.dataset.waking;
      }),
    ),
  );
  const { began, ear, modules, message, opened } = background;
  // What follows the answer is not waited for.
  const [wasm, engine] = [background.wasm, background.engine].map((list) =>
    list.filter(({ to }) => began + to <= answered),
  );
  const sum = (list) => list.reduce((all, { from, to }) => all + to - from, 0);
  const of = (name) => engine.filter((call) => call.name === name);
  const calls = engine.filter((call) => call.name !== 'engine_new');
  // Something else had woken the background.
  if (began + ear < sent) return null;
  if (!wasm.length) return { whole: answered - sent, start: began + ear - sent, opened: opened - ear };
  const ready = of('engine_new').at(-1)?.to ?? Math.max(...wasm.map(({ to }) => to));
  return {
    whole: answered - sent,
    /** Until the browser has started the background's first script. */
    start: began + ear - sent,
    /** From the first script until the other modules have run, and until the message has arrived. */
    modules: modules - ear,
    message: message - ear,
    /** Compiling and instantiating WebAssembly; the parts that follow may overlap with this. */
    wasm: Math.max(...wasm.map(({ to }) => to)) - Math.min(...wasm.map(({ from }) => from)),
    engine: sum(of('engine_new')),
    /** From the first script until the database is open. */
    opened: opened - ear,
    /** From the first script until the engine is ready. */
    ready: ready - ear,
    /** The engine's calls: redacting the first event, and replaying the record with that event. */
    replay: sum(calls),
    /** From the engine being ready to the answer, without the engine's calls: storing, loading, prose, and the way back. */
    rest: answered - (began + ready) - sum(calls),
  };
}
