// Runs axe-core on a page, in the browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks a page that a script can be run in directly. */
export const cleanPage = (page, what, options) =>
  clean(
    (task, ...args) => page.evaluate(task, ...args),
    async (code) => {
      if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(code);
    },
    what,
    options,
  );

/**
 * Fails if axe finds something, and says what and where, or if fewer than `least` of its rules apply. `script` runs a
 * function in the page; `within` selects the part of the page to check.
 */
export async function clean(script, evaluate, what, { within = null, least = 9 } = {}) {
  await evaluate(AXE);
  const { violations, passed } = await script(async (selector) => {
    // Colours in transition between themes must not be judged.
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})));
    const { violations: wrong, passes } = await window.axe.run(selector ? { include: [[selector]] } : document, {
      // Of every other result axe describes one node for each rule, instead of all.
      resultTypes: ['violations'],
    });
    return { violations: wrong, passed: passes.length };
  }, within);
  assert.ok(passed >= least, `${what}: ${passed} rules looked at something`);
  assert.deepEqual(
    violations.map(({ id, nodes }) => [
      id,
      ...nodes.slice(0, 3).map(({ target, failureSummary }) => `${JSON.stringify(target)} ${failureSummary}`),
    ]),
    [],
    what,
  );
}
