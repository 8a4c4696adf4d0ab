// The stores' pictures, in the sizes that they ask for: five screenshots of 1280 x 800, a tile of 440 x 280 and the icon.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { inCard } from '../e2e/harness/cards.mjs';
import { ownPage } from '../e2e/harness/own.mjs';
import { ROOT } from '../e2e/harness/packages.mjs';
import { until } from '../e2e/harness/wait.mjs';
import { takeForStore } from './shots.mjs';
import { die, fail, opened, solve } from './steps.mjs';

const SIZE = { width: 1280, height: 800 };
const TILE = { width: 440, height: 280 };
/** The Chrome Web Store's icon: 96 pixels, with 16 transparent ones on each side. */
const [ICON, PADDING] = [128, 16];
/** What the icon's drawing covers of its view box of 32: 27 wide with its rings, 28 high. */
const DRAWN = { x: 2, y: 2, side: 28 };

const drawing = readFileSync(path.join(ROOT, 'extension/icons/icon.svg'), 'utf8');
const { message: words } = JSON.parse(
  readFileSync(path.join(ROOT, 'extension/_locales/en/messages.json'), 'utf8'),
).name;

/** The icon, without the empty border of its view box. */
const icon = (side) =>
  drawing.replace(
    /viewBox="[^"]+"/,
    `viewBox="${DRAWN.x} ${DRAWN.y} ${DRAWN.side} ${DRAWN.side}" width="${side}" height="${side}"`,
  );

const ICON_PAGE = `<!doctype html><style>
html, body { margin: 0; background: transparent }
svg { position: absolute; inset: ${PADDING}px }
</style>${icon(ICON - 2 * PADDING)}`;

const TILE_PAGE = `<!doctype html><style>
body { margin: 0; height: ${TILE.height}px; display: grid; align-content: center; justify-items: center; gap: 20px; background: #e7f4f1;
  font: 600 25px/1.3 Roboto, 'Liberation Sans', sans-serif; color: #06493f }
</style>${icon(112)}<div>${words}</div>`;

/** Puts a cell into the middle of the window. */
async function centred(page, cell) {
  await inCard(page, cell, 'scroll').catch(() => {});
  // The pointer rests where it shows no tooltip.
  await page.mouse.move(SIZE.width - 20, SIZE.height - 20);
}

/** Takes all pictures for the stores. */
export async function store(closers) {
  const options = { name: 'analysis.ipynb', front: 'notebook', size: [SIZE.width, SIZE.height] };
  // Without the cells about the kernel's death.
  const { page: first } = await opened(closers, { ...options, cells: 2 });
  await first.setViewport(SIZE);
  for (const [name, act] of [
    ['1-card', fail],
    ['2-solved', solve],
  ]) {
    await centred(first, await act(first));
    await takeForStore(first, name);
  }
  const { page, session } = await opened(closers, options);
  await page.setViewport(SIZE);
  await fail(page);
  await solve(page);
  await centred(page, await die(page));
  await takeForStore(page, '3-kernel-died');
  const tab = await session.tabOf(page);
  for (const [name, address, drawn] of [
    ['4-panel', `panel.html?tab=${tab}`, '.lanes svg path.line'],
    ['5-report', `report.html?tab=${tab}`, '.preview *'],
  ]) {
    const { page: own } = await ownPage(session, address);
    await own.setViewport(SIZE);
    await until(`${name} is drawn`, () => own.$(drawn));
    await takeForStore(own, name);
    await own.close();
  }
  const blank = await session.newPage();
  await blank.goto('about:blank');
  await blank.setViewport(TILE);
  await blank.setContent(TILE_PAGE);
  await takeForStore(blank, 'tile');
  await blank.setViewport({ width: ICON, height: ICON });
  await blank.setContent(ICON_PAGE);
  await takeForStore(blank, 'icon', { omitBackground: true });
}
