/** Forced colours (high contrast) take every background away: what shows a state must be drawn in another way. */
import { expect, type Locator } from '@playwright/test';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';

const KEY = 'wk_contrast';

let app: LaunchedHeadless | undefined;
test.afterEach(async () => {
  await app?.stop();
  app = undefined;
});

const drawn = (one: Locator) =>
  one.evaluate((element) => {
    const { backgroundColor, borderBottomWidth } = getComputedStyle(element);
    return { background: backgroundColor, line: borderBottomWidth };
  });

test('in forced colours the current page and tab, dots and strips differ from what is around them', async () => {
  app = await launchHeadless({
    page: { forcedColors: 'active' },
    config: {
      sources: [{ name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { entries: [{ name: 'CRM', url: 'http://127.0.0.1:9/', headers: {}, enabled: true }] },
    },
  });
  const { page } = app;
  await page.getByRole('button', { name: 'Send a sample event' }).click();
  const tab = (name: RegExp) => page.getByRole('tab', { name });
  await tab(/^Attempts/).waitFor();
  expect([await drawn(tab(/^Attempts/)), await drawn(tab(/^Payload/))]).toMatchObject([
    { line: '2px' },
    { line: '0px' },
  ]);

  const canvas = (await drawn(page.locator('body'))).background;
  const current = page.getByRole('navigation').getByRole('link', { name: /^Live/ });
  expect((await drawn(current)).background).not.toBe(canvas);
  const dots = page.locator('[class*="_dot_"]');
  await expect(dots).not.toHaveCount(0);
  for (const dot of await dots.all()) expect((await drawn(dot)).background).not.toBe(canvas);

  await chord(page, 'gw');
  const strip = page.getByRole('img', { name: /^Last attempt: 1 no connection/ });
  await expect(strip).toBeVisible();
  const [empty, last] = [strip.locator('i').first(), strip.locator('i').last()];
  expect((await drawn(empty)).background).not.toBe(canvas);
  expect(await last.evaluate((bar) => getComputedStyle(bar).boxShadow)).not.toBe('none');
});
