/** Bugs of what is stored: calls, attempts, replays, counts, and what recovery makes of them. */
import { one, type PlantedBug } from './planted-bug.ts';

export const STORE_BUGS: readonly PlantedBug[] = [
  one(
    'the answer goes out before the commit',
    'ingest/ingest.ts',
    'await this.#commit(newRequest, messages, settings.dedupe);',
    'this.#commit(newRequest, messages, settings.dedupe).catch(() => {});',
  ),
  one('the purge takes messages that wait', 'store/retention.ts', '      !FINAL_STATES.has(state) ||\n', '', {
    file: 'retention.ts',
    from: 'if (!FINAL_STATES.has(state) || ',
    to: 'if (',
  }),
  one(
    'an attempt gets the id of a purged one',
    'store/retention.ts',
    '[...this.#ofNewest.all(), ...this.#withOpenAttempt.all()]',
    'this.#withOpenAttempt.all()',
  ),
  one(
    'of two edits at once the first is lost',
    'workspace/destination.ts',
    'editedDestination(this.#stored(), edit)',
    'editedDestination(this.settings, edit)',
  ),
  one(
    'the attempt is written after it was sent',
    'store/rounds.ts',
    'const attemptIds = this.#attempts.open(opening, changes);',
    `const attemptIds = opening.map(() => 0);
    void this.#writer.write((later) => this.#attempts.open(opening, later));`,
    {
      file: 'rounds.ts',
      from: 'const attemptIds = lost === null ? opened.map((attempt) => openAttempt(this.#tables, attempt)) : [];',
      to: `const attemptIds = lost === null ? opened.map(() => 0) : [];
    for (const attempt of opened) void this.#writer.write(() => openAttempt(this.#tables, attempt));`,
    },
  ),
  one(
    'rounds of one turn get the attempts of the first',
    'store/rounds.ts',
    'attemptIds: attemptIds.splice(0, opened.length)',
    'attemptIds: attemptIds.slice(0, opened.length)',
  ),
  one(
    'what was asked together gets the result of another',
    'store/writer.ts',
    'job.keep(results[i]);',
    'job.keep(results[results.length - 1 - i]);',
  ),
  one('an attempt that ended stays open', 'store/attempts.ts', 'this.#remove.run(changes, {}, ids);', ''),
  one(
    'recovery revives a final message',
    'store/recovery.ts',
    `const UNDER_WAY = "(state = 'delivering' OR state = 'waiting')";`,
    `const UNDER_WAY = "state = 'delivering' OR state = 'waiting' OR state = 'failed'";`,
    {
      file: 'recovery.ts',
      from: 'if (isUnderWay(state)) applyMove(',
      to: "if (isUnderWay(state) || state === 'failed') applyMove(",
    },
  ),
  one(
    'open attempts of a life before stay open',
    'store/recovery.ts',
    'this.#interruptAll.run(changes);\n    const open = this.#removeAll.all(changes);',
    'const open: OpenAttempt[] = [];',
    {
      file: 'recovery.ts',
      from: 'const open = attempts.where(({ outcome }) => outcome === null);',
      to: 'const open = attempts.where(() => false);',
    },
  ),
  {
    name: 'the checksum of a body is not looked at',
    changes: [
      { file: 'store/bodies.ts', from: 'if (crc32(row.wire) === row.crc32) found.set', to: 'found.set' },
      { file: 'store/bodies.ts', from: 'if (crc32(wire) === sum) return wire;', to: 'return wire;' },
    ],
  },
  one(
    'a repeat is stored again',
    'store/repeats.ts',
    "AND received_at > @since AND state <> 'rejected'",
    "AND received_at < @since AND state <> 'rejected'",
    {
      file: 'ingest.ts',
      from: '({ receivedAt }) => receivedAt > request.receivedAt - DEDUPE_MS,',
      to: '({ receivedAt }) => receivedAt < request.receivedAt - DEDUPE_MS,',
    },
  ),
  one(
    'the feed does not tell of an attempt',
    'store/message-moves.ts',
    '  changes.movedMessage(',
    '  if (from.state !== to.state) changes.movedMessage(',
    {
      file: 'moves.ts',
      from: '  changes.movedMessage(',
      to: '  if (from.state !== to.state) changes.movedMessage(',
    },
  ),
  one('a count is wrong after a move', 'store/ports/changes.ts', '    this.#count(from, -1);\n', ''),
  one(
    'a message that waits is counted as delivering',
    'store/message-moves.ts',
    'changes.movedMessage(from.id, from.state, to.state);',
    "changes.movedMessage(from.id, from.state, to.state === 'waiting' ? 'delivering' : to.state);",
    {
      file: 'moves.ts',
      from: 'changes.movedMessage(from.id, from.state, to.state);',
      to: "changes.movedMessage(from.id, from.state, to.state === 'waiting' ? 'delivering' : to.state);",
    },
  ),
  one(
    'an edited replay keeps other bytes than it sends',
    'replay/replayer.ts',
    "body: sent === 'edited' ? wire : null,",
    "body: sent === 'edited' ? wire.subarray(1) : null,",
  ),
  one(
    'an attempt of a replay counts as one of its message',
    'store/replays.ts',
    'return { replayId, attemptIds: this.#attempts.open(opened, changes) };',
    `const unnamed = opened.map((attempt) => ({ ...attempt, replayId: null }));
        return { replayId, attemptIds: this.#attempts.open(unnamed, changes) };`,
    {
      file: 'replays.ts',
      from: 'openAttempt(this.#tables, { ...attempt, messageId, replayId: id })',
      to: 'openAttempt(this.#tables, { ...attempt, messageId, replayId: null })',
    },
  ),
  one(
    'a replay that a crash cut off says that it is done',
    'store/recovery.ts',
    "next_at = NULL, ended = 'interrupted' WHERE",
    "next_at = NULL, ended = 'done' WHERE",
    {
      file: 'recovery.ts',
      from: "nextAt: null, ended: 'interrupted' }",
      to: "nextAt: null, ended: 'done' }",
    },
  ),
  one(
    'a replay that waited at a crash says that it is done',
    'store/recovery.ts',
    "next_at = NULL, ended = 'interrupted' WHERE",
    "next_at = NULL, ended = iif(next_at IS NULL, 'interrupted', 'done') WHERE",
    {
      file: 'recovery.ts',
      from: "for (const { id } of replays.where((replay) => replay.finishedAt === null))\n      replays.update(id, { finishedAt, nextAt: null, ended: 'interrupted' });",
      to: "for (const { id, nextAt } of replays.where((replay) => replay.finishedAt === null))\n      replays.update(id, { finishedAt, nextAt: null, ended: nextAt === null ? 'interrupted' : 'done' });",
    },
  ),
];
