// Navigates from one page to another from within the page, including through the browser's page cache.
import { until } from './wait.mjs';

/** Lets the page `go` and waits for the replica at `search`: a page from the cache fires no load event to wait for. */
export async function visit(page, search, go) {
  await page.evaluate(`void setTimeout(${go})`);
  await until(`the page ${search}`, () =>
    page.evaluate((wanted) => location.search === wanted && document.documentElement.dataset.ready === 'true', search),
  );
}
