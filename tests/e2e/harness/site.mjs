// Serves the built web site with a plain server.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

import { ROOT } from './packages.mjs';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Serves `dist/www` under /nbmedic/, as on a site with other content too. */
export async function serveSite() {
  const root = path.join(process.env.NBMEDIC_DIST ?? path.join(ROOT, 'dist'), 'www');
  if (!existsSync(path.join(root, 'index.html'))) throw new Error(`${root} holds no site: run ./build.sh site first`);
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url, 'http://site');
    let file = path.join(root, decodeURIComponent(pathname).replace(/^\/nbmedic\//, '/'));
    if (file.endsWith('/')) file += 'index.html';
    if (!pathname.startsWith('/nbmedic/') || !file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain; charset=utf-8' });
    createReadStream(file).pipe(answer);
  });
  await new Promise((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    root,
    address: `http://127.0.0.1:${server.address().port}/nbmedic/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}
