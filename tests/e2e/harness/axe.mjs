// Runs axe-core on a page, in the browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails if axe finds something, and says what and where. `script` runs a function in the page; `within` selects the part of
 * the page to check.
 */
export async function clean(script, evaluate, what, within = null) {
  await evaluate(AXE);
  const { violations, passes } = await script(async (selector) => {
    // Colours in transition between themes must not be judged.
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})));
    return window.axe.run(selector ? { include: [[selector]] } : document, { resultTypes: ['violations', 'passes'] });
  }, within);
  assert.ok(passes.length > 8, `${what}: ${passes.length} rules looked at something`);
  assert.deepEqual(
    violations.map(({ id, nodes }) => [
      id,
      ...nodes.slice(0, 3).map(({ target, failureSummary }) => `${JSON.stringify(target)} ${failureSummary}`),
    ]),
    [],
    what,
  );
}
