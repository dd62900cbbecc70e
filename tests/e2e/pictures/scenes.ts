/** What the pictures show: each scene is an address and what is done there. */
import type { Page } from '@playwright/test';
import { send } from './seed.ts';

export interface Scene {
  readonly name: string;
  readonly at: string;
  readonly act?: (page: Page) => Promise<void>;
}
type Act = (page: Page) => Promise<void>;

/** Ids of messages by the order in which the seed sends its calls. */
const DELIVERED = 12;
const RETRYING = 35;
const QUEUED = 50;

const press =
  (role: Parameters<Page['getByRole']>[0], name: string | RegExp): Act =>
  (page) =>
    page.getByRole(role, { name }).first().click({ timeout: 4_000 });
const key =
  (keys: string): Act =>
  (page) =>
    page.keyboard.press(keys);
const inTurn =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };
const settings = (section: string, act?: Act): Scene => ({
  name: `settings-${section}`,
  at: `#/settings/${section}`,
  act,
});

export const FIRST_RUN_SCENES: readonly Scene[] = [
  { name: 'first-run', at: '#/live' },
  { name: 'first-run-snippet', at: '#/live', act: press('tab', 'Browser JS') },
  { name: 'first-run-checks', at: '#/live', act: press('button', 'Nothing arriving?') },
  { name: 'first-overview', at: '#/overview' },
  { name: 'first-replay', at: '#/replay' },
  { name: 'first-webhooks', at: '#/webhooks' },
];

const refuseClipboard: Act = (page) =>
  page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });
    document.execCommand = () => false;
  });
const sendFaulty: Act = async () => {
  const library = { name: '@segment/analytics-node', version: '3.1.0' };
  const call = { type: 'track', userId: 'u', event: 'Under faults', context: { library } };
  for (const messageId of ['one', 'one', 'two', 'three']) await send({ ...call, messageId });
};
const pasteMembers: Act = (page) =>
  page.getByRole('textbox').first().fill('user_id,name\nusr_300,Ada\nusr_8f21,Kemi\n,Nobody\nusr_300,Ada again\n');
const writeIds: Act = (page) =>
  page.getByRole('textbox', { name: 'User ids, one in a line' }).fill('usr_8f21\nUSR_8f21\nusr_none\nusr_8f21');

const OVERVIEW: readonly Scene[] = [
  { name: 'overview', at: '#/overview' },
  { name: 'overview-limits', at: '#/overview', act: press('radio', 'Time limits') },
  { name: 'overview-table', at: '#/overview', act: press('button', 'View as table') },
];
const LIVE: readonly Scene[] = [
  { name: 'live', at: '#/live' },
  { name: 'live-rejected', at: '#/live', act: press('button', /^Rejected/) },
  {
    name: 'live-filter',
    at: '#/live',
    act: async (page) => {
      await page.getByRole('searchbox', { name: 'Filter messages' }).fill('type:track order');
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'live-nothing',
    at: '#/live',
    act: (page) => page.getByRole('searchbox', { name: 'Filter messages' }).fill('zzz'),
  },
  { name: 'live-add-filter', at: '#/live', act: press('button', 'Filter') },
  { name: 'live-columns', at: '#/live', act: press('button', 'Columns') },
];
const DETAIL: readonly Scene[] = [
  { name: 'detail-delivered', at: `#/live/${DELIVERED}`, act: press('button', /Legacy ERP/) },
  { name: 'detail-retrying', at: `#/live/${RETRYING}`, act: press('button', /^Schedule/) },
  { name: 'detail-chart-table', at: `#/live/${RETRYING}`, act: press('button', 'View as table') },
  { name: 'detail-rules', at: `#/live/${RETRYING}`, act: press('button', /With other delivery rules/) },
  { name: 'detail-queued', at: `#/live/${QUEUED}` },
  { name: 'detail-payload', at: `#/live/${DELIVERED}/payload` },
  { name: 'detail-raw', at: `#/live/${DELIVERED}/raw`, act: press('radio', 'Hex') },
  { name: 'detail-full', at: `#/live/${RETRYING}/attempts/full`, act: press('button', /Legacy ERP/) },
];
const REPLAY: readonly Scene[] = [
  { name: 'replay', at: '#/replay' },
  { name: 'replay-message', at: `#/replay/${DELIVERED}` },
  { name: 'replay-change', at: `#/replay/${DELIVERED}`, act: press('button', 'Change message') },
];
const WEBHOOKS: readonly Scene[] = [
  { name: 'webhooks', at: '#/webhooks' },
  { name: 'webhook', at: '#/webhooks/1', act: press('button', 'Add header') },
  { name: 'webhook-new', at: '#/webhooks', act: press('button', 'Settings of Archive') },
  { name: 'webhook-remove', at: '#/webhooks/3', act: press('button', 'Remove') },
  { name: 'webhook-secret', at: '#/webhooks', act: press('button', 'New secret') },
  { name: 'webhook-enter-secret', at: '#/webhooks', act: press('button', 'Replace') },
  { name: 'rules', at: '#/webhooks/rules' },
  { name: 'rules-listed', at: '#/webhooks/rules', act: press('radio', 'webhook-signature') },
];
const RECEIVERS: readonly Scene[] = [
  { name: 'receivers', at: '#/receivers' },
  { name: 'receiver', at: '#/receivers/flaky' },
  { name: 'receiver-new', at: '#/receivers', act: press('button', 'New receiver') },
  { name: 'receiver-more', at: '#/receivers/flaky', act: press('button', 'More for Flaky') },
  { name: 'receiver-response', at: '#/receivers/flaky', act: press('button', /^Response of step 1/) },
];
const SOURCES: readonly Scene[] = [
  { name: 'sources', at: '#/sources' },
  { name: 'source-new', at: '#/sources', act: press('button', 'Add source') },
  { name: 'source-events', at: '#/sources', act: press('button', /^Track events of checkout-api/) },
];
const SETTINGS: readonly Scene[] = [
  settings('ingest'),
  settings('storage'),
  settings('delivery'),
  settings('privacy'),
  settings('appearance'),
  settings('shortcuts'),
  settings('about', press('button', 'Licence of Geist')),
];
const AUDIENCES: readonly Scene[] = [
  { name: 'audience', at: '#/audiences/1' },
  { name: 'audience-members', at: '#/audiences/1/members' },
  { name: 'audience-add', at: '#/audiences/1/members', act: press('button', 'Add members') },
  { name: 'audience-syncs', at: '#/audiences/1/syncs' },
  { name: 'audience-sync', at: '#/audiences/1/syncs/1' },
  { name: 'audience-import', at: '#/audiences/1/import', act: pasteMembers },
  { name: 'audience-hostile', at: '#/audiences/3' },
  { name: 'audience-new', at: '#/audiences', act: press('button', 'New audience') },
  { name: 'rule', at: '#/audiences/2' },
  { name: 'rule-edit', at: '#/audiences/2/edit' },
  { name: 'rule-new', at: '#/audiences/new' },
  { name: 'trait', at: '#/audiences/traits/4' },
  { name: 'trait-sync', at: '#/audiences/traits/4/syncs/1' },
  { name: 'trait-new', at: '#/audiences/traits/new' },
];
const DELETIONS: readonly Scene[] = [
  { name: 'deletion', at: '#/deletions/1' },
  { name: 'deletion-new', at: '#/deletions/new', act: inTurn(writeIds, press('checkbox', 'Erase stored messages')) },
  { name: 'deletion-suppressed', at: '#/deletions/suppressed' },
  { name: 'deletion-gone', at: '#/deletions/99' },
];
const FRAME: readonly Scene[] = [
  { name: 'unknown', at: '#/nothing-here' },
  { name: 'workspace-menu', at: '#/webhooks', act: press('button', /^Workspace/) },
  { name: 'shortcuts', at: '#/webhooks', act: key('?') },
  { name: 'tooltip', at: '#/webhooks', act: (page) => page.getByLabel('Copy ingest URL').hover() },
  { name: 'toast', at: '#/webhooks', act: inTurn(refuseClipboard, press('button', 'Copy ingest URL')) },
  { name: 'rail', at: '#/overview', act: key('Control+\\') },
  { name: 'rail-off', at: '#/overview', act: key('Control+\\') },
];
/** Last, because their rules stay on. */
const FAULTS: readonly Scene[] = [
  { name: 'faults', at: '#/faults' },
  {
    name: 'faults-on',
    at: '#/faults',
    act: inTurn(press('button', 'Rate limited'), sendFaulty, press('button', 'Close notice')),
  },
  { name: 'faults-report', at: '#/faults', act: press('button', /^one/) },
];

export const SCENES: readonly Scene[] = [
  ...OVERVIEW,
  ...LIVE,
  ...DETAIL,
  ...REPLAY,
  ...WEBHOOKS,
  ...RECEIVERS,
  ...SOURCES,
  ...SETTINGS,
  ...AUDIENCES,
  ...DELETIONS,
  ...FRAME,
  ...FAULTS,
];
