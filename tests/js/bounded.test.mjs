// How often a page's cards may open pages of the extension: a page that presses their buttons must not flood the browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bounded } from '../../extension/background/bounded.js';

test('no span of time holds more than the bound, whenever they are asked for', () => {
  const may = bounded(8, 30_000);
  const granted = [];
  for (let now = 0; now < 200_000; now += 700) if (may(now)) granted.push(now);
  assert.ok(granted.length >= 48, String(granted.length));
  for (const [i, at] of granted.entries()) {
    const next = granted[i + 8];
    assert.ok(next === undefined || next - at >= 30_000, `${at} … ${next}`);
  }
});

test('a refused one does not put off the next', () => {
  const may = bounded(1, 1000);
  assert.deepEqual([may(0), may(999), may(1000)], [true, false, true]);
});
