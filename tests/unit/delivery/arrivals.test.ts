/** First rounds in the transaction that stores their message, on a real SQLite file. */
import Database from 'better-sqlite3';
import { beforeEach, expect, test, vi } from 'vitest';
import type { StoredMessage } from '../../../src/core/model/records.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import { Core, newMessage, urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import { ALL_ATTEMPTS } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const ONE = webhooksOf(1);
const SECOND = 1_000;

let core: Core;
/** For each commit: how many messages came into each state, and how many requests were on the wire at its end. */
let commits: Array<Record<string, number>>;
let afterCommit: () => void;

const told = ({ counts }: Changes): Record<string, number> => ({
  ...Object.fromEntries([...counts].filter(([, n]) => n !== 0)),
  sent: core.transport.sent.length,
});

beforeEach(async () => {
  const onCommit = (changes: Changes): void => {
    commits.push(told(changes));
    afterCommit();
  };
  core = new Core({ folder: tempWorkspace(), onCommit });
  commits = [];
  afterCommit = () => {};
  for (const slot of [1, 2]) core.transport.on(urlOf(slot), always(answer(200, 10)));
  await core.start(ONE);
  commits = [];
});

const named = (n: number, prefix = 'm') => Array.from({ length: n }, (_, i) => newMessage(`${prefix}${i}`));

/** Stores messages, and lets what follows at once happen. */
async function arrive(...messages: ReturnType<typeof named>): Promise<readonly StoredMessage[]> {
  const stored = await core.done(core.arrive(messages));
  await core.time.settle();
  return stored;
}

const states = (): unknown[] => core.db.prepare('SELECT state FROM messages ORDER BY id').pluck().all();
const attempts = (): unknown[] =>
  core.db.prepare(`SELECT message_id, webhook_id, round, outcome FROM ${ALL_ATTEMPTS} ORDER BY id`).raw().all();

test('a message and its attempts are written in one transaction, and sent after it', async () => {
  await core.setWebhooks([webhookOf(1), webhookOf(2), webhookOf(3, { enabled: false })]);
  commits = [];
  await arrive(newMessage('a'));
  expect([commits, states()]).toEqual([[{ delivering: 1, sent: 0 }], ['delivering']]);
  expect(attempts()).toEqual([
    [1, 1, 1, null],
    [1, 2, 1, null],
  ]);
  expect([core.transport.sent.length, core.dispatcher.inFlight]).toEqual([2, 2]);
  await core.time.advance(SECOND);
  expect([states(), core.dispatcher.queued, core.logged]).toEqual([['delivered'], 0, []]);
});

test('as many begin as there are senders, and the others follow them', async () => {
  await arrive(...named(20));
  expect(commits).toEqual([{ queued: 4, delivering: 16, sent: 0 }]);
  await core.time.advance(SECOND);
  expect(states()).toEqual(Array(20).fill('delivered'));
  expect(core.transport.sent.map(({ body }) => body)).toEqual(named(20).map(({ wire }) => String(wire)));
});

test('none begins before a message that is due already', async () => {
  core.dispatcher.hold(true);
  await arrive(newMessage('first'));
  commits = [];
  const second = core.arrive([newMessage('second')]);
  core.dispatcher.hold(false);
  await core.done(second);
  await core.time.settle();
  expect(commits[0]).toEqual({ queued: 1, sent: 0 });
  expect(core.transport.sent.map(({ body }) => body)).toEqual(['{"id":"first"}', '{"id":"second"}']);
});

test('none begins while delivery is held, stopped, or the store cannot be written', async () => {
  core.dispatcher.hold(true);
  await arrive(newMessage('held'));
  expect([commits, core.transport.sent]).toEqual([[{ queued: 1, sent: 0 }], []]);
  core.dispatcher.hold(false);
  await core.time.advance(SECOND);
  core.dispatcher.guard.writeFailed(new StoreNotWritableError('full'));
  await arrive(newMessage('down'));
  expect(commits.at(-1)).toEqual({ queued: 1, sent: 1 });
  await core.time.advance(SECOND);
  const stopped = core.dispatcher.stop(async () => {});
  await arrive(newMessage('stopped'));
  await core.done(stopped);
  expect([states(), core.transport.sent.length]).toEqual([['delivered', 'delivered', 'queued'], 2]);
});

test('none begins that is to be paused, repeated or not sent at all', async () => {
  await arrive(newMessage('a'), newMessage('a'), newMessage('b', { state: 'rejected' }));
  expect([states(), attempts()]).toEqual([['delivering', 'rejected'], [[1, 1, 1, null]]]);
  await core.time.advance(SECOND);
  await core.setWebhooks([webhookOf(1, { enabled: false })]);
  commits = [];
  await arrive(newMessage('c'));
  expect(commits).toEqual([
    { queued: 1, sent: 1 },
    { queued: -1, paused: 1, sent: 1 },
  ]);
});

test('a message that is stored by a repeated transaction is sent once', async () => {
  const storing = core.arrive(named(3));
  const failing = core.writer.write(() => {
    throw new Error('a bug');
  });
  const both = Promise.allSettled([storing, failing]);
  expect((await core.done(both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await core.time.settle();
  expect(commits).toEqual([{ delivering: 3, sent: 0 }]);
  expect([core.transport.sent.length, attempts().length, core.dispatcher.inFlight]).toEqual([3, 3, 3]);
  await core.time.advance(SECOND);
  expect([states(), core.dispatcher.inFlight, core.logged]).toEqual([Array(3).fill('delivered'), 0, []]);
});

test('nothing is left of a round whose message was not stored', async () => {
  const storing = core.arrive(named(20));
  const full = core.writer.write(() => {
    throw new Database.SqliteError('full', 'SQLITE_FULL');
  });
  const both = Promise.allSettled([storing, full]);
  expect((await core.done(both)).map((one) => one.status === 'rejected' && one.reason.constructor)).toEqual([
    StoreNotWritableError,
    StoreNotWritableError,
  ]);
  expect([states(), core.transport.sent, core.dispatcher.inFlight, core.dispatcher.queued]).toEqual([[], [], 0, 0]);
  await arrive(...named(20));
  expect(commits.at(-1)).toEqual({ queued: 4, delivering: 16, sent: 0 });
});

/** Writing the `nth` round in a transaction fails, as on a damaged page. */
function damaged(nth: number): void {
  const { rounds } = core.deliveries;
  const real = rounds.writeIn.bind(rounds);
  let writes = 0;
  vi.spyOn(rounds, 'writeIn').mockImplementation((write, changes) => {
    writes += 1;
    if (writes === nth) throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
    return real(write, changes);
  });
}

test.each([1, 2])('where the %i. round cannot be written for damage, its message is stored without it', async (nth) => {
  damaged(nth);
  await arrive(...named(3));
  expect(commits[0]).toEqual({ queued: 3, sent: 0 });
  expect(core.dispatcher.inFlight).toBe(3);
  await core.time.advance(SECOND);
  expect([states(), core.transport.sent.length, core.dispatcher.inFlight]).toEqual([Array(3).fill('delivered'), 3, 0]);
});

test('in a damaged store none begins, and a request that cannot be stored is refused', async () => {
  core.mayBegin = false;
  await arrive(newMessage('a'));
  expect(commits[0]).toEqual({ queued: 1, sent: 0 });
  vi.spyOn(core.requests, 'storeRequest').mockRejectedValue(new StoreDamagedError('a page'));
  await expect(core.done(core.arrive(named(1)))).rejects.toThrow(StoreDamagedError);
});

test('when delivery is held between the commit and the send, nothing is sent, and the message is due again', async () => {
  afterCommit = () => core.dispatcher.hold(true);
  await arrive(newMessage('a'));
  afterCommit = () => {};
  expect([core.transport.sent, attempts()]).toEqual([[], [[1, 1, 1, 'interrupted']]]);
  core.dispatcher.hold(false);
  await core.time.advance(60 * SECOND);
  expect([states(), core.transport.sent.length]).toEqual([['delivered'], 1]);
});
