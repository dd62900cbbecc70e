/** Calls of unknown keys: how many are held, and when they go. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewMessage } from '../../../src/core/model/records.ts';
import { MAX_HELD_CALLS } from '../../../src/core/store/ports/ingest.ts';
import { Core, countedStates, newMessage } from '../../helpers/core-fixture.ts';
import { storing } from '../../helpers/storing.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let core: Core;
beforeEach(() => {
  core = new Core({ folder: tempWorkspace() });
});
const { store, count } = storing(() => core);
const held = (messageId: string): NewMessage => newMessage(messageId, { state: 'rejected', reason: 'unknown_source' });

describe('held calls of unknown keys', () => {
  const fill = async (n: number, per = 50): Promise<void> => {
    for (let i = 0; i < n / per; i++)
      await store(
        Array.from({ length: per }, (_, k) => held(`h${i * per + k}`)),
        { writeKey: `key-${i % 7}`, sourceId: null },
      );
  };

  test('the newest 1,000 are kept over all keys, with counters right and others left alone', async () => {
    await store([newMessage('mine'), newMessage('bad', { state: 'rejected', reason: 'unknown_type' })]);
    const removed: number[] = [];
    core = core.again({ onCommit: (changes) => removed.push(...changes.removed) });
    await fill(MAX_HELD_CALLS);
    expect(count('messages')).toBe(MAX_HELD_CALLS + 2);
    await store([held('x1'), held('x2'), held('x3')], { writeKey: 'other', sourceId: null });
    expect(removed).toEqual([3, 4, 5]);
    expect(count('messages')).toBe(MAX_HELD_CALLS + 2);
    expect(core.message(1).messageId).toBe('mine');
    expect(core.message(2).messageId).toBe('bad');
    expect(core.counts()).toEqual(countedStates(core.db));
    expect(core.counts()).toEqual({ queued: 1, rejected: MAX_HELD_CALLS + 1 });
  });

  test('one request may bring more than that at once', async () => {
    await store(
      Array.from({ length: 2_500 }, (_, i) => held(`h${i}`)),
      { sourceId: null },
    );
    expect(count('messages')).toBe(MAX_HELD_CALLS);
    expect(core.message(1_501).messageId).toBe('h1500');
    expect(core.counts()).toEqual({ rejected: MAX_HELD_CALLS });
    expect(count('requests')).toBe(1);
  });

  test('a request goes with the last of its calls, and not before', async () => {
    await store([held('a'), newMessage('bad', { state: 'rejected' }), held('b')], {
      writeKey: 'mixed',
      sourceId: null,
    });
    await store([held('c'), held('d')], { writeKey: 'all', sourceId: null });
    await fill(MAX_HELD_CALLS - 1, 1);
    expect(count('messages')).toBe(1 + MAX_HELD_CALLS);
    expect(
      core.db.prepare("SELECT write_key FROM requests WHERE write_key IN ('mixed', 'all') ORDER BY id").pluck().all(),
    ).toEqual(['mixed', 'all']);
    await fill(1, 1);
    expect(core.db.prepare("SELECT write_key FROM requests WHERE write_key IN ('mixed', 'all')").pluck().all()).toEqual(
      ['mixed'],
    );
    expect(count('requests')).toBe(1 + MAX_HELD_CALLS);
  });

  test('what was ingested again is removed, only while it is held', async () => {
    await store([held('a'), held('b')], { sourceId: null });
    await store([newMessage('mine')]);
    expect(core.held.requestsOf('wk').map(({ id }) => id)).toEqual([1]);
    expect(core.held.messagesOf(1)).toEqual([1, 2]);
    await core.done(core.writer.write((changes) => core.held.remove([1, 2, 3, 99], changes)));
    expect(count('messages')).toBe(1);
    expect(count('requests')).toBe(1);
    expect(core.counts()).toEqual({ queued: 1 });
    expect(core.held.requestsOf('wk')).toEqual([]);
  });
});
