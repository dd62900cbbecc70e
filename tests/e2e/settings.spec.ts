/** The card of the search index while the index is made again, in the built page. */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { LEAST_SEARCHED } from '../../src/contract/search-limits.ts';
import { launchHeadless, test } from './launch.ts';

const KEY = 'wk_storage';
const config: Config = {
  sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: false }],
};
const BATCH = 100;

async function fillUntilIndexed(ingestUrl: string): Promise<void> {
  const batch = Array.from({ length: BATCH }, (_, n) => ({ type: 'track', event: `Event ${n}`, userId: 'ada' }));
  const headers = { Authorization: `Basic ${btoa(`${KEY}:`)}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ batch });
  for (let sent = 0; sent <= LEAST_SEARCHED; sent += BATCH) {
    const { status } = await fetch(`${ingestUrl}/v1/batch`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  }
}

/** Measured when the bar appears, because the index is ready again within a moment. */
const offsetWhileBuilding = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const middle = (element: Element | null | undefined) => {
          const { top = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
          return top + height / 2;
        };
        new MutationObserver((_, observer) => {
          if (document.querySelector('[aria-label="Building the search index"]') === null) return;
          observer.disconnect();
          const label = [...document.querySelectorAll('span')].find(({ textContent }) => textContent === 'Index');
          resolve(Math.abs(middle(document.querySelector('[role="switch"]')) - middle(label)));
        }).observe(document.body, { childList: true, subtree: true });
      }),
  );

test('while the search index is made again, its switch stays on its line and its button keeps the focus', async () => {
  const { page, ingestUrl, stop } = await launchHeadless({ config });
  try {
    await fillUntilIndexed(ingestUrl);
    await page.goto(new URL('/#/settings/storage', page.url()).href);
    await expect(page.getByText('Up to date')).toBeVisible();
    const rebuild = page.getByRole('button', { name: 'Rebuild' });
    await rebuild.focus();
    const offset = offsetWhileBuilding(page);
    await page.keyboard.press('Enter');
    expect(await offset).toBeLessThan(1);
    await expect(page.getByText('Up to date')).toBeVisible();
    await expect(rebuild).toBeFocused();
  } finally {
    await stop();
  }
});
