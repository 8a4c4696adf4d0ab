import assert from 'node:assert/strict';
import test from 'node:test';
import { offences } from './sensor-lint.mjs';

const bad = [
  'fetch("https://x")',
  'const f = window["fetch"]',
  'new XMLHttpRequest()',
  'navigator.sendBeacon(a, b)',
  'el.innerHTML = x',
  'el.insertAdjacentHTML("beforeend", x)',
  'eval(x)',
  'new Function(x)()',
  'import("https://x/y.js")',
  'document.write(x)',
  'new EventSource(u)',
  'new Image().src = u',
  'img.src = u',
  "new WebSocket('wss://x')",
  'window.open(u)',
];

for (const code of bad) {
  test(`the sensor may not: ${code}`, () =>
    assert.equal(offences('sensor/x.js', `ok();\n${code};\n`, 'sensor').length > 0, true));
}

test('a comment is no offence, a line number is given', () => {
  assert.deepEqual(offences('sensor/x.js', '// fetch, innerHTML\n/* eval */\nlet a = 1;', 'sensor'), []);
  assert.deepEqual(offences('sensor/x.js', '\n\neval(a)', 'sensor'), ['sensor/x.js:3: eval']);
});

test('the background reads files of the package and nothing else', () => {
  assert.deepEqual(offences('background.js', "fetch(chrome.runtime.getURL('card.css'))", 'background'), []);
  assert.equal(offences('background.js', "fetch('https://nbmedic.test/')", 'background').length, 1);
  assert.equal(offences('background.js', 'fetch(url)', 'background').length, 1);
});
