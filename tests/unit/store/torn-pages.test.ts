/** What delivery and the lists still find in a file of which SQLite cannot read some pages. */

import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { Bodies } from '../../../src/core/store/bodies.ts';
import { Damage } from '../../../src/core/store/damage.ts';
import { SqliteLists } from '../../../src/core/store/lists.ts';
import { Outcomes } from '../../../src/core/store/outcomes.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { DeliveryRows } from '../../helpers/delivery-rows.ts';
import { putAttempt } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const START = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };
const MANY = 300;

let workspace: string;
let rows: DeliveryRows;
let told: string[];
beforeEach(() => {
  workspace = tempWorkspace();
  told = [];
  open();
});

function open(): void {
  const logger = {
    log: (_level: string, _event: string, fields?: object) => void told.push((fields as { what: string }).what),
  };
  rows = new DeliveryRows(workspace, new Damage({ clock: { wall: () => 1 }, logger, changed: () => {} }));
}

const wire = Buffer.from(JSON.stringify({ text: 'x'.repeat(100) }));
const putBody = (id: number, sum = crc32(wire)): void =>
  void rows.db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, sum);

/** Messages in a row, each with its attempts and its body. */
function fill(put: (id: number) => void): void {
  rows.db.transaction(() => {
    for (let id = 1; id <= MANY; id++) {
      put(id);
      putBody(id);
    }
  })();
}

function torn(name: string, which?: (leaves: readonly number[]) => number): void {
  rows.db.close();
  tear(workspace, name, which);
  open();
}

const claim = (until = 9, limit = MANY, after = START) => rows.stores.due.claim({ until, after, limit });
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
/** Closes the store, so that every read fails for another reason than damage. */
const close = (): void => void rows.db.close();

describe('the index of due times', () => {
  test('is not used any more: what is due is found by a walk, which the log tells once', async () => {
    fill((id) => rows.waiting(id % 3));
    torn('messages_due');
    const { messages, nextDueAt } = await claim(1);
    const expected = upTo(MANY).filter((id) => id % 3 < 2);
    expect(messages.map(({ id }) => id)).toEqual(expected.sort((a, b) => (a % 3) - (b % 3) || a - b));
    expect([nextDueAt, rows.stores.recovery.areDueTimesTrusted]).toEqual([2, false]);
    await claim();
    expect(told).toEqual([expect.stringContaining('malformed')]);
  });

  test('that is unreadable where the next due time is gives none', async () => {
    rows.waiting(5);
    rows.damage.around = (_read, otherwise) => otherwise;
    expect([(await claim(2)).nextDueAt, rows.stores.due.newestReading()]).toEqual([null, null]);
  });

  test('is trusted when a read fails for another reason', async () => {
    close();
    await expect(claim()).rejects.toThrow('not open');
    expect([rows.stores.recovery.areDueTimesTrusted, told]).toEqual([true, []]);
  });
});

describe('a page of bodies', () => {
  test('takes the bodies from a claim; asked for alone, the others are there', async () => {
    fill((id) => rows.waiting(id));
    torn('message_bodies');
    const { messages } = await claim(MANY);
    expect(messages.map(({ id }) => id)).toEqual(upTo(MANY));
    expect(messages.every((message) => message.wire === null)).toBe(true);
    expect(told).toEqual([]);
    const readable = upTo(MANY).filter((id) => rows.stores.due.wire(id) !== null);
    expect(readable.length).toBeGreaterThan(200);
    expect(readable.length).toBeLessThan(MANY);
    expect(told).toEqual([expect.stringContaining('malformed')]);
  });

  test('that cannot be read for another reason is an error', () => {
    fill((id) => rows.waiting(id));
    const bodies = new Bodies(rows.db, rows.damage);
    close();
    expect(() => rows.stores.due.wire(1)).toThrow('not open');
    expect(() => bodies.together([{ id: 1, size: 1 }])).toThrow('not open');
    expect(told).toEqual([]);
  });

  test.each([
    ['wire', 1],
    ['wireToSend', 1],
    ['wireToSend', 7],
  ] as const)('of which one is wrong or gone is told with the id of the message: %s of %i', (read, id) => {
    putBody(1, 1);
    expect(rows.stores.due[read](id)).toBeNull();
    expect(told).toEqual([`the body of message ${id}`]);
  });
});

describe('a page of attempts', () => {
  test('leaves unknown what came out at its messages alone', async () => {
    fill((id) => {
      rows.put('retrying', { next_due_at: 1, round: 1 });
      putAttempt(rows.db, id, id, 'failed');
    });
    torn('attempts');
    const { messages } = await claim();
    const unknown = messages.filter(({ outcomes }) => outcomes === null);
    expect(unknown.length).toBeGreaterThan(10);
    expect(unknown.length).toBeLessThan(150);
    for (const { id, outcomes } of messages) {
      if (outcomes !== null) expect([id, outcomes]).toEqual([id, new Map([[1, 'failed']])]);
      expect(rows.stores.due.lastOutcomes(id)).toEqual(outcomes);
    }
    expect(told).toEqual([expect.stringContaining('malformed')]);
  });

  test('that cannot be read for another reason is an error', () => {
    const outcomes = new Outcomes(rows.db, rows.damage);
    close();
    expect(() => outcomes.of(1)).toThrow('not open');
    expect(() => outcomes.ofAll([1])).toThrow('not open');
  });

  test('lists none that a crash left open', () => {
    rows.put('delivering');
    putAttempt(rows.db, 1, 1, null);
    rows.damage.around = (_read, otherwise) => otherwise;
    expect(rows.stores.recovery.leftOpen()).toEqual({ attempts: [], messages: [1] });
  });
});

test('a walk begins at the first message, however many were removed before it', async () => {
  const [first, second] = [20_000_000, 20_000_001];
  for (const id of [first, second]) {
    rows.put('paused', { next_due_at: 1 });
    rows.db.exec(`UPDATE messages SET id = ${id} WHERE id < ${first}`);
  }
  expect(rows.stores.recovery.pausedIds()).toEqual([first, second]);
  rows.stores.recovery.distrustDueTimes();
  expect((await claim()).messages.map(({ id }) => id)).toEqual([first, second]);
  expect([...new SqliteLists(rows.db, receivedCalls, rows.damage).allIds()]).toEqual([first, second]);
});

describe('a page of messages', () => {
  beforeEach(() => {
    fill((id) => rows.put(id % 2 === 0 ? 'delivering' : 'paused'));
    torn('messages');
  });

  test('hides only its own: what was under way and what is paused is found around it', () => {
    const underWay = rows.stores.recovery.leftOpen().messages;
    const paused = rows.stores.recovery.pausedIds();
    const lists = new SqliteLists(rows.db, receivedCalls, rows.damage);
    const all = [...lists.allIds()];
    expect(all.length).toBeGreaterThan(150);
    expect(all.length).toBeLessThan(MANY);
    expect([all[0], all.at(-1)]).toEqual([1, MANY]);
    expect([...underWay, ...paused].sort((a, b) => a - b)).toEqual(all);
    expect(lists.window(1, MANY).map(({ id }) => id)).toEqual(all);
    const page = lists.ids({ filter: {}, before: MANY + 1, after: 0, limit: MANY, keepGoing: () => true });
    expect(page.ids).toEqual(all.toReversed());
    expect(lists.messages(upTo(MANY)).map(({ id }) => id)).toEqual(all);
    expect(told).toHaveLength(1);
  });

  test('is told by the walk that meets it first', () => {
    rows.stores.recovery.pausedIds();
    expect(told).toEqual(['a page of messages']);
  });

  test('is told by the list of all ids', () => {
    expect([...new SqliteLists(rows.db, receivedCalls, rows.damage).allIds()].length).toBeLessThan(MANY);
    expect(told).toEqual(['a page of messages']);
  });
});
