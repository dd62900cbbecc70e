/** What the scripts that take pictures share: they fill ingest, go to a screen and take it. */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { postText } from './post-call.ts';

/** Of a wide window, one in between and the narrowest that the app allows. */
export const WIDTHS: readonly number[] = [1440, 1024, 880];

/** The folder for pictures, from the command line. It is made. */
export function pictureFolder(otherwise = 'pictures'): string {
  const folder = process.argv[2] ?? otherwise;
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Looks at the window in each theme, after a rest. */
export async function inBothThemes(page: Page, look: (theme: string) => Promise<void>, restMs = 250): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(restMs);
    await look(colorScheme);
  }
}

/** `path`-THEME.png of the window as wide as it is. */
export async function takeBothThemes(page: Page, path: string, restMs?: number): Promise<void> {
  const take = async (theme: string): Promise<void> => {
    await page.screenshot({ path: `${path}-${theme}.png` });
  };
  await inBothThemes(page, take, restMs);
}

/** `path`-WIDTH-THEME.png at each width. Then the window has the size again with which `launchHeadless` opens it. */
export async function takePictures(page: Page, path: string, widths = WIDTHS, restMs?: number): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await takeBothThemes(page, `${path}-${width}`, restMs);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Goes to a screen, and rests until it has settled. */
export async function goTo(page: Page, hash: string, restMs = 600): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForTimeout(restMs);
}

/** Posts one batch, as often as ingest says that the store is behind. */
async function postBatch(ingestUrl: string, writeKey: string, batch: readonly object[]): Promise<void> {
  const body = JSON.stringify({ batch });
  for (;;) {
    const { status, text } = await postText(ingestUrl, writeKey, 'batch', body);
    if (status === 200) return;
    if (status !== 429) throw new Error(`Ingest answered a batch with ${status}: ${text}`);
    await pause(250);
  }
}

/** Posts calls in batches of so many, and waits while the store is behind. Throws when ingest refuses one. */
export async function postBatches(
  ingestUrl: string,
  writeKey: string,
  calls: Iterable<object>,
  size = 1_000,
): Promise<void> {
  let batch: object[] = [];
  for (const call of calls) {
    if (batch.push(call) < size) continue;
    await postBatch(ingestUrl, writeKey, batch);
    batch = [];
  }
  if (batch.length > 0) await postBatch(ingestUrl, writeKey, batch);
}
