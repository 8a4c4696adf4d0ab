// The list's filter, and buttons that copy code. The pages are complete without this script. The extension contains them
// too; there the user may have chosen a theme.

/** How long a button shows that it copied, in milliseconds. */
const COPIED_MS = 2000;

const theme = globalThis.chrome?.runtime?.id ? localStorage.getItem('theme') : null;
if (theme) document.documentElement.dataset.theme = theme;

const find = /** @type {HTMLInputElement | null} */ (document.getElementById('find'));
if (find) {
  const status = document.getElementById('found');
  const families = [...document.querySelectorAll('.family')].map((family) => ({
    family: /** @type {HTMLElement} */ (family),
    rules: [...family.querySelectorAll('li')].map((rule) => ({
      rule,
      text: `${rule.textContent} ${rule.dataset.words ?? ''}`.toLowerCase(),
    })),
  }));
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const { family, rules } of families) {
      let here = 0;
      for (const { rule, text } of rules) {
        rule.hidden = !words.every((word) => text.includes(word));
        if (!rule.hidden) here += 1;
      }
      family.hidden = !here;
      left += here;
    }
    if (status)
      status.textContent = words.length
        ? left
          ? `${left} of ${status.dataset.all}`
          : 'None has these words. Try fewer, or paste the output into the playground.'
        : '';
    const address = new URL(location.href);
    if (find.value) address.searchParams.set('q', find.value);
    else address.searchParams.delete('q');
    history.replaceState(null, '', address);
  };
  find.value = new URL(location.href).searchParams.get('q') ?? '';
  find.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === find) return;
    event.preventDefault();
    find.focus();
  });
  const search = document.getElementById('search');
  if (search) search.hidden = false;
  if (find.value) filter();
}

const live = document.createElement('p');
live.className = 'unseen';
live.setAttribute('role', 'status');
document.querySelector('main')?.append(live);
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const text = block.querySelector('code')?.textContent ?? '';
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = done ? 'Copied' : 'Failed';
    live.textContent = done ? 'Copied' : 'Could not copy';
    setTimeout(() => {
      button.textContent = 'Copy';
      live.textContent = '';
    }, COPIED_MS);
  });
  block.append(button);
}
