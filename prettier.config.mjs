// How the project's JavaScript is laid out. Only JavaScript: everything else has its own formatter or none.
export default {
  printWidth: 120,
  singleQuote: true,
  // Pages written as templates keep their bytes.
  embeddedLanguageFormatting: 'off',
};
