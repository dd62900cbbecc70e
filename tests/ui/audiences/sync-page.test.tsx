/** The page of a sync on the real engine with simulated webhooks and time. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import { toFilter } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { answer } from '../../helpers/sim-transport.ts';
import {
  byName,
  cellsOf,
  click,
  connectEngine,
  disconnect,
  inputsOf,
  press,
  type Rendered,
  render,
  settle,
  settled,
  until,
} from '../base/harness.tsx';

const HOOK = 'http://crm.test/hook';
const readers = (count: number, more: object = {}) => ({
  name: 'Newsletter Readers',
  userIds: Array.from({ length: count }, (_, i) => `nl_${String(i + 1).padStart(4, '0')}`),
  sync: { when: 'hand' as const },
  track: false,
  ...more,
});
const CHURN = { name: 'Churn Risk', userIds: ['c'], sync: { when: 'hand' as const }, track: false };

let engine: SimEngine;
let shown: Rendered;
const show = (n: number, audienceId = 1) => navigate({ screen: 'audiences', audienceId, tab: 'pending', sync: n });
async function open(audiences: Config['audiences']): Promise<void> {
  engine = await connectEngine({
    config: { audiences, webhooks: { entries: [{ name: 'CRM', url: HOOK, headers: {}, enabled: true }] } },
  });
  show(1);
  shown = await render(
    <>
      <AudiencesScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

const text = () => document.body.textContent ?? '';
const ledger = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dl[class*="ledger"] > div')].map((part) => [
      part.querySelector('dt')?.textContent,
      part.querySelector('dd')?.textContent,
    ]),
  );
/** Webhooks refuse these users. */
const refuse = (status: number, ...users: string[]) =>
  engine.transport.on(HOOK, ({ body }) =>
    users.some((user) => String(body).includes(`"${user}"`)) ? answer(status) : answer(200),
  );
const sync = (id = 1) => settled(call('audiences.sync', { id }));

describe('a sync', () => {
  it('that is done shows a sum that adds up, what happened, and its calls one by one', async () => {
    await open([readers(3)]);
    expect(text()).toContain('Not synced yet.');
    expect(text()).toContain('The first sync sends 3 calls.');
    await sync();
    await until(() => text().includes('Done: 3 delivered, 0 failed, 0 waiting.'));
    expect(ledger()).toEqual({ Expected: '3', Delivered: '3', Failed: '0', Waiting: '0' });
    expect(text()).toContain('of 3 members settled');
    expect(byName('section', 'Events').textContent).toMatch(/Started by you, 3 members.*Done/);
    expect(text()).toContain('3 members sent, each in one message of its own; none twice');
    expect(text()).toContain('$ hookbench audiences sync "Newsletter Readers" --wait');
    await until(() => text().includes('3 of 3'));
    expect(byName('section', 'Body').textContent).toContain('"userId": "nl_0003"');
    await press(document.body, '[');
    await until(() => text().includes('2 of 3'));
    expect(byName('section', 'Body').textContent).toContain('"userId": "nl_0002"');
    await press(document.body, ']');
    await until(() => text().includes('3 of 3'));
    expect(document.querySelector('[aria-label="While it runs"]')).toBeNull();
    expect(document.querySelector('section[aria-label="Failed"]')).toBeNull();
  });

  it('groups what failed by reason and links each call to its message', async () => {
    await open([readers(8)]);
    refuse(422, 'nl_0001', 'nl_0002', 'nl_0003', 'nl_0004', 'nl_0005', 'nl_0006');
    await sync();
    await until(() => text().includes('Done: 2 delivered, 6 failed, 0 waiting.'));
    expect(byName('section', 'Failed').textContent).toContain('6 \u00d7 422');
    await until(() => cellsOf('Failed calls').length === 5);
    expect(cellsOf('Failed calls')[0]!.slice(1)).toEqual(['nl_0001', expect.any(String), 'Declined 422', '', 'Open']);
    await click(byName('button', 'Show all 6'));
    expect(cellsOf('Failed calls')).toHaveLength(6);
    const link = byName('a', 'Open the message of nl_0006');
    expect(link.getAttribute('href')).toMatch(/^#\/live\/\d+$/);
    link.focus();
    await press(link, '[');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Open the message of nl_0005');
  });

  it('stays as it is when its failed calls are replayed', async () => {
    await open([readers(3)]);
    refuse(422, 'nl_0002', 'nl_0003');
    await sync();
    await until(() => text().includes('Done: 1 delivered, 2 failed, 0 waiting.'));
    engine.transport.on(HOOK, () => answer(200));
    await click(byName('button', 'Replay 2\u2026'));
    expect(byName('[role="dialog"]', /./).textContent).toContain('The ledger of the sync stays as it is.');
    await click(byName('[role="dialog"] footer button', 'Replay'));
    await until(() => document.querySelector('[role="dialog"]') === null);
    expect(inputsOf('replay.sendFailed')).toEqual([{ sync: 1, webhookIds: [1], after: 0 }]);
    expect(inputsOf('replay.send')).toEqual([]);
    expect(text()).toContain('2 replays begun');
    await until(() => engine.transport.sent.length === 5);
    expect(ledger()).toEqual({ Expected: '3', Delivered: '1', Failed: '2', Waiting: '0' });
  });

  it('says which failed calls could not be replayed', async () => {
    await open([readers(3)]);
    refuse(422, 'nl_0001', 'nl_0002', 'nl_0003');
    await sync();
    await until(() => text().includes('3 failed, 0 waiting.'));
    await settled(call('deletions.create', { userIds: ['nl_0002'], erase: true, suppress: false }));
    await until(() => engine.engine.parts.stores.lists.message(2) === undefined);
    await click(byName('button', 'Replay 3\u2026'));
    await click(byName('[role="dialog"] footer button', 'Replay'));
    await until(() => text().includes('2 replays begun'));
    expect(text()).toContain('1 call was not replayed: 1 was removed with its message.');
  });

  it('says in the dialog that no call could be replayed', async () => {
    await open([readers(1)]);
    refuse(422, 'nl_0001');
    await sync();
    await until(() => text().includes('1 failed, 0 waiting.'));
    await settled(call('deletions.create', { userIds: ['nl_0001'], erase: true, suppress: false }));
    await until(() => engine.engine.parts.stores.erasure.calls({ after: 0, upTo: 99, limit: 9 }).length === 0);
    await click(byName('button', 'Replay 1\u2026'));
    await click(byName('[role="dialog"] footer button', 'Replay'));
    await until(() => document.querySelector('[role="dialog"] [role="alert"]') !== null);
    expect(byName('[role="dialog"]', /./).textContent).toContain('1 call was not replayed: 1 was removed with its');
    expect(text()).not.toContain('begun');
  });

  it('says that replays were refused, and keeps the dialog', async () => {
    await open([readers(1)]);
    refuse(422, 'nl_0001');
    await sync();
    await until(() => text().includes('1 failed, 0 waiting.'));
    await click(byName('button', 'Replay 1\u2026'));
    engine.failNext('replay.sendFailed', new ContractError('store_not_writable'));
    await click(byName('[role="dialog"] footer button', 'Replay'));
    await until(() => text().includes('The store cannot be written.'));
    expect(document.querySelector('[role="dialog"]')).not.toBeNull();
  });

  it('waits while delivery is paused, with the remedy; S stops and resumes it', async () => {
    await open([readers(2)]);
    await settled(call('destination.save', { paused: true }));
    await sync();
    await until(() => text().includes('It waits: delivery is paused by a person.'));
    expect(ledger()).toEqual({ Expected: '2', Delivered: '0', Failed: '0', Waiting: '2' });
    expect(text()).toContain('2 unsent, 0 retrying, 0 open');
    expect(text()).toContain('0 of 2 sent');
    expect(text()).not.toMatch(/per second, .* left/);
    expect(text()).toContain('next to be sent');
    await press(document.body, 's');
    await until(() => text().includes('Stopped at 0 of 2. Resume goes on with the next one.'));
    await click(byName('button', 'Resume', byName('section', 'First sync of Newsletter Readers')));
    await until(() => text().includes('Resumed with member 1'));
    await settled(call('audiences.editMembers', { id: 1, add: ['new'] }));
    await until(() => text().includes('Members can change. 1 changed since'));
    await click(byName('button', 'Resume delivery'));
    await until(() => text().includes('Done: 2 delivered, 0 failed, 0 waiting.'));
    expect(engine.transport.sent).toHaveLength(2);
  });

  it('shows its messages in the live stream, and no others', async () => {
    await open([readers(2), CHURN]);
    await sync(2);
    await sync();
    await until(() => text().includes('Done: 2 delivered'));
    await click(byName('button', /Show 2 messages in Live stream/));
    await until(() => useRouteStore.getState().route.screen === 'live');
    const filter = toFilter(liveStream.snapshot().query);
    const { rows: found } = await settled(call('messages.list', { filter, limit: 10 }));
    expect(found.map(({ userId }) => userId).sort()).toEqual(['nl_0001', 'nl_0002']);
  });

  it('stands in the history beside those of other audiences', async () => {
    await open([readers(2), CHURN]);
    await sync(2);
    await sync();
    await until(() => text().includes('Done: 2 delivered'));
    await until(() => cellsOf('Syncs').length === 1);
    const heading = () =>
      document.querySelector('[aria-label="Syncs"] [role="columnheader"]:nth-child(2)')?.textContent;
    expect(heading()).toBe('Audience');
    await click(byName('[role="radio"]', 'All'));
    await until(() => cellsOf('Syncs').length === 2);
    expect(heading()).toBe('Audience or trait');
    const seen = () => cellsOf('Syncs').map((row) => [row[1], row[2], ...row.slice(4)]);
    // The sync of the other audience may still be on its way.
    await until(() => seen()[1]?.[3] === '1');
    expect(seen()).toEqual([
      ['Newsletter Readers', 'First sync', '2', '2', '0', '0'],
      ['Churn Risk', 'First sync', '1', '1', '0', '0'],
    ]);
    expect(byName('a', 'First sync of Churn Risk').getAttribute('href')).toBe('#/audiences/2/syncs/1');
    expect(byName('[role="radio"]', 'All 2')).toBeTruthy();
  });

  it('that is not there, and one that cannot be read', async () => {
    await open([readers(1)]);
    await sync();
    await until(() => text().includes('Done: 1 delivered'));
    await act(async () => show(4));
    await settle();
    expect(text()).toContain('There is no sync 4.');
    expect(text()).toContain('The newest one is sync 1.');
    engine.failNext('audiences.getSync', new ContractError('stopped'));
    await act(async () => show(1));
    await settle();
    expect(text()).toContain('The sync could not be read.');
    await click(byName('button', 'Try again'));
    await until(() => text().includes('Done: 1 delivered'));
  });

  it('is said to be gone when only newer ones are kept, and lists name how many they are', async () => {
    await open([readers(1)]);
    await sync();
    await until(() => text().includes('Done: 1 delivered'));
    await settled(call('audiences.editMembers', { id: 1, add: ['new'] }));
    await sync();
    await act(async () => show(2));
    await until(() => text().includes('Done: 1 delivered'));
    expect(text()).not.toContain('Older ones');
    const { stores, write } = engine.engine.parts;
    const first = stores.syncs.byNumber(1, 1)!.id;
    await settled(
      write((changes) => {
        stores.syncs.removeCalls(first, 9, changes);
        stores.syncs.removeOld({ audienceId: 1, upTo: 1, limit: 1 }, changes);
      }),
    );
    await act(async () => show(1));
    await until(() => text().includes('Sync 1 is not kept any more: only the newest 1,000 are.'));
    await act(async () => show(2));
    await until(() => text().includes('The newest 1 of 2 syncs. Older ones are not kept.'));
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'syncs' }));
    await until(() => byName('[role="tabpanel"]', /./).textContent!.includes('The newest 1 of 2 syncs.'));
    expect(byName('[role="table"]', 'Syncs').getAttribute('aria-rowcount')).toBe('2');
  });

  it('keeps its ledger when its messages are removed', async () => {
    await open([readers(2), CHURN]);
    refuse(422, 'nl_0001', 'nl_0002');
    await sync();
    await until(() => text().includes('Done: 0 delivered, 2 failed, 0 waiting.'));
    shown.unmount();
    // The newest message is never removed.
    await sync(2);
    await settled(call('storage.clear', {}));
    shown = await render(
      <>
        <AudiencesScreen />
        <ToastRegion />
      </>,
    );
    await until(() => text().includes('Done: 0 delivered, 2 failed, 0 waiting.'));
    await until(() => cellsOf('Failed calls').length === 2);
    expect(cellsOf('Failed calls').map((row) => row.at(-1))).toEqual(['gone', 'gone']);
    await click(byName('button', /Show 2 messages in Live stream/));
    expect(text()).toContain('The messages of this sync were removed.');
  });
});
