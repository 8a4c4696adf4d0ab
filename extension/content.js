// The sensor: watches a notebook page as its front end's profile says, sends what changed to the
// background, and shows the cards that come back. It knows no front end and decides nothing.
'use strict';

/* global NbmedicAround, NbmedicCheck, NbmedicCard, NbmedicLink, NbmedicWatch */
(() => {
  const TAKEOVER = 'nbmedic-takeover';
  /** How soon after a change the search for a notebook looks again; less often while it finds none. Milliseconds. */
  const SEARCH_MS = 250;
  const SLOWEST_SEARCH_MS = 500;
  /** A page that is now one thing, now another is read as one of them: so many changes of mind in so long. */
  const MAX_SWITCHES = 6;
  const SWITCHES_MS = 60000;

  // A sensor that is alive answers by cancelling the event; one whose extension is gone steps down.
  const root = document.documentElement;
  if (!root.dispatchEvent(new CustomEvent(TAKEOVER, { cancelable: true }))) return;
  // What is put into the page once more has others, which never listened.
  const cards = NbmedicCard;
  cards.clear();

  const link = new NbmedicLink();
  /** @type {InstanceType<typeof NbmedicWatch> | null} */
  let watch = null;
  /** The notebook is in a frame of this page. @type {InstanceType<typeof NbmedicAround> | null} */
  let around = null;
  /** @type {MutationObserver | null} */
  let search = null;
  let timer = 0;
  let wait = SEARCH_MS;
  let lookedAt = 0;
  /** @type {number[]} */
  let switches = [];

  root.addEventListener(TAKEOVER, takeover);
  link.onGone = stop;
  link.onResync = () => {
    const { profile } = watch ?? {};
    watch?.stop();
    watch = null;
    if (profile) start(profile);
  };
  chrome.runtime.onMessage.addListener(told);
  cards.listen();
  void link.connect().then(begin);

  /** @param {Event} event */
  function takeover(event) {
    if (link.alive()) event.preventDefault();
    else stop();
  }

  /** The background: a click on the popup, permission that was taken back, what the page around says. @param {any} message @param {unknown} _from @param {(answer: unknown) => void} answer */
  function told(message, _from, answer) {
    if (message?.nbmedic !== 1) return;
    if (message.kind === 'goto') watch?.stage.goTo(String(message.cell));
    else if (message.kind === 'again') link.again();
    else if (message.kind === 'stop') stop();
    else if (message.kind !== 'around') return;
    else if (around && !message.events) answer(around.all());
    else hear(message);
  }

  /** Takes what the sensor of the page around tells, for its own. @param {{around?: string[], events?: SensorEvent[]} | null} message */
  function hear(message) {
    if (!watch || !message?.around?.includes(watch.profile.id)) return;
    for (const event of message.events ?? []) link.push(event);
    void link.send();
  }

  /** Takes everything of this sensor out of the page. */
  function stop() {
    clearTimeout(timer);
    search?.disconnect();
    watch?.stop();
    watch = null;
    around?.stop();
    link.stop();
    cards.unlisten();
    cards.clear();
    root.removeEventListener(TAKEOVER, takeover);
    // Of an extension that is gone Chrome lets nothing be touched any more.
    if (globalThis.chrome?.runtime?.id) chrome.runtime.onMessage.removeListener(told);
  }

  function begin() {
    if (!link.alive() || look()) return;
    const changed = () => {
      if (timer) return;
      if (performance.now() - lookedAt > 2 * wait) wait = SEARCH_MS;
      timer = window.setTimeout(() => {
        timer = 0;
        lookedAt = performance.now();
        wait = Math.min(2 * wait, SLOWEST_SEARCH_MS);
        if (look()) search?.disconnect();
      }, wait);
    };
    search = new MutationObserver(changed);
    search.observe(root, { childList: true, subtree: true });
  }

  /** Starts with the first profile that fits the page. @returns {boolean} that nothing better can come */
  function look() {
    const profile = NbmedicCheck.choose(link.profiles);
    if (!profile) return false;
    if (profile !== (around ?? watch)?.profile) {
      const now = performance.now();
      switches = switches.filter((at) => now - at < SWITCHES_MS);
      if (switches.length >= MAX_SWITCHES) return false;
      if (watch) {
        switches.push(now);
        // Another profile fits now: what was sent is of no use to it.
        watch.stop();
        link.renew();
      }
      start(profile);
    }
    return !profile.fallback;
  }

  /** @param {Profile} profile */
  function start(profile) {
    around?.stop();
    around = profile.around ? new NbmedicAround(profile, link) : null;
    if (around) {
      watch = null;
      around.start();
      return;
    }
    watch = new NbmedicWatch(profile, link);
    watch.onLost = look;
    watch.start();
    if (window !== top) void link.ask({ kind: 'around' }).then(hear);
  }
})();
