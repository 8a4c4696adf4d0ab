// Runs the built engine in a page of a real, headless Chromium.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { startChrome } from '../tests/e2e/harness/chrome.mjs';

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** @param {string} engine the folder of the built module  @param {string} texts the folder of the texts */
export async function openBrowser(engine, texts) {
  const server = createServer(({ url }, answer) => {
    const [, room, name] = url.split('/');
    if (!name)
      return void answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>bench</title>');
    answer.writeHead(200, { 'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream' });
    createReadStream(path.join(room === 'engine' ? engine : texts, path.basename(name)))
      .on('error', () => answer.destroy())
      .pipe(answer);
  });
  await new Promise((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const chrome = await startChrome();
  const page = await chrome.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async () => {
    const module = await import('/engine/nbmedic.js');
    await module.default({ module_or_path: '/engine/nbmedic_bg.wasm' });
    window.engine = new module.Engine();
  });
  return {
    version: await chrome.browser.version(),
    /** Like `judge` in engine.rs: each run's seconds, and the ids that were found. The texts are strings, as in a page. */
    judge: (file, runs, piece) =>
      page.evaluate(
        async (name, times, size) => {
          const bytes = new Uint8Array(await (await fetch(`/text/${name}`)).arrayBuffer());
          const decoder = new TextDecoder();
          const pieces = [];
          for (let at = 0; at < bytes.length;) {
            let end = size ? Math.min(at + size, bytes.length) : bytes.length;
            if (end < bytes.length) end = bytes.lastIndexOf(10, end - 1) + 1;
            pieces.push(decoder.decode(bytes.subarray(at, end)));
            at = end;
          }
          const seconds = [];
          const found = new Set();
          for (let run = 0; run < times; run++) {
            const start = performance.now();
            for (const text of pieces)
              for (const { id } of JSON.parse(window.engine.triage(text, 'text'))) found.add(id);
            seconds.push((performance.now() - start) / 1000);
          }
          return { bytes: bytes.length, pieces: pieces.length, found: [...found], seconds };
        },
        file,
        runs,
        piece,
      ),
    async close() {
      await chrome.close();
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
    },
  };
}
