// The sensor: watches a notebook page as its front end's profile says, sends what changed to the
// background, and shows the cards that come back. It knows no front end and decides nothing.
'use strict';

/* global NbmedicCheck, NbmedicCard, NbmedicLink, NbmedicWatch */
(() => {
  const TAKEOVER = 'nbmedic-takeover';
  /** How long a page must be quiet before the search for a notebook looks again, in milliseconds. */
  const SEARCH_MS = 250;

  // A sensor that is alive answers by cancelling the event; one whose extension is gone steps down.
  const root = document.documentElement;
  if (!root.dispatchEvent(new CustomEvent(TAKEOVER, { cancelable: true }))) return;
  NbmedicCard.clear();

  const link = new NbmedicLink();
  /** @type {InstanceType<typeof NbmedicWatch> | null} */
  let watch = null;
  /** @type {MutationObserver | null} */
  let search = null;
  let timer = 0;

  root.addEventListener(TAKEOVER, takeover);
  link.onGone = stop;
  link.onResync = () => {
    const { profile } = watch ?? {};
    watch?.stop();
    watch = null;
    if (profile) start(profile);
  };
  chrome.runtime.onMessage.addListener(told);
  NbmedicCard.listen();
  void link.connect().then(begin);

  /** @param {Event} event */
  function takeover(event) {
    if (link.alive()) event.preventDefault();
    else stop();
  }

  /** A click on the popup. @param {any} message */
  function told(message) {
    if (message?.nbmedic === 1 && message.kind === 'goto') watch?.stage.goTo(String(message.cell));
  }

  /** Takes everything of this sensor out of the page. */
  function stop() {
    clearTimeout(timer);
    search?.disconnect();
    watch?.stop();
    watch = null;
    link.stop();
    chrome.runtime?.onMessage?.removeListener(told);
    NbmedicCard.unlisten();
    NbmedicCard.clear();
    root.removeEventListener(TAKEOVER, takeover);
  }

  function begin() {
    if (!link.alive() || look()) return;
    search = new MutationObserver(() => {
      timer ||= window.setTimeout(() => {
        timer = 0;
        if (look()) search?.disconnect();
      }, SEARCH_MS);
    });
    search.observe(root, { childList: true, subtree: true });
  }

  /** Starts with the first profile that fits the page. @returns {boolean} that nothing better can come */
  function look() {
    const profile = NbmedicCheck.choose(link.profiles);
    if (!profile) return false;
    if (profile !== watch?.profile) {
      if (watch) {
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
    watch = new NbmedicWatch(profile, link);
    watch.onLost = look;
    watch.start();
  }
})();
