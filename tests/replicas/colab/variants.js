// Variants of Colab's page, past and present: the differences between saved pages.
// `errors`: in every save a cell's error is in a frame; tests without a browser, which has no frames, take it inline.
const COMMON = {
  markup: '2026',
  theme: 'light',
  dialog: 'mwc',
  editor: 'default light',
  errors: 'framed',
  named: 'button',
};
const PLAIN = { ...COMMON, errors: 'inline' };

export const VARIANTS = {
  2024: { ...PLAIN, markup: '2024', named: 'bar' },
  2025: { ...COMMON, markup: '2025' },
  '2026-light': COMMON,
  '2026-dark': { ...COMMON, theme: 'dark', editor: 'default dark' },
  // Follows the system, whatever the editor's own theme.
  '2026-adaptive': { ...COMMON, theme: 'adaptive', editor: 'synthwave84' },
  // Dialogs are being moved from one component to the other.
  'md-dialog': { ...COMMON, dialog: 'md' },
};

const query = new URLSearchParams(globalThis.location?.search);

/** The variant that `?variant=` names; the query can change single traits. */
export const variant = { ...(VARIANTS[query.get('variant')] ?? PLAIN) };
for (const [trait, value] of query) if (trait in variant) variant[trait] = value;
