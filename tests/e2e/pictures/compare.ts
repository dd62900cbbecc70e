/**
 * Pictures of every screen of two builds, compared pixel by pixel: every scene at three widths in both themes, and
 * with every control hovered, focused and pressed. Both builds show the same seeded workspace with all clocks stopped.
 * Needs a Chromium and `electron-vite build` in both checkouts:
 *
 *   node tests/e2e/pictures/compare.ts --before DIR [--after DIR] [--only NAMES] [--kept DIR] [--out DIR]
 *
 * Prints every picture that differs, how many of its pixels, where, and the first elements whose style differs; writes
 * both pictures to --out. Ends with 1 if any differs. `--only` is a pattern for the names of scenes. `--kept` keeps the
 * seeded workspace and the pictures before, and takes them from there the next time.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { type Browser, chromium } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../../../tools/chromium.mjs';
import { root } from '../launch.ts';
import { capture, type Picture, type Pictures } from './capture.ts';
import { stylesThatDiffer } from './read-styles.ts';
import { FIRST_RUN_SCENES, SCENES } from './scenes.ts';
import { FIRST_RUN, STILL, seed } from './seed.ts';
import { serve } from './serve.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: root },
    only: { type: 'string', default: '' },
    kept: { type: 'string' },
    out: { type: 'string', default: join(root, 'test-results/pictures') },
  },
});
if (values.before === undefined) throw new Error('--before names the checkout to compare with');

/** Drawn without a GPU and never in parts: else round corners differ by a shade from run to run. */
const DRAWING = ['--disable-gpu', '--disable-partial-raster', '--disable-lcd-text', '--num-raster-threads=1'];
const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath() ?? undefined, args: [...chromiumArguments, ...DRAWING] });

/** Both builds get a workspace at the same path, because the pictures show it. */
async function picturesOf(build: string, folder: string, now: number): Promise<Pictures> {
  const browser = await launchChromium();
  const only = new RegExp(values.only);
  const taken: Pictures = new Map();
  for (const [config, scenes, seeded] of [
    [FIRST_RUN, FIRST_RUN_SCENES, false],
    [STILL, SCENES, true],
  ] as const) {
    const workspace = join(folder, 'pictures');
    rmSync(workspace, { recursive: true, force: true });
    if (seeded) cpSync(join(folder, 'seeded'), workspace, { recursive: true });
    const served = await serve(build, { workspace, config, now });
    for (const [name, one] of await capture(browser, { uiUrl: served.uiUrl, scenes, now, only })) taken.set(name, one);
    await served.stop();
  }
  await browser.close();
  return taken;
}

/** How many pixels differ, by how much, and the box around them. */
async function pixelsThatDiffer(browser: Browser, before: Buffer, after: Buffer): Promise<string> {
  const page = await browser.newPage();
  const said = await page.evaluate(
    async (pngs) => {
      const [one, other] = await Promise.all(
        pngs.map(async (png) => {
          const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
          const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
          drawing.drawImage(image, 0, 0);
          return drawing.getImageData(0, 0, image.width, image.height);
        }),
      );
      const width = one!.width;
      const box = { left: width, top: one!.height, right: -1, bottom: -1 };
      let count = 0;
      let most = 0;
      const before = new Uint32Array(one!.data.buffer);
      const after = new Uint32Array(other!.data.buffer);
      before.forEach((pixel, at) => {
        if (pixel === after[at]) return;
        count += 1;
        for (let part = at * 4; part < at * 4 + 4; part++)
          most = Math.max(most, Math.abs(one!.data[part]! - other!.data[part]!));
        box.left = Math.min(box.left, at % width);
        box.right = Math.max(box.right, at % width);
        box.top = Math.min(box.top, Math.floor(at / width));
        box.bottom = Math.max(box.bottom, Math.floor(at / width));
      });
      return `${count} pixels by up to ${most} of 255, x ${box.left} to ${box.right}, y ${box.top} to ${box.bottom}`;
    },
    [before.toString('base64'), after.toString('base64')],
  );
  await page.close();
  return said;
}

async function report(browser: Browser, name: string, before: Picture, after: Picture): Promise<void> {
  console.log(`${name}: ${await pixelsThatDiffer(browser, before.png, after.png)}`);
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, `${name}-before.png`), before.png);
  writeFileSync(join(values.out, `${name}-after.png`), after.png);
}

interface Kept {
  readonly now: number;
  readonly before: Pictures;
}

/** Seeds a workspace and takes the pictures of the build before, unless `folder` has both already. */
async function keepBefore(folder: string): Promise<Kept> {
  const file = join(folder, 'before');
  if (existsSync(file)) return deserialize(readFileSync(file)) as Kept;
  mkdirSync(folder, { recursive: true });
  const now = await seed(resolve(values.before!), join(folder, 'seeded'));
  const kept = { now, before: await picturesOf(resolve(values.before!), folder, now) };
  writeFileSync(file, serialize(kept));
  return kept;
}

const folder = values.kept ?? mkdtempSync(join(tmpdir(), 'hookbench-pictures-'));
const { now, before } = await keepBefore(folder);
const after = await picturesOf(resolve(values.after), folder, now);
const browser = await launchChromium();
let different = 0;
let restyled = 0;
for (const [name, one] of before) {
  const other = after.get(name);
  if (other === undefined) continue;
  const styles = one.styles === null || other.styles === null ? [] : stylesThatDiffer(one.styles, other.styles, 4);
  const isSame = one.png.equals(other.png);
  if (!isSame) {
    different += 1;
    await report(browser, name, one, other);
  }
  if (styles.length > 0) {
    restyled += 1;
    console.log(`${isSame ? `${name}: same pixels\n` : ''}  ${styles.join('\n  ')}`);
  }
}
await browser.close();
if (values.kept === undefined) rmSync(folder, { recursive: true, force: true });
console.log(`${after.size} pictures, ${different} differ; styles differ in ${restyled}`);
process.exit(different === 0 && after.size > 0 ? 0 : 1);
