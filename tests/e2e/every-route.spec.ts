/** Axe on every page of the interface, with its data on it, in the smallest window, where the most has to scroll. */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import type { AudienceTab, DetailTab, ScreenId, SettingsSection } from '../../src/renderer/stores/route.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const KEY = 'wk_routes';
const config: Config = {
  sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
  webhooks: { sharedSecret: 'secret-of-the-routes', entries: [] },
  audiences: [
    { name: 'VIP', property: 'vip', userIds: ['usr_1', 'usr_2'], sync: { when: 'hand' }, track: false },
    {
      name: 'Pro plan',
      property: 'pro_plan',
      rule: { match: 'all', of: [{ kind: 'trait', path: 'plan', test: { op: 'is', value: 'pro' } }] },
      sync: { when: 'hand' },
      track: false,
    },
  ],
  traits: [
    {
      name: 'Lifetime value',
      property: 'lifetime_value',
      definition: { kind: 'sum', event: 'Order Completed', path: 'properties.total', where: [], withinMs: 86_400_000 },
      sync: { when: 'hand' },
    },
  ],
};

/** The addresses of a screen, each with a text that stands there only when its data does. */
type Pages = Readonly<Record<string, string | RegExp>>;

const MESSAGE: Record<DetailTab, string | RegExp> = {
  attempts: /^Round 1/,
  payload: '"field 7"',
  compare: 'What changed before sending',
  signature: /computed by the engine/,
  raw: 'Byte for byte as received.',
};
const SECTIONS: Record<SettingsSection, string | RegExp> = {
  ingest: 'what a client is told',
  storage: /of 100,000 messages/,
  delivery: '1 of 1 webhook on',
  privacy: 'this machine, on',
  appearance: 'of this window, whatever the workspace',
  shortcuts: /\d+ shortcuts/,
  about: 'Headless, in a browser',
};
const AUDIENCE: Record<AudienceTab, string | RegExp> = {
  pending: 'The next sync has nothing to send.',
  members: 'usr_2',
  syncs: 'First sync',
};

const under = (address: string, pages: Pages): Pages =>
  Object.fromEntries(Object.entries(pages).map(([part, text]) => [`${address}/${part}`, text]));

/** Every screen: a new one does not compile before it is here. */
const SCREENS: Record<ScreenId, Pages> = {
  live: { live: 'Order Completed', ...under('live/1', MESSAGE), 'live/1/compare/full': 'Normalised' },
  people: { people: /^2 people/, 'people/usr_1': /^Nothing found in/ },
  replay: { replay: 'Order Completed', 'replay/1': '"field 7"' },
  webhooks: { webhooks: /^Last /, 'webhooks/1': 'Static headers', 'webhooks/rules': 'Reset to Documented' },
  receivers: {
    receivers: 'Redirect',
    'receivers/flaky': 'Used by webhook 1',
    'receivers/flaky/1': /before the receivers were started/,
  },
  signature: { signature: 'Order Completed', 'signature/1': /^round 1 on Flaky/ },
  audiences: {
    audiences: 'Pro plan',
    'audiences/new': /people/,
    ...under('audiences/1', AUDIENCE),
    'audiences/1/pending': 'The next sync has nothing to send.',
    'audiences/1/syncs/1': 'Started by you, 2 members',
    'audiences/1/edit': 'Its members are a list, not a rule.',
    'audiences/1/import': /^Paste ids/,
    'audiences/2/edit': 'Not seen yet. 0 people.',
    'audiences/traits': 'Lifetime value',
    'audiences/traits/new': 'people per value',
    'audiences/traits/3': '184 to 185',
  },
  deletions: {
    deletions: 'usr_1',
    'deletions/new': /^Line 1:|Paste one or more/,
    'deletions/suppressed': 'Lift',
    'deletions/1': 'usr_1',
  },
  settings: under('settings', SECTIONS),
  overview: { overview: 'Attempts by webhook' },
  sources: { sources: 'wk_routes' },
  faults: { faults: 'Flaky network' },
  unknown: { nowhere: 'There is no page at #/nowhere' },
};

let headless: LaunchedHeadless | null = null;
test.afterEach(async () => {
  await headless?.stop();
  headless = null;
});

const visit = (page: Page, address: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${address}`);

async function postOrder(ingestUrl: string): Promise<void> {
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field ${n}`, n]));
  const call = { userId: 'usr_1', event: 'Order Completed', properties: { ...properties, total: 184.5 } };
  await postCall(ingestUrl, KEY, 'track', call);
}

/** A call that a receiver refused, a sync and a request for deletion, so that every page has something to show. */
async function open(): Promise<Page> {
  headless = await launchHeadless({ config, page: { viewport: { width: 880, height: 600 } } });
  const { page, ingestUrl } = headless;
  await visit(page, 'receivers/flaky');
  await page.getByRole('button', { name: 'Use as webhook' }).click();
  await expect(page.getByText('Used by webhook 1')).toBeVisible();
  await postOrder(ingestUrl);
  await expect(page.getByRole('region', { name: 'Requests' }).getByRole('listitem')).not.toHaveCount(0);
  await visit(page, 'audiences/1');
  await page.getByRole('button', { name: 'Sync 2 members' }).click();
  await expect(page.getByText('Everyone was told.')).toBeVisible();
  await visit(page, 'deletions/new');
  await page.getByRole('textbox').first().fill('usr_1');
  await page.getByRole('checkbox', { name: 'Suppress from now on' }).click();
  await page.getByRole('button', { name: /^Send 1 notice/ }).click();
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /^Send 1/ })
    .click();
  await expect(page).toHaveURL(/deletions\/1$/);
  return page;
}

async function problemsOf(page: Page, address: string, text: string | RegExp): Promise<string[]> {
  // Over a page of nothing, so that no text of the page before is taken for one of this page.
  await visit(page, 'between');
  await page.getByText('There is no page at #/between').waitFor();
  await visit(page, address);
  const found = page.locator('main, [role="dialog"]').getByText(text).filter({ visible: true });
  await expect(found.first(), `${address} shows its data`).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  return accessibilityProblems(page);
}

/** A test for each, so that they run side by side. */
const GROUPS: Readonly<Record<string, readonly ScreenId[]>> = {
  messages: ['live', 'people', 'replay', 'signature', 'overview'],
  audiences: ['audiences', 'deletions', 'unknown'],
  setup: ['webhooks', 'receivers', 'sources', 'faults', 'settings'],
};

test('every screen is in a group', () => {
  expect(Object.values(GROUPS).flat().sort()).toEqual(Object.keys(SCREENS).sort());
});

test('the audit names a button without a name, which no colour shows', async () => {
  headless = await launchHeadless();
  const { page } = headless;
  await visit(page, 'nowhere');
  await page.getByText('There is no page at #/nowhere').waitFor();
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
  expect(await accessibilityProblems(page)).toEqual([expect.stringMatching(/^dark: button-name: /)]);
});

for (const [group, screens] of Object.entries(GROUPS)) {
  test(`axe finds nothing on any page of ${group}`, async () => {
    const page = await open();
    const found: string[] = [];
    for (const screen of screens)
      for (const [address, text] of Object.entries(SCREENS[screen]))
        found.push(...(await problemsOf(page, address, text)).map((problem) => `${address}: ${problem}`));
    expect(found).toEqual([]);
  });
}
