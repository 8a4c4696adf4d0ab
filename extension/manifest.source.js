// The manifest of both browsers. build-manifests.mjs fills in the version and writes one file for each.

import { COLAB, FRAMES, FRAME_SENSOR, PAGE_SENSOR } from './background/sites.js';

const PERMISSIONS = [
  // Starts the sensor on addresses that the person allowed, and in tabs that are open already.
  'scripting',
  // Tells the popup the address of the tab it was opened on, so that it can ask to be allowed there.
  'activeTab',
];

/** @param {string} version */
export const common = (version) => ({
  manifest_version: 3,
  name: '__MSG_name__',
  description: '__MSG_description__',
  version,
  default_locale: 'en',
  icons: { 16: 'icons/16.png', 32: 'icons/32.png', 48: 'icons/48.png', 128: 'icons/128.png' },
  action: {
    default_title: '__MSG_name__',
    default_popup: 'popup.html',
    default_icon: { 16: 'icons/16.png', 32: 'icons/32.png' },
  },

  // Colab with its output frames, and nothing else, without asking.
  content_scripts: [
    { matches: [COLAB], js: PAGE_SENSOR, run_at: 'document_idle' },
    // Before any script of the frame: what the page's sensor says to it is for nobody else.
    { matches: [FRAMES], js: FRAME_SENSOR, run_at: 'document_start', all_frames: true },
  ],
  host_permissions: [COLAB, FRAMES],

  permissions: PERMISSIONS,

  // A Jupyter server may have any address. Each is asked for, one at a time, in the popup.
  optional_host_permissions: ['http://*/*', 'https://*/*'],

  // Asked for when the person switches notifications on.
  optional_permissions: ['notifications'],
  options_ui: { page: 'options.html', open_in_tab: true },

  content_security_policy: {
    extension_pages: [
      "default-src 'none'",
      // The engine is WebAssembly of this package.
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  },
});

/** What addons.mozilla.org and web-ext want in every manifest; Chrome passes over it. */
const browser_specific_settings = {
  gecko: {
    id: 'nbmedic@nbmedic.org',
    strict_min_version: '140.0',
    // Nothing leaves the browser.
    data_collection_permissions: { required: ['none'] },
  },
  gecko_android: { strict_min_version: '142.0' },
};

export const chrome = {
  permissions: [
    ...PERMISSIONS,
    // Opens the session's panel beside the page. Firefox's sidebar needs none.
    'sidePanel',
  ],
  // The session's curves and events, beside the page.
  side_panel: { default_path: 'panel.html' },
  // From this version on Chrome knows `light-dark()`; it has accepted `scripts` beside the worker since 121 (and does not use it).
  minimum_chrome_version: '123',
  background: { service_worker: 'background.js', scripts: ['background.js'], type: 'module' },
  browser_specific_settings,
};

export const firefox = {
  sidebar_action: {
    default_panel: 'panel.html',
    default_title: '__MSG_name__',
    default_icon: { 16: 'icons/16.png', 32: 'icons/32.png' },
    open_at_install: false,
  },
  // Firefox runs the background as a module script in an event page; it has no service worker.
  background: { scripts: ['background.js'], type: 'module' },
  browser_specific_settings,
};
