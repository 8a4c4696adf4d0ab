// The store used by the rest of the background: it keeps working when the disk is full or the database is damaged.

/** @typedef {import('./store.js').Store} Store */

/** Errors of the database itself; any other error is a bug in nbmedic and no reason to discard the database. */
const BROKEN = new Set([
  'UnknownError',
  'InvalidStateError',
  'NotFoundError',
  'VersionError',
  'NotReadableError',
  'AbortError',
  'SecurityError',
  'OperationError',
]);

/** @param {unknown} error */
const name = (error) => (error instanceof Error || error instanceof DOMException ? error.name : '');

/** @param {unknown} error */
export const isFull = (error) => name(error) === 'QuotaExceededError';

/** How many times one background replaces a damaged database before it stops using the disk. */
const MAX_RENEWALS = 3;

/**
 * When the disk is full, the oldest pages are deleted; if that is not enough, the page is held in memory (`spare`). When
 * a deleted page's frame or this page's frame starts over, its page is also held in memory; otherwise two tabs would keep
 * evicting each other. A database that can't be read is replaced by an empty one; if that also fails, everything is held
 * in memory until the next start. The gap in batch numbers makes the sensor resend what was lost: see `place`.
 * @param {Store & {rebuild(fresh: boolean): Promise<void>}} disk @param {Store} spare
 * @param {(code: 'store-full' | 'store-renewed' | 'store-memory', error: unknown) => void} onTrouble
 * @returns {Store}
 */
export function resilientStore(disk, spare, onTrouble) {
  let dead = false;
  let renewals = 0;
  /** Frames whose page did not fit on the disk or was deleted to make room. @type {Set<string>} */
  const tight = new Set();
  /** Troubles that were reported and still apply. @type {Set<string>} */
  const reported = new Set();
  /** @type {Promise<void> | null} */
  let mending = null;
  let rebuilds = 0;

  /**
   * Reports a trouble once per occurrence, because the report is itself a write that may fail in the same way.
   * @param {'store-full' | 'store-renewed' | 'store-memory'} code @param {unknown} error
   */
  function report(code, error) {
    if (reported.has(code)) return;
    reported.add(code);
    onTrouble(code, error);
  }

  /** @param {boolean} fresh */
  function rebuild(fresh) {
    mending ??= disk.rebuild(fresh).finally(() => {
      mending = null;
      rebuilds += 1;
    });
    return mending;
  }

  /**
   * Reopens the database, first unchanged and then empty. If another task has rebuilt it since `seen`, the task is
   * retried on that database: two tasks that fail together must not discard each other's data.
   * @template T @param {() => Promise<T>} task @param {unknown} error @param {number} seen @returns {Promise<T>}
   */
  async function mend(task, error, seen) {
    for (const fresh of renewals < MAX_RENEWALS ? [false, true] : [false]) {
      const isOurs = rebuilds === seen;
      try {
        if (isOurs) await rebuild(fresh).finally(() => (seen = rebuilds));
        else seen = rebuilds;
        const result = await task();
        if (fresh && isOurs) {
          renewals += 1;
          report('store-renewed', error);
        }
        return result;
      } catch (again) {
        if (isFull(again)) throw again;
      }
    }
    dead = true;
    report('store-memory', error);
    throw error;
  }

  /** @template T @param {() => Promise<T>} task @returns {Promise<T>} */
  async function mended(task) {
    const seen = rebuilds;
    try {
      return await task();
    } catch (error) {
      if (!BROKEN.has(name(error))) throw error;
      return mend(task, error, seen);
    }
  }

  /** Runs a task on the disk, or `instead` if the disk fails. @template T @param {() => Promise<T>} task @param {() => Promise<T>} instead @returns {Promise<T>} */
  async function either(task, instead) {
    if (dead) return instead();
    try {
      return await mended(task);
    } catch (error) {
      if (!dead && !isFull(error)) throw error;
      if (!dead) report('store-full', error);
      return instead();
    }
  }

  /** @param {{tab: number, frame: number}} sender */
  const spot = ({ tab, frame }) => `${tab}/${frame}`;

  /** @param {string} page */
  const held = async (page) => (await spare.pages()).some((known) => known.page === page);

  return {
    async commit(...batch) {
      const [page, seq, , sender] = batch;
      const here = spot(sender);
      if (dead || (await held(page))) return spare.commit(...batch);
      if (seq === 1 && tight.has(here)) {
        report('store-full', null);
        return spare.commit(...batch);
      }
      const task = () => disk.commit(...batch);
      try {
        const outcome = await mended(task);
        reported.delete('store-full');
        return outcome;
      } catch (error) {
        if (!dead && !isFull(error)) throw error;
        if (!dead) {
          const others = (await disk.pages()).filter((known) => known.page !== page).sort((a, b) => a.at - b.at);
          for (const old of others) {
            try {
              await disk.forget(old.page);
              if (spot(old) !== here) tight.add(spot(old));
              return await task();
            } catch (again) {
              if (!isFull(again)) throw again;
            }
          }
          report('store-full', error);
          tight.add(here);
          await disk.forget(page).catch(() => {});
        }
        return spare.commit(...batch);
      }
    },
    async keep(page, events, at) {
      if (await held(page)) return spare.keep(page, events, at);
      return either(
        () => disk.keep(page, events, at),
        () => spare.keep(page, events, at),
      );
    },
    async load(page) {
      if (await held(page)) return spare.load(page);
      return either(
        () => disk.load(page),
        () => spare.load(page),
      );
    },
    async pages() {
      return [
        ...(await either(
          () => disk.pages(),
          async () => [],
        )),
        ...(await spare.pages()),
      ];
    },
    async trim(page, size) {
      if (await held(page)) return spare.trim(page, size);
      return either(
        () => disk.trim(page, size),
        async () => 0,
      );
    },
    async forget(page) {
      await spare.forget(page);
      await either(
        () => disk.forget(page),
        async () => {},
      );
    },
    async get(key) {
      return (
        (await spare.get(key)) ??
        either(
          () => disk.get(key),
          async () => undefined,
        )
      );
    },
    set(key, value) {
      return either(
        () => disk.set(key, value),
        () => spare.set(key, value),
      );
    },
    async clear() {
      tight.clear();
      await spare.clear();
      await either(
        () => disk.clear(),
        async () => {},
      );
    },
    remember(found, over, now) {
      return either(
        () => disk.remember(found, over, now),
        () => spare.remember(found, over, now),
      );
    },
    async past() {
      return [
        ...(await either(
          () => disk.past(),
          async () => [],
        )),
        ...(await spare.past()),
      ];
    },
    async forgetPast() {
      await spare.forgetPast();
      await either(
        () => disk.forgetPast(),
        async () => {},
      );
    },
  };
}
