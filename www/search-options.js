// How the docs and the diagnoses are indexed, and how the index is read again. The build and the search page share it.

/** @type {import('minisearch').Options} */
export const OPTIONS = {
  fields: ['title', 'place', 'text'],
  storeFields: ['title', 'place', 'address', 'text'],
  searchOptions: {
    boost: { title: 4, place: 2 },
    // Short words that are wrong or unfinished fit too many others.
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    prefix: (word) => word.length > 1,
    combineWith: 'AND',
  },
};
