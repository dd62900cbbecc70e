/**
 * 250 texts that could be taken for more than text, as everything that a client, a receiver or a person can name, on
 * every screen: no dialog, no navigation, no request to elsewhere, no complaint of the page, and each text is readable
 * as it was sent.
 */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { codePoint, splitMarks } from '../../src/renderer/lib/marks.ts';
import { HOSTILE_STRINGS } from '../helpers/hostile-strings.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall, postText } from './post-call.ts';

const KEY = 'wk_hostile';
/** Names that a person may give have no control characters. */
const NAMES = HOSTILE_STRINGS.filter(
  (text) => /^[^\p{C}]+$/u.test(text) && /[a-z]{3}/.test(text) && text.trim() === text,
);
/** As the page shows it: what cannot be seen is boxed. */
const shown = (text: string): string =>
  splitMarks(text.toWellFormed())
    .map((part) => (typeof part === 'string' ? part : part.code))
    .join('');

const configFor = (urls: readonly string[]): Config => ({
  sources: [{ name: NAMES[7]!, writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
  webhooks: {
    sharedSecret: 'bench_4c1d9e77a0f2',
    entries: urls.map((url, i) => ({ name: NAMES[i]!, url, headers: { [`X-${i}`]: '<b>' }, enabled: true })),
  },
  audiences: [
    {
      name: NAMES[4]!,
      userIds: HOSTILE_STRINGS.slice(0, 60).map((text) => `u${text}`),
      sync: { when: 'hand' },
      track: false,
    },
  ],
});

/** Each kind of call in turn, with the text wherever a client can put one. */
function callWith(text: string, n: number): Record<string, unknown> {
  const names = { library: { name: text, version: text }, [text]: text, page: { url: text } };
  const common = { userId: `u${text}`, anonymousId: text, messageId: `m${n} ${text}`, context: names };
  const kinds = [
    { type: 'track', event: text, properties: { [text]: text, deep: [{ [text]: [text] }] } },
    { type: 'identify', traits: { [text]: text, email: text, name: text } },
    { type: 'page', name: text, category: text, properties: { [text]: text } },
    { type: 'group', groupId: text, traits: { name: text } },
    { type: 'alias', previousId: text },
    { type: 'screen', name: text, properties: { title: text } },
  ];
  return { ...common, ...kinds[n % kinds.length] };
}

const everything = {
  type: 'track',
  event: 'Everything',
  userId: 'u',
  properties: Object.fromEntries(HOSTILE_STRINGS.map((text) => [text, text])),
};

/** Calls of every kind, texts that are no calls, unknown keys and unknown paths. */
async function fill({ ingestUrl }: LaunchedHeadless): Promise<void> {
  const tracks = HOSTILE_STRINGS.map((text, n) => ({ ...callWith(text, 6 * n), messageId: `t${n}` }));
  const calls = [...HOSTILE_STRINGS.map(callWith), ...tracks];
  for (let from = 0; from < calls.length; from += 50)
    await postCall(ingestUrl, KEY, 'batch', { batch: calls.slice(from, from + 50) });
  for (const text of HOSTILE_STRINGS.slice(0, 20)) {
    await postText(ingestUrl, KEY, 'track', `{"event": ${text}`);
    await postText(ingestUrl, text, 'track', JSON.stringify(callWith(text, 0)));
    await postText(ingestUrl, KEY, encodeURIComponent(text.toWellFormed()), text);
  }
  await postCall(ingestUrl, KEY, 'track', everything);
}

/** What a page may not do. */
function watch(app: LaunchedHeadless): string[] {
  const { page, problems } = app;
  const origin = new URL(app.uiUrl).origin;
  const isOwn = (url: string): boolean => /^(blob|data):/.test(url) || new URL(url).origin === origin;
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => problems.push(`popup: ${popup.url()}`));
  page.on('request', (request) => !isOwn(request.url()) && problems.push(`request: ${request.url()}`));
  page.on('framenavigated', (frame) => !isOwn(frame.url()) && problems.push(`navigation: ${frame.url()}`));
  return problems;
}

/** Elements that only markup out of a text could have made. */
const strangers = (page: Page): Promise<number> =>
  page
    .locator('script:not([src]), iframe, base, object, embed, img[src="x"], [onerror], [onload], [href^="javascript:"]')
    .count();

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.locator('h1').filter({ visible: true }).first().waitFor();
}

/** Texts of the list's cells, from its top to its end. */
async function listed(page: Page): Promise<Set<string>> {
  const grid = page.locator('[role="grid"]');
  const seen = new Set<string>();
  for (let isEnd = false; !isEnd; ) {
    const texts = await grid.locator('[role="row"] bdi').evaluateAll((all) => all.map((one) => one.textContent ?? ''));
    for (const text of texts) seen.add(text);
    isEnd = await grid.evaluate(async (element) => {
      const box = [element, ...element.querySelectorAll('*'), ...(element.parentElement?.children ?? [])].find(
        (one) => one.scrollHeight > one.clientHeight + 40 && getComputedStyle(one).overflowY !== 'visible',
      )!;
      const before = box.scrollTop;
      box.scrollTop += box.clientHeight / 2;
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
      return box.scrollTop === before;
    });
    await expect(grid.locator('[aria-busy="true"]')).toHaveCount(0);
  }
  return seen;
}

let app: LaunchedHeadless;
let receivers: Receiver[] = [];
test.beforeEach(async () => {
  const body = (n: number) => `<script>alert(${n})</script>\u202e${HOSTILE_STRINGS[40 + n]}`;
  receivers = await Promise.all(
    [200, 503, 400].map((status, n) =>
      startReceiver({ status, body: body(n), headers: { 'X-Answer': '<img src=x onerror=alert(1)>' } }),
    ),
  );
  app = await launchHeadless({ config: configFor(receivers.map(({ url }) => url)), page: { reducedMotion: 'reduce' } });
});
test.afterEach(async () => {
  await app.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

const ROUTES = [
  ...['overview', 'live', 'people', 'replay', 'webhooks', 'webhooks/1', 'webhooks/rules', 'receivers', 'signature'],
  ...['sources', 'audiences/1', 'audiences/1/edit', 'audiences/1/import', 'deletions', 'deletions/new', 'faults'],
  ...['settings/ingest', 'settings/storage', 'settings/privacy', 'settings/about'],
].map((path) => `#/${path}`);
const TABS = ['', '/payload', '/compare', '/signature', '/raw', '/compare/full'];

test('hostile texts can be read as they were sent, and do nothing on any screen', async () => {
  test.setTimeout(300_000);
  const { page } = app;
  page.setDefaultTimeout(30_000);
  const problems = watch(app);
  await fill(app);
  await expect.poll(() => receivers[0]!.requests.length, { timeout: 120_000 }).toBeGreaterThan(450);

  await test.step('in the list', async () => {
    await go(page, '#/live');
    await expect(page.locator('[role="grid"] [role="row"]').nth(5)).toBeVisible();
    const seen = await listed(page);
    const missing = HOSTILE_STRINGS.filter((text) => !seen.has(shown(text)));
    expect(missing.map((text) => [...text].map(codePoint).join(' '))).toEqual([]);
  });

  const still = async (where: string): Promise<void> => {
    expect([where, problems, await strangers(page)]).toEqual([where, [], 0]);
  };

  await test.step('in a message that holds all of them', async () => {
    await go(page, '#/live');
    await page.getByRole('searchbox').fill('event:Everything ');
    await page.locator('[role="grid"] [role="row"]', { hasText: 'Everything' }).first().click();
    await page.getByRole('tab', { name: 'Payload' }).waitFor();
    await page.getByRole('button', { name: 'Remove event:Everything' }).click();
    const hash = await page.evaluate(() => location.hash);
    const id = /live\/(\d+)/.exec(hash)![1];
    for (const tab of TABS) {
      await go(page, `#/live/${id}${tab}`);
      await page.waitForLoadState('networkidle');
      await still(`#/live/ID${tab}`);
    }
    for (const place of ['replay', 'signature']) {
      await go(page, `#/${place}/${id}`);
      await page.waitForLoadState('networkidle');
      await still(`#/${place}/ID`);
    }
  });

  await test.step('in messages, people and their titles', async () => {
    for (let n = 0; n < HOSTILE_STRINGS.length; n += 17) {
      await go(page, `#/live/${n + 1}${TABS[n % 5]}`);
      await page.locator('[role="tabpanel"]').filter({ visible: true }).first().waitFor();
      await go(page, `#/people/${encodeURIComponent(`u${HOSTILE_STRINGS[n]!.toWellFormed()}`)}`);
      await still(`message ${n + 1}`);
    }
  });

  await test.step('on every screen', async () => {
    for (const route of ROUTES) {
      await go(page, route);
      await page.waitForLoadState('networkidle');
      await expect(page).not.toHaveTitle(/No such page/);
      await still(route);
    }
  });

  await test.step('typed as a filter and into the palette', async () => {
    await go(page, '#/live');
    const field = page.getByRole('searchbox');
    for (const text of HOSTILE_STRINGS) await field.fill(text.toWellFormed());
    await field.fill('');
    await expect(page.locator('[role="grid"] [role="row"]').nth(5)).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog').getByRole('combobox');
    for (let n = 0; n < HOSTILE_STRINGS.length; n += 5) await palette.fill(HOSTILE_STRINGS[n]!.toWellFormed());
    await still('typed');
  });
});
