/**
 * Pictures of each section of Settings in both themes at three widths, from the real engine, in a new workspace and in
 * one with long and hostile names: `node tests/e2e/settings-screenshots.ts DIR`. Needs a build and a Chromium. It also
 * prints what axe finds.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { launchHeadless, temporaryFolder } from './launch.ts';
import { inBothThemes, pictureFolder, WIDTHS } from './pictures-of.ts';

const folder = pictureFolder();

const SECTIONS = ['ingest', 'storage', 'delivery', 'privacy', 'appearance', 'shortcuts', 'about'];

async function pictures(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    const path = join(folder, `${name}-${width}`);
    await page.setViewportSize({ width, height: 900 });
    await inBothThemes(page, async (theme) => {
      await page.screenshot({ path: `${path}-${theme}.png` });
      for (const problem of await accessibilityProblems(page)) console.log(`${name} ${width} ${theme}`, problem);
    });
    // All of a long section at once.
    await page.setViewportSize({ width, height: 1_900 });
    await page.screenshot({ path: `${path}-whole.png` });
  }
}

async function sections(page: Page, name: string): Promise<void> {
  for (const section of SECTIONS) {
    await page.evaluate((to) => location.assign(`#/settings/${to}`), section);
    await page.getByRole('navigation', { name: 'Settings' }).waitFor();
    await pictures(page, `${name}-${section}`);
  }
}

const HOSTILE: Config = {
  sources: [{ name: 'shop', writeKey: 'wk_shop', kind: 'server', enabled: true, webhooks: true }],
  webhooks: {
    sharedSecret: 'a shared secret of pictures',
    redirects: 'follow',
    entries: [
      {
        name: 'Kundendaten-Abgleich für sämtliche europäischen Mandanten',
        url: 'https://crm.acme.test/in',
        headers: { Authorization: 'Bearer x', 'X-Tenant': { value: 'acme', shown: true } },
        enabled: true,
      },
      { name: 'ليلى حداد', url: `https://${'very-long-label.'.repeat(8)}acme.test/`, headers: {}, enabled: true },
      { name: '<b>Bold</b> \u202egnorw', url: 'http://localhost:4010/hook', headers: {}, enabled: false },
    ],
  },
  exports: { mask: ['traits.email', 'context.ip', 'properties.payment.card.holder.name', 'context.page.url'] },
  ingest: { https: { enabled: true, port: 0 } },
};

const fresh = await launchHeadless();
await sections(fresh.page, 'new');
await fresh.stop();

const long = join(
  temporaryFolder(),
  'a-folder-with-a-rather-long-name',
  'and-another-one-inside-it',
  'acme-shop-staging-europe',
);
const full = await launchHeadless({ config: HOSTILE, workspace: long });
await sections(full.page, 'full');
await full.stop();
