// The linter finds each thing that the extension must not do. A rule that no code breaks would prove nothing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const eslint = new ESLint({ cwd: fileURLToPath(new URL('../../', import.meta.url)) });

/** The offences of a script at a path of the repository, as `line: rule`, without unused names. */
async function offences(filePath, code) {
  const [{ messages }] = await eslint.lintText(code, { filePath });
  const passed = new Set(['no-unused-vars', 'no-undef', 'no-unused-expressions']);
  return messages.flatMap(({ line, ruleId }) => (passed.has(ruleId) ? [] : [`${line}: ${ruleId}`]));
}

/** What no script of the extension may do. */
const NOWHERE = [
  'new XMLHttpRequest()',
  'new window.XMLHttpRequest()',
  "new WebSocket('wss://x')",
  'new WebTransport(u)',
  'new EventSource(u)',
  'new RTCPeerConnection()',
  'navigator.sendBeacon(a, b)',
  'const { sendBeacon } = navigator',
  'importScripts(u)',
  'new Worker(u)',
  'new SharedWorker(u)',
  'el.innerHTML = x',
  "el['innerHTML'] = x",
  'el.outerHTML = x',
  'const { innerHTML } = el',
  'el.insertAdjacentHTML("beforeend", x)',
  'el.setHTMLUnsafe(x)',
  'Document.parseHTMLUnsafe(x)',
  'range.createContextualFragment(x)',
  'new DOMParser().parseFromString(x, t)',
  'frame.srcdoc = x',
  'document.write(x)',
  'document.writeln(x)',
  'eval(x)',
  'window.eval(x)',
  'new Function(x)()',
  'setTimeout("x()", 1)',
  "location.href = 'javascript:x()'",
  'import("https://x/y.js")',
  'window.open(u)',
  'open(u)',
  "const f = window['fetch']",
  'const f = window[`fetch`]',
  'const name = "XMLHttpRequest"',
  'fetch("https://x")',
  'fetch(u)',
  'globalThis.fetch(u)',
  'const f = fetch',
  'const { fetch: f } = window',
];
/** What the sensor may not do either: make a page load something, or reach its scripts. */
const NOT_IN_SENSOR = [
  "fetch(chrome.runtime.getURL('card.css'))",
  'new Image()',
  'new Audio(u)',
  'img.src = u',
  "img.setAttribute('src', u)",
  'img.srcset = u',
  'form.action = u',
  'el.style.backgroundImage = x',
  'window.postMessage(x)',
  "import { EngineHost } from '../background/engine.js'",
  "import x from 'somewhere'",
  "import 'https://x/y.js'",
];

for (const [path, all] of [
  ['extension/sensor/x.js', [...NOWHERE, ...NOT_IN_SENSOR]],
  ['extension/background/x.js', NOWHERE],
  ['extension/x.js', NOWHERE],
]) {
  test(`${path} may do none of ${all.length} things`, async () => {
    const passed = [];
    for (const code of all) {
      const found = await offences(path, `${code};\n`);
      if (!found.some((one) => one.startsWith('1: '))) passed.push(code);
    }
    assert.deepEqual(passed, []);
  });
}

test('the background reads files of the package and imports nothing from the sensor', async () => {
  const path = 'extension/background/x.js';
  assert.deepEqual(await offences(path, "fetch(chrome.runtime.getURL('card.css'));\n"), []);
  assert.deepEqual(await offences(path, "import { slot } from './store.js';\nslot();\n"), []);
  assert.deepEqual(await offences(path, "import { slot } from '../sensor/link.js';\nslot();\n"), [
    '1: no-restricted-imports',
  ]);
});

test('a comment is not an offence, and neither is an import within the sensor', async () => {
  const path = 'extension/sensor/x.js';
  assert.deepEqual(await offences(path, '// fetch, innerHTML\n/* eval */\nexport const a = 1;\n'), []);
  assert.deepEqual(await offences(path, "import { find } from './dom.js';\nfind();\n"), []);
});
