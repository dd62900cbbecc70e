/**
 * The built pages in a real browser: accessibility, the strict CSP, hostile data, and the keyboard. Over the real
 * engine, whose simulated time goes with that of the browser; where data are hostile, over the fake one.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../src/contract/config.ts';
import { ContractError } from '../../src/contract/errors.ts';
import { chromiumArguments, chromiumPath } from '../../tools/chromium.mjs';
import { accessibilityProblems } from '../helpers/axe.ts';
import type { FakeOptions } from '../helpers/fake-engine.ts';
import { startFakeServer } from '../helpers/fake-engine-server.ts';
import type { PageServer } from '../helpers/page-server.ts';
import { pageCallsOf, type SimEngine, type SimEngineSetup } from '../helpers/sim-engine.ts';
import { startSimServer } from '../helpers/sim-engine-server.ts';
import { takenPort } from '../helpers/taken-port.ts';
import { builtCli } from '../kill/built-cli.ts';
import { answers, CONFIG, KEY, SOURCES, WEBHOOKS } from '../ui/detail/histories.ts';
import { hooks } from '../ui/detail/scenes.ts';

const executablePath = chromiumPath();

let root: string;
let browser: Browser;

interface View {
  readonly route: string;
  readonly width?: number;
  readonly height?: number;
}

/** Opens a page of the app and hands over what the browser complained about. Closes the server too. */
async function look(
  server: PageServer,
  { route, width = 1440, height = 900 }: View,
  use: (page: Page, complaints: string[]) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(server.url).host) complaints.push(`request: ${request.url()}`);
  });
  try {
    await page.goto(server.url);
    await page.locator('footer b').first().waitFor();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, route);
    // The screen before may still stand hidden beside the new one.
    await page.locator('h1').filter({ visible: true }).waitFor();
    await use(page, complaints);
  } finally {
    await context.close();
    await server.close();
  }
}

/** Over the real engine with {@link history}, or as at the first start. */
async function withPage(
  { route, width, height, fresh, ...setup }: View & SimEngineSetup & { readonly fresh?: boolean },
  use: (page: Page, engine: SimEngine, server: PageServer) => Promise<void>,
): Promise<void> {
  const server = fresh
    ? await startSimServer({ root, ...setup })
    : await startSimServer({ root, start: Date.now() - HISTORY_MS, config: PAGES_CONFIG, ...setup }, history);
  await look(server, { route, width, height }, (page) => use(page, server.engine, server));
}

async function withHostilePage(
  { route, width, height, ...options }: View & FakeOptions,
  use: (page: Page, complaints: string[]) => Promise<void>,
): Promise<void> {
  const server = await startFakeServer({ root, rows: 60, hostile: true, ...options });
  await look(server, { route, width, height }, use);
}

const PAGES_CONFIG: Config = {
  ...CONFIG,
  clock: { speed: 1 },
  sources: [
    ...SOURCES!,
    { name: 'storefront-web', writeKey: 'wk_web_51ab', kind: 'web', enabled: true, webhooks: true },
    { name: 'ios-app', writeKey: 'wk_ios_90de', kind: 'mobile', enabled: true, webhooks: false },
  ],
  webhooks: {
    sharedSecret: WEBHOOKS.sharedSecret,
    entries: WEBHOOKS.entries!.map((hook, i) =>
      i > 0 ? hook : { ...hook, headers: { 'X-Tenant': { value: 'acme', shown: true }, Authorization: 'Bearer key' } },
    ),
  },
};
const HISTORY_MS = 75_000;
/** Messages that were delivered, rejected and not selected, and the first one, which waits for its next round. */
async function history(engine: SimEngine): Promise<void> {
  const letters = (...all: string[]) =>
    all.forEach((one, slot) => void engine.transport.on(hooks[slot]!.url, answers(one)));
  const post = (call: object, key = KEY) =>
    engine.post('/v1/track', { type: 'track', userId: 'usr_8f21', event: 'Order Completed', ...call }, key);
  letters('f', 't', 'd', 'r');
  await post({});
  await engine.pass(HISTORY_MS - 1_000);
  letters('aafa', 'a', '5a', 'r');
  for (let i = 0; i < 8; i += 1) await post({});
  await post({ userId: undefined });
  await post({}, 'wk_ios_90de');
  await engine.pass(1_000);
}

describe.skipIf(executablePath === null)('pages in Chromium', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'hookbench-ui-'));
    // A copy, because another test may build meanwhile.
    await cp(join(await builtCli(), '../../renderer'), root, { recursive: true });
    browser = await chromium.launch({
      executablePath: executablePath ?? undefined,
      args: chromiumArguments,
    });
  });
  afterAll(async () => {
    await browser?.close();
    if (root !== undefined) await rm(root, { recursive: true, force: true });
  });

  it('Webhooks and Sources have no accessibility violations', async () => {
    await withPage({ route: '#/webhooks/1' }, async (page) => {
      await page.getByRole('heading', { name: 'Shared secret' }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
    await withPage({ route: '#/sources', width: 900, height: 600 }, async (page) => {
      await page.getByRole('table').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Add source', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });

  it('Settings and the raw request have no accessibility violations', async () => {
    await withHostilePage({ route: '#/settings/ingest', width: 1_100 }, async (page) => {
      for (const section of ['ingest', 'storage', 'delivery', 'appearance', 'shortcuts', 'about']) {
        await page.evaluate((name) => {
          location.hash = `#/settings/${name}`;
        }, section);
        await page.locator(`main a[href$="/settings/${section}"][aria-current="page"]`).waitFor();
        expect(await accessibilityProblems(page), section).toEqual([]);
      }
    });
    await withHostilePage({ route: '#/live/44/raw' }, async (page) => {
      await page.getByRole('radio', { name: 'Hex' }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });

  it('toasts, an error among them, and the port dialog have no accessibility violations', async () => {
    const ingestPort = await takenPort();
    await withPage({ route: '#/webhooks', ingestPort }, async (page, engine) => {
      await page.getByRole('radio', { name: '10×' }).click();
      engine.failNext('ingest.listen', new ContractError('internal'));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(`Could not listen on port ${ingestPort}`).waitFor();
      expect(await page.getByRole('button', { name: 'Close notice' }).count()).toBe(2);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Choose a port' }).click();
      await page.getByRole('textbox', { name: 'Port' }).fill('70000');
      await page.keyboard.press('Enter');
      await page.getByText('Enter a port from 1 to 65535.').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });

  it('delivery rules, a certificate and a paused clock have no accessibility violations', async () => {
    await withPage({ route: '#/webhooks/rules' }, async (page) => {
      await page.getByRole('heading', { name: 'Schedule' }).waitFor();
      await page.getByRole('radio', { name: 'Classic as coded' }).click();
      await page.getByText('Delivery rules: Classic as coded').waitFor();
      await page.getByRole('textbox', { name: 'Time limit' }).fill('soon');
      await page.keyboard.press('Enter');
      await page.getByText('is not a time').waitFor();
      await page.keyboard.press('Control+.');
      await page.getByText('Delivery is paused.').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
    await withHostilePage({ route: '#/webhooks/4', width: 900, height: 600 }, async (page) => {
      await page.getByRole('button', { name: 'View certificate' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
    await withPage({ route: '#/webhooks' }, async (page) => {
      await page.keyboard.press(',');
      await page.getByText('Waits stand still.').waitFor();
      await page.evaluate(() => {
        location.hash = '#/live/1';
      });
      for (const name of [/^Schedule/, /^With other delivery rules/]) await page.getByRole('button', { name }).click();
      await page.locator('[data-attempt]').filter({ hasText: 'Legacy ERP' }).first().click();
      await page.getByText('The histories part').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });

  it('a key on a primary button can be read', async () => {
    await withPage({ route: '#/replay/1' }, async (page) => {
      await page.locator('main button:enabled kbd').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });

  it('everything that can be wrong at once has no accessibility violations', async () => {
    const wrong: FakeOptions = {
      storeWritable: false,
      secret: { state: 'unreadable' },
      listener: { state: 'port_in_use', holder: 'node (process 48213)' },
    };
    await withHostilePage({ route: '#/webhooks/3', ...wrong }, async (page) => {
      await page.getByRole('alert').first().waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: /^Workspace/ }).click();
      await page.getByRole('menu').waitFor();
      expect(await accessibilityProblems(page, { without: ['region'] })).toEqual([]);
    });
  });

  it('hostile data runs nothing, asks for nothing and breaks no rule of the CSP', async () => {
    for (const route of ['#/webhooks/3', '#/sources']) {
      await withHostilePage({ route }, async (page, complaints) => {
        await page.getByText('U+202E').first().waitFor();
        for (const name of [/^Workspace/, /^(Add|Settings of Legacy|Edit ios)/]) {
          await page.getByRole('button', { name }).first().click({ force: true });
          await page.keyboard.press('Escape');
        }
        expect(complaints).toEqual([]);
        expect(await page.evaluate(() => document.querySelectorAll('img[src=x], [onerror]').length)).toBe(0);
      });
    }
  });

  it('no width from 880 px on makes the page scroll sideways', async () => {
    for (const route of ['#/webhooks/3', '#/webhooks/rules', '#/sources']) {
      await withHostilePage({ route }, async (page) => {
        await page.locator('[data-region="content"]').waitFor();
        for (const width of [880, 1023, 1024, 1199, 1200, 1279, 1280, 1440]) {
          await page.setViewportSize({ width, height: 600 });
          const wide = await page.evaluate(() =>
            [document.documentElement, ...document.querySelectorAll('main, [data-region="content"]')]
              .filter((box) => box.scrollWidth > box.clientWidth + 1)
              .map((box) => `${box.tagName}.${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
          );
          expect([width, route, wide]).toEqual([width, route, []]);
        }
      });
    }
  });

  it('adds a webhook with the keyboard alone', async () => {
    await withPage({ route: '#/sources', fresh: true }, async (page, engine) => {
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await page.getByRole('heading', { name: 'Webhook URLs' }).waitFor();
      const add = page.getByRole('button', { name: 'Add webhook' });
      for (let i = 0; i < 20 && !(await add.evaluate((b) => b === document.activeElement)); i += 1)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.type('http://localhost:4010/ingest');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Close settings of localhost:4010' }).waitFor();
      expect(pageCallsOf(engine).at(-1)?.name).toBe('webhooks.save');
    });
  });

  it('changes a delivery rule, looks at the schedule and comes back with the keyboard alone', async () => {
    await withPage({ route: '#/webhooks' }, async (page, engine) => {
      const reach = async (target: Locator) => {
        await target.waitFor();
        for (let i = 0; i < 60 && !(await target.evaluate((e) => e === document.activeElement)); i += 1)
          await page.keyboard.press('Tab');
        expect(await target.evaluate((e) => e === document.activeElement)).toBe(true);
      };
      await page.getByRole('heading', { name: 'Delivery rules' }).waitFor();
      await reach(page.getByRole('button', { name: 'Edit rules' }));
      await page.keyboard.press('Enter');
      await reach(page.locator('fieldset input:checked'));
      await page.keyboard.press('ArrowDown');
      await page.getByText('Delivery rules: Classic as coded').waitFor();
      await reach(page.getByRole('textbox', { name: 'First wait' }));
      await page.keyboard.press('Control+a');
      await page.keyboard.type('1 min');
      await page.keyboard.press('Enter');
      // After the first attempt, and after the round before.
      await page.getByRole('cell', { name: '+1 min', exact: true }).nth(1).waitFor();
      expect(engine.calls.filter(({ name }) => name === 'destination.save')).toHaveLength(2);
    });
  });

  it('targets are at least 24 px, the small switches by their hit area', async () => {
    await withPage({ route: '#/webhooks/1' }, async (page) => {
      await page.getByRole('heading', { name: 'Shared secret' }).waitFor();
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, a[href], [role="switch"], [role="checkbox"]')]
          .filter((element) => element.textContent !== 'Skip to content' && element.offsetParent !== null)
          .map((element) => {
            const { width, height } = element.getBoundingClientRect();
            const grown = element.matches('[role="switch"], [role="checkbox"]') ? 12 : 0;
            return {
              name: element.getAttribute('aria-label') ?? element.textContent,
              side: Math.min(width, height) + grown,
            };
          })
          .filter(({ side }) => side < 24),
      );
      expect(small).toEqual([]);
    });
  });

  it('comes back by itself when the engine was away, and without a token says how to open the page', async () => {
    await withPage({ route: '#/sources' }, async (page, _engine, server) => {
      const port = Number(new URL(server.url).port);
      await server.close();
      await page.getByText('The engine is out of reach.').waitFor();
      const again = await startSimServer({ root, port, config: PAGES_CONFIG }, async (engine) => {
        const batch = Array.from({ length: 77 }, () => ({ type: 'track', userId: 'u', event: 'Order Completed' }));
        await engine.post('/v1/batch', { batch }, KEY);
      });
      await page.getByText('77 messages').waitFor();
      expect(await page.getByText('The engine is out of reach.').count()).toBe(0);
      const stranger = await browser.newPage();
      await stranger.goto(again.url.replace(/#.*/, ''));
      await stranger.getByText('This page needs the link from the terminal.').waitFor();
      await stranger.close();
      await again.close();
    });
  });

  it('keeps the page when a screen is opened for the first time while the engine is away, and shows it afterwards', async () => {
    await withPage({ route: '#/sources' }, async (page, _engine, server) => {
      const port = Number(new URL(server.url).port);
      await server.close();
      await page.getByText('The engine is out of reach.').waitFor();
      await page.getByRole('link', { name: 'People' }).click();
      await page.getByText('This cannot be shown without the engine.').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('link', { name: 'Sources 3' }).click();
      await page.getByRole('table').waitFor();
      await page.getByRole('link', { name: 'People' }).click();
      const again = await startSimServer({ root, port, config: PAGES_CONFIG });
      await page.getByText('Nobody yet.').waitFor();
      await again.close();
    });
  });
});
