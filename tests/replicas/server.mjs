// Serves the replicas at the real pages' own addresses, through a CONNECT proxy in front of a local TLS server.
// Records every host that a browser requests, and refuses connections to hosts that are not ours.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { selfSigned } from './certificate.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const FONTS = path.resolve(HERE, '../../node_modules/@fontsource');
export const COLAB = 'colab.research.google.com';
/** Output frames have hosts of their own, which begin with a random word. */
export const isFrameHost = (host) => /^[a-z0-9]+-496ff2e9c6d22116-0-colab\.googleusercontent\.com$/.test(host);
/** Kaggle's editor: a page, and a frame with the cells, whose address contains a token. */
export const KAGGLE = 'www.kaggle.com';
export const KAGGLE_FRAME = 'kkb-production.jupyter-proxy.kaggle.net';
export const KAGGLE_URL = `https://${KAGGLE}/code/ada/segment-tiles/edit`;
export const KAGGLE_TOKEN = 'eyJhbGciOiJub25lIn0.nbmedicReplicaToken';
const HOSTS = [COLAB, KAGGLE, KAGGLE_FRAME];
export const NOTEBOOK_URL = `https://${COLAB}/drive/1nbmedicReplica0000000000000000`;

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};
const FONT_FILES = {
  'sans-400.woff2': 'roboto/files/roboto-latin-400-normal.woff2',
  'sans-500.woff2': 'roboto/files/roboto-latin-500-normal.woff2',
  'mono-400.woff2': 'roboto-mono/files/roboto-mono-latin-400-normal.woff2',
};

// The policy of the real page, plus Trusted Types, which is stricter than what is known about it.
const policy = (nonce) =>
  `script-src 'nonce-${nonce}' 'strict-dynamic' 'report-sample' https: http: 'unsafe-inline' https://www.google.com/js/bg/ https://www.gstatic.com/recaptcha/; object-src 'none'; base-uri 'self'; require-trusted-types-for 'script'`;

async function answer(request, response) {
  const { host } = request.headers;
  const { pathname } = new URL(request.url, `https://${host}`);
  const send = (status, body, headers = {}) => {
    response.writeHead(status, { 'cache-control': 'no-store', ...headers });
    response.end(body);
  };
  /** A page's scripts, styles and fonts are kept by the browser for the next page, as those of the real page are. */
  const sendFile = async (file) => {
    const kind = path.extname(file);
    const kept = kind === '.html' ? {} : { 'cache-control': 'max-age=600' };
    return send(200, await readFile(file), { 'content-type': TYPES[kind], ...kept });
  };
  try {
    if (isFrameHost(host)) {
      // The same page under another path, where nbmedic must not act.
      const name = pathname === '/other.html' ? 'outputframe.html' : path.basename(pathname);
      const file = path.join(HERE, /^(outputframe|frame)\./.test(name) ? 'outputframe' : 'colab', name);
      return await sendFile(file);
    }
    if (host === KAGGLE || host === KAGGLE_FRAME) {
      if (pathname.startsWith('/replica/')) {
        const file = path.join(
          HERE,
          /^\/replica\/(page|frame|kaggle)\./.test(pathname) ? 'kaggle' : 'colab',
          path.basename(pathname),
        );
        return await sendFile(file);
      }
      const name = host === KAGGLE ? 'page' : 'frame';
      const html = (await readFile(path.join(HERE, `kaggle/${name}.html`), 'utf8')).replaceAll(
        '__FRAME__',
        `https://${KAGGLE_FRAME}/k/81230417/${KAGGLE_TOKEN}/proxy/lab/tree/__notebook_source__.ipynb`,
      );
      return send(200, html, { 'content-type': TYPES['.html'] });
    }
    if (host !== COLAB) return send(404, 'no such page');
    if (pathname.startsWith('/replica/fonts/')) {
      const file = FONT_FILES[path.basename(pathname)];
      return await sendFile(path.join(FONTS, file));
    }
    if (pathname.startsWith('/replica/')) {
      const file = path.basename(pathname);
      return await sendFile(path.join(HERE, 'colab', file));
    }
    const nonce = randomBytes(16).toString('base64');
    const html = (await readFile(path.join(HERE, 'colab/index.html'), 'utf8')).replaceAll('__NONCE__', nonce);
    // A page with no-store is not kept in the back/forward cache either.
    const kept = request.url.includes('back=yes') ? { 'cache-control': 'no-cache' } : {};
    return send(200, html, { 'content-type': TYPES['.html'], 'content-security-policy': policy(nonce), ...kept });
  } catch {
    return send(404, 'no such file');
  }
}

/**
 * Starts the proxy. `through` names hosts (with port) to forward, such as a local notebook server; `names` are further
 * hosts, each with the port of this machine that answers for it over plain http.
 * Returns `{ port, asked, requests, cut, mend, close }`: `cut` closes the connections to a forwarded host and rejects
 * new ones until `mend`; `asked` has every requested host:port, `requests` every request that reached the replica.
 */
export async function startProxy({ through = [], names = {} } = {}) {
  const asked = [];
  const requests = [];
  const sockets = new Set();
  const tunnels = new Map();
  const down = new Set();
  const tls = https.createServer(selfSigned([...HOSTS, '*.googleusercontent.com']), (request, response) => {
    requests.push({
      host: request.headers.host,
      path: request.url,
      method: request.method,
      origin: request.headers.origin ?? '',
      initiator: request.headers['sec-fetch-dest'] ?? '',
    });
    answer(request, response);
  });
  const proxy = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://unknown');
    asked.push(url.host);
    const port = names[url.host];
    if (down.has(url.host)) {
      request.socket.destroy();
      return;
    }
    if (!port && !through.includes(url.host)) {
      response.writeHead(502).end();
      return;
    }
    const onward = http.request(
      port ? new URL(url.pathname + url.search, `http://127.0.0.1:${port}`) : url,
      { method: request.method, headers: request.headers },
      (reply) => {
        response.writeHead(reply.statusCode, reply.headers);
        reply.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  proxy.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      tunnels.delete(socket);
    });
    socket.on('error', () => {});
  });
  proxy.on('connect', (request, socket, head) => {
    asked.push(request.url);
    const [host, port] = request.url.split(':');
    if (through.includes(request.url)) {
      if (down.has(request.url)) {
        socket.destroy();
        return;
      }
      tunnels.set(socket, request.url);
      const onward = net.connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        onward.pipe(socket);
        socket.pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      return;
    }
    if (!HOSTS.includes(host) && !isFrameHost(host)) {
      socket.end('HTTP/1.1 502 Not here\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    if (head.length) socket.unshift(head);
    tls.emit('connection', socket);
  });
  await new Promise((done) => {
    proxy.listen(0, '127.0.0.1', done);
  });
  return {
    port: proxy.address().port,
    asked,
    requests,
    cut(host) {
      down.add(host);
      for (const [socket, to] of tunnels) if (to === host) socket.destroy();
    },
    mend(host) {
      down.delete(host);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
