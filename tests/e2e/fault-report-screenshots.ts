/**
 * Pictures of the SDK fault report with the real analytics-node 3.x against the real engine, in both themes:
 * `node tools/with-node.mjs node tests/e2e/fault-report-screenshots.ts [DIR]`. Needs `npm run build` and a Chromium.
 * Not a test: somebody looks at what it writes.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Analytics } from '@segment/analytics-node';
import { type LaunchedHeadless, launchHeadless } from './launch.ts';
import { goTo, pictureFolder, takeBothThemes } from './pictures-of.ts';

const folder = pictureFolder('test-results/screenshots');

const KEY = 'wk_checkout';

const picture = (page: Page, name: string): Promise<void> => takeBothThemes(page, join(folder, name));

/** A few batches through the library; resolves when it is done with them. */
async function sendBatches(run: LaunchedHeadless, batches: number): Promise<number> {
  const analytics = new Analytics({ writeKey: KEY, host: run.ingestUrl, flushAt: 4 });
  let lost = 0;
  analytics.on('error', () => {
    lost += 1;
  });
  for (let n = 0; n < batches * 4; n += 1)
    analytics.track({ userId: `usr_${n % 7}`, event: 'Order Completed', properties: { orderId: `A-${n}` } });
  await analytics.closeAndFlush({ timeout: 90_000 });
  return lost;
}

const linesOf = (page: Page): Promise<string[]> =>
  page
    .getByRole('region', { name: 'Measured and published' })
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).join(' | ')));

async function story(run: LaunchedHeadless, preset: string, name: string, batches: number): Promise<void> {
  const { page } = run;
  const clear = page.getByRole('button', { name: 'Clear' });
  if (await clear.isVisible()) await clear.click();
  await page.getByRole('button', { name: preset }).click();
  await page.getByText(/Ingest faults are on:/).waitFor();
  const lost = await sendBatches(run, batches);
  await page.getByRole('region', { name: 'Measured and published' }).waitFor();
  // The report is asked for once a second.
  await page.waitForTimeout(2_500);
  console.log(JSON.stringify({ preset, lost, lines: await linesOf(page) }, null, 1));
  await picture(page, `faults-${name}`);
  await page.getByRole('region', { name: 'SDK fault report' }).scrollIntoViewIfNeeded();
  await page.locator('[data-region="content"]').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await picture(page, `faults-${name}-report`);
}

const run = await launchHeadless({
  config: {
    sources: [
      { name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true },
      { name: 'storefront-web', writeKey: 'wk_web', kind: 'web', enabled: true, webhooks: true },
    ],
  },
});
const { page } = run;
await goTo(page, '#/faults', 0);
await page.getByRole('button', { name: 'Add rule' }).waitFor();
await picture(page, 'faults-empty');
// With a third batch its 200 would end the wait of the others early (docs/faults.md, Policies).
await story(run, 'Rate limited', '429', 2);
await story(run, 'Outage', '503', 6);
for (const width of [1100, 900]) {
  await page.setViewportSize({ width, height: 800 });
  await page.locator('[data-region="content"]').evaluate((element) => element.scrollTo(0, 0));
  await picture(page, `faults-${width}`);
  await page.locator('[data-region="content"]').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await picture(page, `faults-${width}-report`);
}
await page.setViewportSize({ width: 1440, height: 900 });
await goTo(page, '#/live');
await picture(page, 'faults-banner');
console.log(JSON.stringify({ folder, problems: run.problems }));
await run.stop();
process.exit(0);
