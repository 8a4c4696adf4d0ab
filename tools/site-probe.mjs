// The page with the cells that start the probe.

import { html } from './html.mjs';

const VARIANTS = [
  [
    'native',
    'The start cell',
    'With the native probe for Linux on x86-64 in it, packed. Elsewhere a smaller sampler in Python, which it carries too, takes its place.',
  ],
  [
    'readable',
    'The same in readable Python',
    'Nothing packed: the standard library and ctypes only. It records and judges the same, and uses more of the processor.',
  ],
];

/** The page; `cells` maps a variant to the cell's text. */
export function probe(cells) {
  const variant = ([id, name, about]) =>
    cells[id]
      ? html`<section class="cell" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p>${about} ${(new TextEncoder().encode(cells[id]).length / 1000).toFixed(1)} kB.</p>
<div class="code"><pre tabindex="0"><code data-language="python">${cells[id]}</code></pre></div>
</section>\n`
      : '';
  return {
    title: 'The probe: nbmedic',
    about:
      "One cell starts a recorder beside the notebook's kernel. When the kernel dies it says how, and what memory and the GPU did just before.",
    body: html`<main class="rule" id="main">
<h1>The probe</h1>
<p class="lead">A page cannot see why a kernel dies. A small program beside the kernel can: it outlives it, reads how it ended, and has kept the figures of GPU, memory and disks up to the last moment, ten times a second.</p>
<ol>
<li>Copy the cell into the notebook and run it. Nothing is installed and nothing is sent anywhere.</li>
<li>While other cells run, one line under this one shows GPU and memory. What was seen is kept beside the notebook, in the folder <code>nbmedic-flight</code>, which git ignores.</li>
<li>After a crash, run the cell again: it says what happened and goes on recording. <code>nbmedic("remove")</code> ends it and deletes its files.</li>
</ol>
${VARIANTS.map(variant)}<section class="cell" aria-labelledby="line"><h2 id="line">One line, with the Python package</h2>
<p>Where the package <code>nbmedic</code> is installed, this line starts the same probe. It also shows a card below each cell that fails.</p>
<div class="code"><pre tabindex="0"><code data-language="python">%load_ext nbmedic</code></pre></div>
</section>
</main>`,
  };
}
