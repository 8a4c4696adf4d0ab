// Going from one page to another by the page's own doing, through the browser's page cache too.
import { until } from './wait.mjs';

/** Lets the page `go` and waits until the replica at `search` is there: what a page cache brings back loads nothing that could be waited for. */
export async function visit(page, search, go) {
  await page.evaluate(`void setTimeout(${go})`);
  await until(`the page ${search}`, () =>
    page.evaluate((wanted) => location.search === wanted && document.documentElement.dataset.ready === 'true', search),
  );
}
