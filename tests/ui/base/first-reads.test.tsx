/** Lists that read from the engine: placeholders until the first answer, and old rows until those of another search. */
import { act, type ReactElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { CommandName } from '../../../src/contract/commands.ts';
import type { Config } from '../../../src/contract/config.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import DeletionsScreen from '../../../src/renderer/screens/deletions/deletions-screen.tsx';
import { navigate, parseRoute } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import {
  byName,
  connectEngine,
  disconnect,
  type Rendered,
  render,
  settle,
  settled,
  type as typeText,
  until,
} from './harness.tsx';

const KEY = 'wk_web';
const HOOK = 'http://crm.test/hook';
const USERS = ['anna', 'bert', 'hannah'];
const CONFIG: Config = {
  sources: [{ name: 'web', writeKey: KEY, kind: 'web', enabled: true, webhooks: true }],
  webhooks: { entries: [{ name: 'CRM sync', url: HOOK, headers: {}, enabled: true }] },
  audiences: [{ name: 'Readers', userIds: USERS, sync: { when: 'hand' }, track: false }],
};

let engine: SimEngine;
let shown: Rendered;
afterEach(() => {
  shown.unmount();
  disconnect();
});

const hasText = (what: string) => document.body.textContent?.includes(what) ?? false;
const placeholders = () => document.querySelectorAll('[data-skeleton="shown"] > div').length;
const isBusy = () => document.querySelector('[aria-busy="true"]') !== null;
const go = (address: string) => act(async () => navigate(parseRoute(address)));
const order = (userId: string) => ({ type: 'track', userId, event: 'Order Completed' });

/** On a page that reads none of the lists. */
async function open(screen: ReactElement, address: string): Promise<void> {
  engine = await connectEngine({ config: CONFIG }, async ({ transport, post }) => {
    transport.on(HOOK, always(answer(422)));
    await post('/v1/batch', { batch: USERS.map(order) }, KEY);
  });
  await go(address);
  shown = await render(screen);
  await settle();
}
const openAudiences = () => open(<AudiencesScreen />, '#/audiences/new');
const openDeletions = () => open(<DeletionsScreen />, '#/deletions/new');

const sync = () => settled(call('audiences.sync', { id: 1 }));
const suppress = () => settled(call('deletions.create', { userIds: USERS, suppress: true }));
async function countOrders(): Promise<void> {
  const definition = { kind: 'count', event: 'Order Completed', path: null, where: [], withinMs: null };
  await settled(call('audiences.save', { kind: 'trait', name: 'Orders', source: { by: 'computed', definition } }));
}

interface List {
  readonly open: () => Promise<void>;
  /** What the list needs to have rows. */
  readonly before?: () => Promise<unknown>;
  readonly command: CommandName;
  readonly address: string;
  /** Stands there once it is read. */
  readonly says: string;
  readonly rows?: number;
}

const LISTS: Readonly<Record<string, List>> = {
  'the members of an audience': {
    open: openAudiences,
    command: 'audiences.members',
    address: '#/audiences/1/members',
    says: 'hannah',
  },
  'the pending changes of an audience': {
    open: openAudiences,
    command: 'audiences.pending',
    address: '#/audiences/1',
    says: 'bertAdded',
  },
  'the syncs of an audience': {
    open: openAudiences,
    before: sync,
    command: 'audiences.syncs',
    address: '#/audiences/1/syncs',
    says: 'StartedExpected',
  },
  'the syncs on the page of one': {
    open: openAudiences,
    before: sync,
    command: 'audiences.syncs',
    address: '#/audiences/1/syncs/1',
    says: 'ExpectedDelivered',
  },
  'the failed calls of a sync': {
    open: openAudiences,
    before: sync,
    command: 'audiences.syncCalls',
    address: '#/audiences/1/syncs/1',
    says: 'Declined 422',
    rows: 3,
  },
  'the changed values of a trait': {
    open: openAudiences,
    before: countOrders,
    command: 'audiences.pending',
    address: '#/audiences/traits/2',
    says: 'Because of',
    rows: 3,
  },
  'suppressed users': {
    open: openDeletions,
    before: suppress,
    command: 'deletions.suppressions',
    address: '#/deletions/suppressed',
    says: 'hannah',
  },
  'a deletion request': {
    open: openDeletions,
    before: suppress,
    command: 'deletions.users',
    address: '#/deletions/1',
    says: 'hannah',
  },
  'the messages after a deletion request': {
    open: openDeletions,
    before: () => settled(call('deletions.create', { userIds: ['anna'] })),
    command: 'deletions.messagesAfter',
    address: '#/deletions/1',
    says: 'None so far.',
    rows: 3,
  },
};

describe('a list that was never read', () => {
  it.each(Object.entries(LISTS))('has placeholders in place of %s, and then its rows', async (_name, list) => {
    await list.open();
    await list.before?.();
    const release = engine.hold(list.command);
    await go(list.address);
    await until(() => placeholders() > 0);
    expect([placeholders(), hasText(list.says)]).toEqual([list.rows ?? 12, false]);
    release();
    await until(() => hasText(list.says));
    await until(() => !isBusy());
  });
});

describe('another search', () => {
  it.each([
    ['members', openAudiences, undefined, '#/audiences/1/members', 'audiences.members', 'Find a member'],
    [
      'suppressed users',
      openDeletions,
      suppress,
      '#/deletions/suppressed',
      'deletions.suppressions',
      'Find a suppressed user',
    ],
  ] as const)(
    'keeps the old rows of %s until the new ones are there',
    async (_name, start, before, address, command, field) => {
      const rows = () => document.querySelectorAll('[role="rowgroup"] [role="row"]').length;
      const find = async (typed: string) => {
        const release = engine.hold(command);
        const asked = engine.calls.length;
        await typeText(byName('input', field), typed);
        await until(() => engine.calls.slice(asked).some(({ name }) => name === command));
        return release;
      };
      await start();
      await before?.();
      await go(address);
      await until(() => rows() === 3);
      const toAnna = await find('anna');
      expect([rows(), isBusy()]).toEqual([3, false]);
      toAnna();
      await until(() => rows() === 2);
      const toNobody = await find('nobody');
      toNobody();
      await until(() => hasText(' matches.'));
      const toAll = await find('');
      expect(hasText(' matches.')).toBe(false);
      await until(() => placeholders() === 12);
      toAll();
      await until(() => rows() === 3);
    },
  );
});
