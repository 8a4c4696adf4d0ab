// The rule reference inside the extension: the web site's pages without links to the rest of the site.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../extension/build-manifests.mjs';
import { html } from './html.mjs';
import { list, rule } from './site-rules.mjs';

// Browsers serve an extension's files, but no index of a folder.
const file = (id) => `${id}.html`;
const TO = { list: 'index.html', page: file, entry: file };

function page({ title, body }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="../icons/32.png">
<link rel="stylesheet" href="site.css">
<link rel="stylesheet" href="rules.css">
<script type="module" src="rules.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div class="bar-in">
<a class="brand" href="index.html"><img src="../icons/icon.svg" width="28" height="28" alt="">nbmedic</a>
<nav aria-label="Reference"><a href="index.html">Diagnoses</a></nav>
</div></header>
${body}
<footer class="base"><div class="base-in">
<p>nbmedic ${version()}, the notebook medic. This page is part of the extension.</p>
</div></footer>
</body>
</html>
`.text;
}

/** Writes the list, and one page per rule, to a folder. */
export function reference(rules, out) {
  mkdirSync(out, { recursive: true });
  for (const name of ['site.css', 'rules.css', 'rules.js']) cpSync(join('www', name), join(out, name));
  writeFileSync(join(out, 'index.html'), page(list(rules, TO)));
  for (const one of rules) writeFileSync(join(out, file(one.id)), page(rule(one, rules, TO)));
}
