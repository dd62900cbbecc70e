/**
 * Pictures of the demo from the real engine: `node tests/e2e/demo-screenshots.ts DIR`. The first page and each step of
 * the tour in both themes at three widths; every main screen after 10 s, after a minute, and after 4 h of the retry
 * clock. The light ones at 1440 px named `tour-N` are those of docs/demo.md. Needs a build and a Chromium.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchHeadless, temporaryFolder } from './launch.ts';
import { goTo, pictureFolder, takePictures, WIDTHS } from './pictures-of.ts';

const folder = pictureFolder();

const own = temporaryFolder();
process.env.HOOKBENCH_DEMO_WORKSPACE = join(own, 'demo-shop');

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const pictures = (page: Page, name: string, widths = WIDTHS): Promise<void> =>
  takePictures(page, join(folder, `demo-${name}`), widths, 200);

/** Addresses of the main screens. */
const SCREENS = {
  live: '#/live',
  overview: '#/overview',
  webhooks: '#/webhooks',
  receivers: '#/receivers',
  audience: '#/audiences/1',
  sync: '#/audiences/1/syncs/1',
  trait: '#/audiences/traits/2',
  deletion: '#/deletions/1',
} as const;

/** Every main screen at this moment of the demo, in both themes. */
async function everyScreen(page: Page, moment: string): Promise<void> {
  for (const [name, hash] of Object.entries(SCREENS)) {
    await goTo(page, hash, 500);
    await pictures(page, `${moment}-${name}`, [1440]);
  }
}

/** A picture for docs/demo.md. */
async function tourPicture(page: Page, step: number): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await pause(700);
  await page.screenshot({ path: join(folder, `tour-${step}.png`) });
}

const run = await launchHeadless({ page: { colorScheme: 'light' } });
const { page, problems } = run;
await page.getByRole('button', { name: /Start with a demo shop/ }).waitFor();
await pictures(page, 'first-page');

await page.keyboard.press('d');
await page.waitForURL((url) => url.origin !== new URL(run.uiUrl).origin);
const startedAt = Date.now();
await page.getByText('Demo running').waitFor();
process.stdout.write(`running after ${Date.now() - startedAt} ms\n`);
await pause(startedAt + 10_000 - Date.now());
await tourPicture(page, 1);
await pictures(page, '10s');
await everyScreen(page, '10s');

const next = (): Promise<void> => page.keyboard.press('n');
for (const step of [2, 3, 4]) {
  await next();
  await tourPicture(page, step);
  await pictures(page, `step-${step}`);
}
await goTo(page, '#/live', 0);
await pause(Math.max(0, startedAt + 60_000 - Date.now()));
await pictures(page, '1min');
await everyScreen(page, '1min');

await next();
await pause(10_000);
await pictures(page, 'ahead', [1440]);
await pause(10_000);
await tourPicture(page, 5);
await pause(42_000);
await pictures(page, 'after-4h');
await everyScreen(page, 'after-4h');
await page.getByRole('button', { name: 'End demo' }).click();
await pictures(page, 'end', [1440]);

process.stdout.write(`problems: ${JSON.stringify(problems)}\n`);
await run.stop();
rmSync(own, { recursive: true, force: true });
