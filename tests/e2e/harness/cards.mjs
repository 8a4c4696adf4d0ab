// Reads the cards on a page. Their shadow roots are open.
import { until } from './wait.mjs';

const HOST = '[data-nbmedic-card]';

/**
 * The cards on the page, in page order: `id` and `variant` of the diagnosis, the cell (Colab's id, or the position in a
 * Jupyter notebook), headline, text, and whether the card is visible below the cell's outputs.
 */
export function cards(page) {
  return page.evaluate(
    (tag) =>
      [...document.querySelectorAll(tag)].flatMap((host) => {
        const section = host.shadowRoot?.querySelector('section[data-id]');
        if (!section) return [];
        const cell = host.closest('.cell, .jp-Cell');
        const colab = cell?.id.startsWith('cell-');
        const output = cell?.querySelector('.output, .jp-Cell-outputArea');
        const box = host.getBoundingClientRect();
        const above = output?.getBoundingClientRect();
        return [
          {
            id: section.dataset.id,
            variant: section.dataset.variant ?? null,
            cell: cell
              ? colab
                ? cell.id.replace('cell-', '')
                : [...cell.parentElement.querySelectorAll(':scope > .cell, :scope > .jp-Cell')].indexOf(cell)
              : null,
            // Names for screen readers may repeat the headline; the first heading is the visible one.
            // What such failures are called; a headline may be the cause of this one.
            title: (
              (section.querySelector('.kind') ?? section.querySelector('h2, h3, h4, summary'))?.textContent ?? ''
            ).trim(),
            text: section.textContent,
            html: section.querySelectorAll('img, script, iframe, object, embed, svg image, link, meta').length,
            theme: host.dataset.theme ?? null,
            open: [...section.querySelectorAll('details')].map((details) => details.open),
            below: above ? box.top >= above.bottom - 1 : null,
            height: Math.round(box.height),
          },
        ];
      }),
    HOST,
  );
}

const show = (found) => found.map(({ cell, id, variant, title }) => ({ cell, id, variant, title }));

/**
 * Waits for the card of a cell; with `id`, for one of that diagnosis; with `says`, for one whose headline does: the first
 * part of an error that is streamed may have a card already.
 */
export function card(page, cell, id = null, { says = null, ...options } = {}) {
  return until(
    `a card${id ? ` ${id}` : ''}${says ? ` that says ${says}` : ''} at cell ${cell}`,
    async () =>
      (await cards(page)).find((c) => c.cell === cell && (!id || c.id === id) && (!says || says.test(c.title))),
    { detail: async () => show(await cards(page)), ...options },
  );
}

/** Waits for the line that is left of a card when its problem is gone, and returns its text. */
export function solved(page, cell) {
  return until(`the solved problem at cell ${cell}`, () =>
    page.evaluate(
      (tag, at) => {
        const colab = document.getElementById(`cell-${at}`);
        const all = document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell, .jp-Notebook .jp-Cell');
        const root = (colab ?? all[at])?.querySelector(tag)?.shadowRoot;
        return root?.querySelector('.solved .title')?.textContent ?? null;
      },
      HOST,
      cell,
    ),
  );
}

/**
 * Notes what the cards' buttons answer from now on: an answer shows for two seconds only. The function that it returns gives
 * the first one.
 */
export async function answers(frame) {
  await frame.evaluate((tag) => {
    window.answers = [];
    const note = (records) => window.answers.push(...records.map(({ target }) => target.dataset.done).filter(Boolean));
    for (const { shadowRoot } of document.querySelectorAll(tag))
      new MutationObserver(note).observe(shadowRoot, {
        subtree: true,
        attributes: true,
        attributeFilter: ['data-done'],
      });
  }, HOST);
  return () => frame.evaluate(() => window.answers[0] ?? '');
}

/** Presses a card's button and waits until the button shows its result, and no longer does. */
export async function pressed(page, cell, words) {
  const answer = await answers(page);
  await pressInCard(page, cell, words);
  const done = await until(`an answer of ${words}`, answer);
  await until('the button is itself again', () =>
    page.evaluate(
      (tag) => ![...document.querySelectorAll(tag)].some((host) => host.shadowRoot.querySelector('button[data-done]')),
      HOST,
    ),
  );
  return done;
}

/** Watches for solved problems on a page; the function that it returns says whether there was one, even for a moment. */
export async function watchSolved(page) {
  await page.evaluate((tag) => {
    const shown = () => [...document.querySelectorAll(tag)].some((host) => host.shadowRoot?.querySelector('.solved'));
    document.documentElement.dataset.solved = '';
    const look = () => {
      if (shown()) document.documentElement.dataset.solved = 'yes';
      if (document.documentElement.dataset.solved !== 'end') requestAnimationFrame(look);
    };
    look();
  }, HOST);
  return () =>
    page.evaluate(() => {
      const was = document.documentElement.dataset.solved === 'yes';
      document.documentElement.dataset.solved = 'end';
      return was;
    });
}

/** Waits until a cell has no card. */
export function noCard(page, cell, options = {}) {
  return until(`no card at cell ${cell}`, async () => !(await cards(page)).some((c) => c.cell === cell), options);
}

/**
 * Waits until the sensor is idle: a marker passes through the whole path (an error in another cell, its card, its
 * removal), so everything before it has been judged. For tests that check that no card appears.
 */
export async function settled(page, cell) {
  await page.evaluate(
    (id, message) => {
      const error = window.replica.traceback({ type: 'NameError', message, source: 'marker()', at: 1 });
      return window.replica.run(id, [{ error }]);
    },
    cell,
    `name 'marker_${Date.now()}' is not defined`,
  );
  await card(page, cell);
  await page.evaluate((id) => window.replica.run(id, []), cell);
  await noCard(page, cell);
}

/** Runs `action` inside the card of a cell, with the section and the extra arguments. */
export function inCard(page, cell, action, ...args) {
  return page.evaluate(
    (tag, where, body, list) => {
      const hosts = [...document.querySelectorAll(tag)].filter((host) => {
        const found = host.closest('.cell, .jp-Cell');
        if (typeof where === 'number')
          return (
            [...(found?.parentElement.querySelectorAll(':scope > .cell, :scope > .jp-Cell') ?? [])].indexOf(found) ===
            where
          );
        return found?.id === `cell-${where}`;
      });
      const section = hosts[0]?.shadowRoot?.querySelector('section[data-id]');
      if (!section) throw new Error(`no card at ${where}`);
      const actions = {
        open() {
          for (const details of section.querySelectorAll('details')) details.open = true;
          section.scrollIntoView({ block: 'nearest' });
        },
        end() {
          for (const details of section.querySelectorAll('details')) details.open = true;
          section.lastElementChild.scrollIntoView({ block: 'end' });
        },
        close() {
          for (const details of section.querySelectorAll('details')) details.open = false;
        },
        button(words) {
          const button = [...section.querySelectorAll('button')].find((one) =>
            new RegExp(words, 'i').test(one.textContent + one.getAttribute('aria-label')),
          );
          for (let up = button.parentElement; up; up = up.parentElement) if (up.localName === 'details') up.open = true;
          button.scrollIntoView({ block: 'center' });
          const { x, y, width, height } = button.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        },
        first() {
          return section.querySelector('.first')?.textContent ?? '';
        },
        scroll() {
          hosts[0].scrollIntoView({ block: 'center' });
        },
        box() {
          const { x, y, width, height } = hosts[0].getBoundingClientRect();
          return { x, y, width, height };
        },
        colours() {
          const style = getComputedStyle(section);
          return { background: style.backgroundColor, color: style.color };
        },
      };
      return actions[body](...list);
    },
    HOST,
    cell,
    action,
    args,
  );
}

/** Clicks a card's button, found by its text, with the mouse: browsers allow copying only after a real click. */
export async function pressInCard(page, cell, words) {
  await page.bringToFront();
  const { x, y } = await inCard(page, cell, 'button', words);
  await pressAt(page, x, y);
}

/** Clicks a place in a card after the pointer has been there for long enough to see what is pressed. */
export async function pressAt(page, x, y) {
  await page.mouse.move(x, y);
  await new Promise((done) => {
    setTimeout(done, 400);
  });
  await page.mouse.click(x, y);
}

/**
 * Waits until nothing visible in the cards moves or fades, so that a picture shows their final state. Inside closed
 * details, Firefox pauses transitions.
 */
export function still(page) {
  return until(
    'the cards to be still',
    () =>
      page.evaluate(
        (tag) =>
          [...document.querySelectorAll(tag)]
            .flatMap((host) => host.shadowRoot?.getAnimations() ?? [])
            .every((animation) => animation.playState !== 'running' || !animation.effect.target.checkVisibility()),
        HOST,
      ),
    { timeout: 5000 },
  );
}

/** The focused element, through shadow roots: tag, approximate accessible name, and whether it is in a card. */
export function focused(page) {
  return page.evaluate((tag) => {
    let element = document.activeElement;
    let card = element?.matches(tag);
    while (element?.shadowRoot?.activeElement) {
      card ||= element.matches(tag);
      element = element.shadowRoot.activeElement;
    }
    return {
      tag: element?.localName ?? '',
      text: (element?.textContent ?? '').trim(),
      label: element?.getAttribute('aria-label') ?? '',
      done: element?.dataset?.done ?? null,
      card,
      open: element?.parentElement?.open ?? null,
    };
  }, HOST);
}
