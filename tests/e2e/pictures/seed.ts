/** The workspace that the pictures show: every call type, every outcome, hostile names, audiences, a deletion. */
import type { Config } from '../../../src/contract/config.ts';
import { postText } from '../post-call.ts';
import { hookbench, INGEST_URL, RECEIVERS_URL, serve } from './serve.ts';

export const KEY = 'wk_checkout';
const entry = (name: string, receiver: string, more = {}) => ({
  name,
  url: `${RECEIVERS_URL}/r/${receiver}`,
  headers: {},
  enabled: true,
  ...more,
});

const WEBHOOKS = [
  entry('CRM sync', 'ok', {
    headers: { 'X-Tenant': { value: 'acme', shown: true }, Authorization: 'Bearer 0123456789' },
  }),
  entry('Warehouse loader', 'flaky'),
  entry('Legacy ERP', '500'),
  entry('Nobody', '', { url: 'http://127.0.0.1:9/nothing-listens' }),
  entry('Archive', 'ok', { enabled: false }),
];

const members = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `usr_${from + i}`);
const AUDIENCES: Config['audiences'] = [
  { name: 'High Value Customers', userIds: members(100, 104), sync: { when: 'hand' }, track: false },
  {
    name: 'Winter buyers',
    rule: {
      match: 'all',
      of: [
        { kind: 'trait', path: 'locale', test: { op: 'is_one_of', values: ['en', 'de'] } },
        {
          kind: 'event',
          event: 'Order Completed',
          op: 'at_least',
          times: 2,
          withinMs: 2_592_000_000,
          where: [{ path: 'properties.total', test: { op: 'above', value: 100 } }],
        },
      ],
    },
    sync: { when: 'hand' },
    track: false,
  },
  { name: '\u202EHostile <b>', property: 'hostile', userIds: [' u', '<b>x</b>'], sync: { when: 'hand' }, track: true },
];
const TRAITS: Config['traits'] = [
  {
    name: 'Lifetime value',
    definition: { kind: 'sum', event: 'Order Completed', path: 'properties.total', where: [], withinMs: null },
    sync: { when: 'hand' },
  },
];

const CONFIG: Config = {
  sources: [
    {
      name: 'checkout-api',
      writeKey: KEY,
      kind: 'server',
      enabled: true,
      webhooks: true,
      eventsOff: ['Product Viewed', 'Page Scrolled'],
    },
    { name: 'storefront-web', writeKey: 'wk_web', kind: 'web', enabled: true, webhooks: true },
    { name: 'ios-app', writeKey: 'wk_ios', kind: 'mobile', enabled: true, webhooks: false },
  ],
  webhooks: { sharedSecret: 's3cret-for-pictures', entries: WEBHOOKS },
  audiences: AUDIENCES,
  traits: TRAITS,
  ingest: { https: { enabled: true, port: 18769 } },
  clock: { speed: 240 },
};
/** Every webhook fails. */
const FAILING: Config = {
  webhooks: { entries: WEBHOOKS.map((one) => ({ ...one, enabled: ['Legacy ERP', 'Nobody'].includes(one.name) })) },
};
/** Nothing moves: delivery is held and the retry clock stands. */
export const STILL: Config = {
  webhooks: { entries: WEBHOOKS, paused: true },
  clock: { paused: true },
};
export const FIRST_RUN: Config = {
  sources: [{ name: 'dev', writeKey: 'wk_dev_7f3a9c', kind: 'server', enabled: true, webhooks: true }],
  clock: { paused: true },
};

const context = { ip: '203.0.113.24', library: { name: 'analytics-go', version: '3.3.0' }, locale: 'de-AT' };
const CALLS: readonly Record<string, unknown>[] = [
  { type: 'identify', userId: 'usr_8f21', traits: { email: 'a@example.com', name: 'Ada', locale: 'en' }, context },
  { type: 'page', userId: 'usr_8f21', category: 'Checkout', name: 'Review', properties: { path: '/review' }, context },
  { type: 'group', userId: 'usr_7d2e', groupId: 'g_1', traits: { name: 'Acme Outlet GmbH' }, context },
  { type: 'alias', userId: 'usr_41c0', previousId: '5e0c91', context },
  { type: 'screen', userId: 'usr_c3f5', name: 'Order Summary', context },
  { type: 'track', userId: 'usr_b812', event: 'تم إكمال الطلب', properties: { total: 12 }, context },
  { type: 'track', userId: 'usr_2b9d', event: 'Not Wanted', integrations: { All: false }, context },
  { type: 'track', event: 'No One', context },
  { type: 'track', userId: 'usr_0a77', event: 'Catalog Imported', properties: { blob: 'x'.repeat(42_000) }, context },
  { type: 'track', userId: 'u\u202Egnp.exe', event: 'left\u202Eright\u200B zero\u0007bell', properties: { a: 1 } },
  { type: 'track', userId: '<b>x</b>', event: `<img src=x>${'W'.repeat(3000)}`, properties: { a: 1 } },
  {
    type: 'track',
    userId: 'usr_8f21',
    event: 'Order Completed',
    properties: { orderId: 'A-10482', total: 184.5, currency: 'EUR', coupon: 'WINTER & CO', items: [1, null, true] },
    context,
  },
];

/** Ingest may refuse the call, as it does under faults. */
export async function send(call: Record<string, unknown>): Promise<void> {
  await postText(INGEST_URL, KEY, 'batch', JSON.stringify({ batch: [call] }));
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Two syncs with a change between them and one to come, and a user who is deleted. */
async function useAudiences(root: string, workspace: string): Promise<void> {
  const run = (...words: string[]) => hookbench(root, workspace, words);
  const edit = (...edits: string[]) => run('audiences', 'members', 'High Value Customers', ...edits);
  const sync = () => run('audiences', 'sync', 'High Value Customers', '--wait');
  await sync();
  await edit('--add', 'usr_200', '--add', ' spaced ', '--remove', 'usr_101');
  await sync();
  await edit('--add', 'usr_8f21', '--remove', 'usr_102');
  await run('traits', 'sync', 'Lifetime value', '--wait');
  await send({ type: 'track', userId: 'usr_gone', event: 'Order Completed' });
  await run('deletions', 'add', '--user', 'usr_gone', '--user', 'Usr_8f21', '--erase', '--suppress', '--wait');
}

/** Fills a new workspace with the build at `root`; gives the time at which its pictures are taken. */
export async function seed(root: string, workspace: string): Promise<number> {
  const life = async (config: Config, afterMs: number, calls = CALLS, act = async () => {}) => {
    const run = await serve(root, { workspace, config });
    for (const call of calls) await send(call);
    await act();
    await wait(afterMs);
    await run.stop();
  };
  await life(CONFIG, 2_500, [...CALLS, ...CALLS], () => useAudiences(root, workspace));
  await life(FAILING, 4_000, [...CALLS, { type: 'track', userId: 'x', event: 'Order Completed' }]);
  await life(STILL, 1_000);
  return Date.now() + 1_000;
}
