// The engine's host and the module that reads Python: when it is loaded, and what happens without it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EngineHost } from '../../extension/background/engine.js';

/** A card, once there is a reader. */
const CARD = { t: 'card', card: 'k', nb: 'n', cell: 'c', rev: 1, severity: 'error', tree: { tag: 'p' } };

/** An engine that needs the reader for one card, and for its report. */
class Reading {
  #reader = null;
  #missed = false;
  lent = 0;
  pages = new Set();
  drop(page) {
    this.pages.delete(page);
  }
  lend(reader) {
    this.lent += 1;
    this.#reader = reader ?? 'gone';
  }
  missed() {
    const missed = this.#missed;
    this.#missed = false;
    return missed;
  }
  apply(page, events, now, more) {
    this.pages.add(page);
    if (more) return undefined;
    if (this.traps) throw new Error('trapped');
    if (!events.some(({ failed, kind }) => failed || kind === 'error') && !this.waits) return [];
    this.waits = !this.#reader;
    return this.waits ? [{ t: 'need', ids: [], python: true }] : [{ ...CARD, cures: this.#ask() }];
  }
  report() {
    this.#missed ||= !this.#reader;
    return `report with ${this.#ask()}`;
  }
  examine() {
    return JSON.stringify(this.#reader ? { json: this.#ask() } : { need: [], python: true });
  }
  #ask() {
    return this.#reader === 'gone' ? 'no cures' : (this.#reader?.('question') ?? 'nothing');
  }
}

function host(python = async () => () => 'cures') {
  const made = { engine: null, loaded: 0, reported: [] };
  made.host = new EngineHost(
    {
      async start() {
        made.engine = new Reading();
        return made.engine;
      },
      prose: async () => '{}',
      python() {
        made.loaded += 1;
        return python(made.loaded);
      },
    },
    (code, error) => error && made.reported.push(code),
  );
  return made;
}

const batch = (...events) => [{ events, at: 1 }];

test('the module that reads Python is loaded for the first failure that needs it, and once', async () => {
  const made = host();
  assert.deepEqual(await made.host.apply('p', batch({ t: 'cell' }), 1), []);
  assert.equal(made.loaded, 0);
  assert.deepEqual(await made.host.apply('p', batch({ failed: true }), 2), [{ ...CARD, cures: 'cures' }]);
  await made.host.apply('p', batch({ failed: true }), 3);
  assert.deepEqual([made.loaded, made.engine.lent], [1, 1]);
  // An engine that starts again gets the module that is there.
  made.host.reset();
  assert.equal((await made.host.apply('p', batch({ failed: true }), 4))[0].cures, 'cures');
  assert.deepEqual([made.loaded, made.engine.lent], [1, 1]);
});

test('a question is asked again if the module was needed for its answer', async () => {
  const made = host();
  assert.equal(await made.host.ask((live) => live.report()), 'report with cures');
  assert.equal(await made.host.ask((live) => live.report()), 'report with cures');
  assert.deepEqual([made.loaded, made.engine.lent], [1, 1]);
  assert.deepEqual(await host().host.examine('text', 'a.txt'), { json: 'cures' });
});

test('without the module cards have no cures, and the next engine tries again', async () => {
  const made = host(async (times) => {
    if (times === 1) throw new Error('no such file');
    return () => 'cures';
  });
  assert.equal((await made.host.apply('p', batch({ failed: true }), 1))[0].cures, 'no cures');
  assert.deepEqual(made.reported, ['failed']);
  made.host.reset();
  assert.equal((await made.host.apply('p', batch({ failed: true }), 2))[0].cures, 'cures');
});

test('what is foreseen is loaded while the engine starts', async () => {
  const made = host();
  made.host.foresee(['oops'], false);
  assert.equal(made.loaded, 0);
  made.host.foresee(['oops'], true);
  assert.equal(made.loaded, 1);
  await made.host.ready();
  assert.equal(made.engine.lent, 0, 'lent when it is needed');
  // A failure is reported by the call that needs the module.
  const broken = host(async () => {
    throw new Error('no such file');
  });
  broken.host.foresee(['oops'], true);
  await broken.host.ready();
  assert.deepEqual(broken.reported, []);
});

test('a rehearsal reads a failure once, and leaves nothing behind', async () => {
  const made = host();
  await made.host.rehearse();
  await made.host.rehearse();
  assert.deepEqual([made.loaded, made.engine.lent, made.engine.pages.size], [1, 1, 0]);
  assert.equal((await made.host.apply('p', batch({ failed: true }), 1))[0].cures, 'cures');
  assert.deepEqual([made.loaded, made.engine.lent], [1, 1]);
});

test('after a real failure there is no rehearsal', async () => {
  const made = host();
  await made.host.apply('p', batch({ failed: true }), 1);
  const { pages } = made.engine;
  pages.clear();
  made.engine.traps = true;
  await made.host.rehearse();
  assert.deepEqual([made.loaded, pages.size], [1, 0]);
  assert.equal(made.host.live, made.engine);
});

test('a rehearsal that fails harms nobody', async () => {
  const missing = host(async () => {
    throw new Error('no such file');
  });
  await missing.host.ready();
  await missing.host.rehearse();
  assert.equal(missing.host.live, missing.engine, 'the engine goes on');
  assert.deepEqual(missing.reported, []);
  const trapped = host();
  await trapped.host.ready();
  trapped.engine.traps = true;
  await trapped.host.rehearse();
  assert.equal(trapped.host.live, null, 'the next call starts another engine');
  assert.equal((await trapped.host.apply('p', batch({ failed: true }), 1))[0].cures, 'cures');
  assert.deepEqual(trapped.reported, []);
});
