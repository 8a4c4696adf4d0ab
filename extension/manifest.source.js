// The manifests of both browsers. build-manifests.mjs fills in the version and writes one file for each browser.

import { COLAB, FRAMES, FRAME_SENSOR, PAGE_SENSOR } from './background/sites.js';

const PERMISSIONS = [
  // Runs the sensor on sites that the user allowed, including tabs that are already open.
  'scripting',
  // Gives the popup the URL of the tab it was opened on, so that it can request access to that site.
  'activeTab',
];

/** A shortcut; the person can change its keys in the browser. @param {string} keys @param {string} description */
const shortcut = (keys, description) => ({ suggested_key: { default: keys }, description });

/** Shortcuts that both browsers pass to the background. */
const COMMANDS = {
  next: shortcut('Alt+Shift+N', '__MSG_commandNext__'),
  'copy-fix': shortcut('Alt+Shift+C', '__MSG_commandCopy__'),
};
const PANEL = shortcut('Alt+Shift+P', '__MSG_commandPanel__');

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

  // Only Colab and its output frames are accessible without asking.
  content_scripts: [
    { matches: [COLAB], js: PAGE_SENSOR, run_at: 'document_idle' },
    // Runs before the frame's own scripts, so that they can't read the page sensor's messages.
    { matches: [FRAMES], js: FRAME_SENSOR, run_at: 'document_start', all_frames: true },
  ],
  host_permissions: [COLAB, FRAMES],

  permissions: PERMISSIONS,

  // A Jupyter server may have any address. The popup requests access to one site at a time.
  optional_host_permissions: ['http://*/*', 'https://*/*'],

  // Requested when the user switches notifications on.
  optional_permissions: ['notifications'],
  options_ui: { page: 'options.html', open_in_tab: true },

  content_security_policy: {
    extension_pages: [
      "default-src 'none'",
      // The engine is WebAssembly from this package.
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

/** Required by addons.mozilla.org and web-ext in every manifest; Chrome ignores it. */
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
    // Opens the session panel next to the page. Firefox's sidebar needs no permission.
    'sidePanel',
  ],
  commands: { ...COMMANDS, panel: PANEL },
  // Shows the session's curves and events next to the page.
  side_panel: { default_path: 'panel.html' },
  // Chrome has supported `light-dark()` since this version. Since 121 it accepts, and ignores, `scripts` next to the worker.
  minimum_chrome_version: '123',
  background: { service_worker: 'background.js', scripts: ['background.js'], type: 'module' },
  browser_specific_settings,
};

export const firefox = {
  // Firefox opens the sidebar itself.
  commands: { ...COMMANDS, _execute_sidebar_action: PANEL },
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
