// Variants of Colab's page, past and present: the differences between saved pages.
const COMMON = { markup: '2026', theme: 'light', dialog: 'mwc', editor: 'default light' };

export const VARIANTS = {
  2024: { ...COMMON, markup: '2024' },
  '2026-light': COMMON,
  '2026-dark': { ...COMMON, theme: 'dark', editor: 'default dark' },
  // Follows the system, whatever the editor's own theme.
  '2026-adaptive': { ...COMMON, theme: 'adaptive', editor: 'synthwave84' },
  // Dialogs are being moved from one component to the other.
  'md-dialog': { ...COMMON, dialog: 'md' },
};

const query = new URLSearchParams(globalThis.location?.search);

/** The variant that `?variant=` names; the query can change single traits. */
export const variant = { ...VARIANTS[query.get('variant') ?? '2026-light'] };
for (const [trait, value] of query) if (trait in variant) variant[trait] = value;
