// What the linter holds JavaScript to. Beside the usual mistakes: nothing leaves the machine, and no text becomes
// markup. The package's Content-Security-Policy and a capture of its traffic (tests/e2e) hold the same at run time;
// tests/js/lint.test.mjs shows that each forbidden thing is found.

import js from '@eslint/js';
import noUnsanitized from 'eslint-plugin-no-unsanitized';
import globals from 'globals';

/** Globals, and properties of anything, that reach the network. */
const NETWORK = [
  'XMLHttpRequest',
  'WebSocket',
  'WebTransport',
  'EventSource',
  'RTCPeerConnection',
  'sendBeacon',
  'importScripts',
  'Worker',
  'SharedWorker',
];
/** What makes markup of a text. */
const MARKUP = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTML',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'createContextualFragment',
  'DOMParser',
  'srcdoc',
  'write',
  'writeln',
];
/** What makes code of a text. */
const CODE = ['eval', 'Function', 'execScript'];
/** What makes a page load something. */
const LOADING = ['fetch', 'Image', 'Audio', 'src', 'srcset', 'action', 'background', 'backgroundImage', 'postMessage'];

const EVERYWHERE = [...NETWORK, ...MARKUP, ...CODE];
const IN_SENSOR = [...EVERYWHERE, ...LOADING];

/** The rules that forbid names: as a global, as a property of anything, and as a text that might become either. */
function forbid(names, syntax = []) {
  const message = 'Nothing leaves the machine, and no text becomes markup or code.';
  return {
    'no-restricted-globals': ['error', ...[...names, 'open'].map((name) => ({ name, message }))],
    'no-restricted-properties': [
      'error',
      ...names.map((property) => ({ property, message })),
      ...['window', 'globalThis', 'self', 'top', 'parent'].map((object) => ({ object, property: 'open', message })),
    ],
    'no-restricted-syntax': [
      'error',
      { selector: `Literal[value=/^(?:${names.join('|')})$/]`, message },
      { selector: `TemplateElement[value.raw=/^(?:${names.join('|')})$/]`, message },
      { selector: 'ImportExpression', message: 'import() loads code.' },
      ...syntax,
    ],
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-new-func': 'error',
    'no-script-url': 'error',
    'no-unsanitized/method': 'error',
    'no-unsanitized/property': 'error',
  };
}

/** Only modules whose path a pattern fits may be imported. */
const imports = (regex, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ regex: `^(?!(?:${regex})$)`, message }] }],
});

/** `fetch` of anything but a file of the package. */
const FOREIGN_FETCH = {
  selector:
    "CallExpression[callee.name='fetch']:not([arguments.0.callee.object.property.name='runtime'][arguments.0.callee.property.name='getURL']):not([arguments.0.type='NewExpression'][arguments.0.arguments.1.object.type='MetaProperty'])",
  message: 'Only files of the package are read.',
};
/** `fetch` under another name, or as a property. */
const FETCH_ALIAS = {
  selector:
    "Identifier[name='fetch']:not(CallExpression > .callee), Literal[value='fetch'], TemplateElement[value.raw='fetch']",
  message: 'Only files of the package are read.',
};

export default [
  { ignores: ['dist/', 'out/', 'target/', '.tools/', 'node_modules/', 'tests/fixtures/', 'tests/proof/'] },
  js.configs.recommended,
  {
    plugins: { 'no-unsanitized': noUnsanitized },
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      eqeqeq: 'error',
      'no-empty': ['error', { allowEmptyCatch: true }],
      // Texts of terminals and of hostile pages are written down with their control characters.
      'no-control-regex': 'off',
    },
  },
  {
    files: ['extension/**/*.js'],
    languageOptions: { globals: { ...globals.browser, ...globals.webextensions } },
    rules: forbid(EVERYWHERE, [FOREIGN_FETCH, FETCH_ALIAS]),
  },
  {
    files: ['extension/background.js', 'extension/background/**/*.js'],
    rules: imports(
      '(?!.*sensor/)\\.{1,2}/[\\w./-]+\\.js',
      'The background imports modules of the extension, and none of the sensor.',
    ),
  },
  {
    files: ['extension/sensor/**/*.js', 'extension/protocol.js', 'extension/slot.js'],
    rules: {
      ...forbid(IN_SENSOR),
      ...imports(
        '\\./[\\w-]+\\.js|\\.\\./(?:protocol|slot)\\.js',
        'The sensor imports modules of the sensor, and the protocol.',
      ),
    },
  },
  {
    files: ['extension/*.mjs', 'tools/**', 'tests/**/*.mjs', 'benches/**', '*.mjs'],
    languageOptions: { globals: { ...globals.node, ...globals.browser, ...globals.webextensions } },
  },
  {
    files: ['www/**', 'tests/replicas/**/*.js'],
    languageOptions: { globals: { ...globals.browser, ...globals.serviceworker } },
  },
];
