import { expect, type Locator } from '@playwright/test';

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Where an element stands in the window, in CSS px. Waits while a new layout puts it into the page again. */
export async function boxOf(element: Locator): Promise<Box> {
  let box = null as Box | null;
  await expect(async () => {
    box = await element.boundingBox();
    expect(box).not.toBeNull();
  }).toPass({ timeout: 30_000 });
  return box!;
}
