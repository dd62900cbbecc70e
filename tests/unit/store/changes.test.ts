/** What a transaction changes of messages, and how many the store counts in each state. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DUE_STATES, MESSAGE_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { countedStates } from '../../helpers/core-fixture.ts';
import { WrittenStore } from '../../helpers/written-store.ts';

describe('the changes of a transaction', () => {
  test.each<
    [
      string,
      (changes: Changes) => void,
      Partial<Record<'inserted' | 'messages' | 'removed' | 'emptied', number[]>>,
      object,
    ]
  >([
    ['an insert', (c) => c.insertedMessage(1, 'queued'), { inserted: [1], messages: [1] }, { queued: 1 }],
    ['a move', (c) => c.movedMessage(1, 'queued', 'failed'), { messages: [1] }, { queued: -1, failed: 1 }],
    ['a move to where it was', (c) => c.movedMessage(1, 'paused', 'paused'), { messages: [1] }, {}],
    ['a removal', (c) => c.removedMessage(1, 'failed'), { removed: [1] }, { failed: -1 }],
    ['an emptying', (c) => c.emptiedMessage(1), { messages: [1], emptied: [1] }, {}],
  ])('%s', (_, change, { inserted = [], messages = [], removed = [], emptied = [] }, counts) => {
    const changes = new Changes();
    change(changes);
    expect([changes.inserted, [...changes.messages], changes.removed, changes.emptied]).toEqual([
      inserted,
      messages,
      removed,
      emptied,
    ]);
    expect(Object.fromEntries(changes.counts)).toEqual(counts);
  });

  test('add up, and a message that was removed is no changed one', () => {
    const changes = new Changes();
    changes.insertedMessage(1, 'queued');
    changes.insertedMessage(2, 'queued');
    changes.removedMessage(1, 'queued');
    expect([changes.inserted, [...changes.messages], changes.removed]).toEqual([[1, 2], [2], [1]]);
    expect(Object.fromEntries(changes.counts)).toEqual({ queued: 1 });
  });
});

describe('counters', () => {
  const command = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), state: fc.constantFrom(...MESSAGE_STATES) }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(), to: fc.constantFrom(...MESSAGE_STATES) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('throw' as const), state: fc.constantFrom(...MESSAGE_STATES) }),
    fc.record({ kind: fc.constant('turn' as const) }),
  );
  const due = (state: MessageState): number | null => (DUE_STATES.has(state) ? 1 : null);

  test('always equal a count of the messages by state', async () => {
    const { db, time, writer } = new WrittenStore();
    const insert = db.prepare(
      `INSERT INTO messages (message_id, request_id, position, origin, type, name, state, received_at, size, next_due_at)
       VALUES ('m', 1, 0, 'sdk', 'track', 'n', ?, 1, 1, ?)`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
        for (const one of commands) {
          if (one.kind === 'turn') await time.settle();
          else
            writer
              .write((changes) => {
                const ids = db.prepare('SELECT id, state FROM messages').all() as Array<{
                  id: number;
                  state: MessageState;
                }>;
                if (one.kind === 'insert' || one.kind === 'throw') {
                  changes.insertedMessage(Number(insert.run(one.state, due(one.state)).lastInsertRowid), one.state);
                  if (one.kind === 'throw') throw new Error('no');
                  return;
                }
                const row = ids[one.at % Math.max(1, ids.length)];
                if (row === undefined) return;
                if (one.kind === 'remove') {
                  db.prepare('DELETE FROM messages WHERE id = ?').run(row.id);
                  changes.removedMessage(row.id, row.state);
                } else {
                  db.prepare('UPDATE messages SET state = ?, next_due_at = ? WHERE id = ?').run(
                    one.to,
                    due(one.to),
                    row.id,
                  );
                  changes.movedMessage(row.id, row.state, one.to);
                }
              })
              .catch(() => {});
        }
        await time.settle();
        const counted = db.prepare('SELECT state, n FROM counters WHERE n <> 0 ORDER BY state').all() as Array<{
          state: string;
          n: number;
        }>;
        expect(Object.fromEntries(counted.map(({ state, n }) => [state, n]))).toEqual(countedStates(db));
      }),
      { numRuns: 100 },
    );
  });
});
