/**
 * Bugs that a simulation must find. Each is a change of the engine's source, applied to a copy. A change must match
 * exactly once, so that a bug that no longer fits the source is noticed.
 */
import type { StoreName } from './world-store.ts';

export interface SourceChange {
  /** Below src/core. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface PlantedBug {
  readonly name: string;
  /** Worlds in memory do not have what it breaks. */
  readonly needsFile?: boolean;
  readonly changes: readonly SourceChange[];
  /** What stands for its changes of SQLite's own files in the memory store, below tests/helpers/memory-store. */
  readonly inMemory?: readonly SourceChange[];
}

const CORE = 'src/core';
const MEMORY = 'tests/helpers/memory-store';

const below = (folder: string, changes: readonly SourceChange[] = []): SourceChange[] =>
  changes.map((change) => ({ ...change, file: `${folder}/${change.file}` }));

/** SQLite's own files: the store without its ports. */
const isSqlite = ({ file }: SourceChange): boolean => /^store\/(?!ports\/)/.test(file);

/**
 * What to change for worlds on this store, by path in the project. Null when these worlds cannot have the bug, because
 * it is SQLite's own.
 */
export function changesIn(
  { changes, inMemory, needsFile = false }: PlantedBug,
  store: StoreName,
): readonly SourceChange[] | null {
  if (store === 'sqlite') return below(CORE, changes);
  if (needsFile) return null;
  const shared = changes.filter((change) => !isSqlite(change));
  if (shared.length < changes.length && inMemory === undefined) return null;
  return [...below(CORE, shared), ...below(MEMORY, inMemory)];
}

export const one = (name: string, file: string, from: string, to: string, inMemory?: SourceChange): PlantedBug => ({
  name,
  changes: [{ file, from, to }],
  ...(inMemory !== undefined && { inMemory: [inMemory] }),
});

export const PLANTED_BUGS: readonly PlantedBug[] = [
  one(
    'the answer goes out before the commit',
    'ingest/ingest.ts',
    'await this.#commit(newRequest, messages, settings.dedupe);',
    'this.#commit(newRequest, messages, settings.dedupe).catch(() => {});',
  ),
  one(
    'a 2xx does not end a message when another webhook fails',
    'model/schedule.ts',
    "if (results.some((result) => result.outcome === 'accepted')) return { state: 'delivered' };",
    "if (results.every((result) => result.outcome === 'accepted')) return { state: 'delivered' };",
  ),
  {
    name: 'the final check is missing when a sender becomes free',
    changes: [
      {
        file: 'delivery/round.ts',
        from: 'return this.isSettled ? [] : this.#webhooks.all(isOpening);',
        to: 'return this.#webhooks.all(isOpening);',
      },
      {
        file: 'delivery/rounds.ts',
        from: 'wire !== null && this.#context.maySend() && !round.isSettled;',
        to: 'wire !== null && this.#context.maySend();',
      },
    ],
  },
  one(
    'the window is counted from the newest attempt',
    'delivery/round.ts',
    'this.windowEndsAt = message.windowEndsAt ?? now + windowMs;',
    'this.windowEndsAt = now + windowMs;',
  ),
  one(
    'a timer is trusted through a sleep',
    'delivery/due-queue.ts',
    'LONGEST_TIMER_MS = 15_000',
    'LONGEST_TIMER_MS = 86_400_000',
  ),
  one(
    'after a sleep no window ends any more',
    'delivery/retry-clock.ts',
    'return this.#sleeps.some(({ from, to }) => from <= at && at < to);',
    'return this.#sleeps.length > 0;',
  ),
  one(
    'the retry clock does not count sleep',
    'delivery/retry-clock.ts',
    'const real = passed + Math.max(0, ahead);',
    'const real = passed;',
  ),
  one(
    'the retry clock goes back with the wall clock',
    'delivery/retry-clock.ts',
    'const real = passed + Math.max(0, ahead);',
    'const real = passed + ahead;',
  ),
  {
    name: 'a wake-up is lost: delivery goes on and nobody looks',
    changes: [
      { file: 'delivery/dispatcher.ts', from: 'if (!held) this.#due.refresh();', to: '' },
      {
        file: 'delivery/dispatcher.ts',
        from: 'some(({ id }) => !on.has(id));\n    this.#due.refresh();',
        to: 'some(({ id }) => !on.has(id));',
      },
      {
        file: 'engine/apply-delivery.ts',
        from: '      dispatcher.reconsider();\n',
        to: '',
      },
    ],
  },
  one(
    'a wake-up is lost: no timer for the next round',
    'delivery/due-queue.ts',
    'else if (dueAt < this.#timerAt) this.#arm(dueAt);',
    '',
  ),
  {
    name: 'a wake-up is lost: the store is well again and nobody looks',
    changes: [
      { file: 'delivery/store-guard.ts', from: 'this.#onRecovered();', to: '' },
      { file: 'engine/engine.ts', from: 'if (writable) applyDelivery(this.parts);', to: '' },
    ],
  },
  one(
    'the body is made anew for each attempt',
    'delivery/sender.ts',
    '      body: wire,',
    '      body: Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(wire).toString()), sentAt: atSeconds })),',
  ),
  {
    name: 'without a readable secret it is sent unsigned',
    changes: [
      {
        file: 'delivery/sender.ts',
        from: 'const secret = signed ? this.#settings.secret() : null;',
        to: 'const secret = signed ? (this.#settings.secret() ?? null) : null;',
      },
      {
        file: 'engine/apply-delivery.ts',
        from: 'dispatcher.hold(!workspace.secretsReadable || ',
        to: 'dispatcher.hold(',
      },
    ],
  },
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
  {
    name: 'a message that is under way is dispatched again',
    changes: [
      {
        file: 'delivery/due-queue.ts',
        from: 'while (message !== undefined && this.#deps.isTaken(message.id)) message = this.#ready.takeFirst();',
        to: 'return message;',
      },
      {
        file: 'delivery/due-queue.ts',
        from: 'if (!this.#deps.isTaken(message.id)) this.#ready.set(message.id, message);',
        to: 'this.#ready.set(message.id, message);',
      },
      {
        file: 'store/message-moves.ts',
        from: 'WHERE state = @fromState AND round = @fromRound',
        to: 'WHERE true',
      },
    ],
    inMemory: [
      {
        file: 'moves.ts',
        from: 'if (row === undefined || row.state !== from.state || row.round !== from.round) return false;',
        to: 'if (row === undefined) return false;',
      },
    ],
  },
  one(
    'a first round is sent before the commit that stores its message',
    'delivery/arrivals.ts',
    'rounds = this.#begin(arrived, messages, changes);',
    'for (const round of this.#begin(arrived, messages, changes)) round.committed();',
  ),
  one(
    'a first round lives on when its message was not stored',
    'delivery/arrivals.ts',
    'for (const round of rounds) round.undone();',
    '',
  ),
  one(
    'a first round is begun and never sent',
    'delivery/arrivals.ts',
    'for (const round of rounds) round.committed();',
    '',
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
    'a Retry-After may point past the window',
    'model/schedule.ts',
    'Math.max(due, Math.min(now + retryAfterMs, end - LAST_CHANCE_MS))',
    'Math.max(due, now + retryAfterMs)',
  ),
  one(
    'a Retry-After is not heard',
    'delivery/round.ts',
    "name.toLowerCase() === 'retry-after'",
    "name === 'retry-after'",
  ),
  one(
    'a webhook that declined is tried again',
    'delivery/prospects.ts',
    '!isLeftOut(rules, outcome));',
    'webhooks.length > 0);',
  ),
  one('the jitter is missing', 'model/backoff.ts', 'Math.round(nominal * (1 + swing))', 'Math.round(nominal)'),
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
  one(
    'a result that cannot be written is dropped',
    'delivery/store-guard.ts',
    'if (!isPassing(error) || this.#stopped) throw error;',
    'throw error;',
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
  one(
    'a webhook that was switched off is still tried',
    'delivery/dispatcher.ts',
    'this.#webhooks = webhooks;',
    'if (this.#webhooks.length !== webhooks.length) this.#webhooks = webhooks;',
  ),
  one('a count is wrong after a move', 'store/ports/changes.ts', '    this.#count(from, -1);\n', ''),
  one(
    'a header value is logged',
    'delivery/dispatcher.ts',
    'this.#webhooks = webhooks;',
    "this.#webhooks = webhooks;\n    this.#deps.logger.log('debug', 'webhooks', { all: JSON.stringify(webhooks) });",
  ),
  one(
    'a static header is stored in clear text',
    'delivery/sender.ts',
    'const requestHeaders = keepSentHeaders(result.requestHeaders, statics);',
    'const requestHeaders = result.requestHeaders;',
  ),
  {
    name: 'a cell is kept when the write that begins its attempt fails',
    changes: [
      {
        file: 'delivery/round.ts',
        from: "reason === null ? { kind: 'waiting' }",
        to: "reason === null ? { kind: 'waiting', cell: 's' }",
      },
      { file: 'delivery/round-webhooks.ts', from: "return 'w';", to: "return state.cell ?? 'w';" },
    ],
  },
  {
    name: 'a lost race is told as a move',
    changes: [
      {
        file: 'delivery/rounds.ts',
        from: 'this.#committed(round, unwritten, attempts, lost === null);',
        to: 'this.#committed(round, unwritten, attempts, true);',
      },
      { file: 'delivery/roundless-moves.ts', from: 'if (!tookPlace) lostMoves.add(move);', to: 'if (false) return;' },
    ],
  },
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
    'a message that waits says that it is delivering',
    'model/moves.ts',
    "(isOpen ? 'delivering' : 'waiting')",
    "'delivering'",
  ),
  {
    name: 'a round is concluded again with each result',
    changes: [
      {
        file: 'delivery/rounds.ts',
        from: 'if (!round.isSettled && (round.hasAccepted || round.isDone)) this.#settle(round);',
        to: 'if (round.hasAccepted || round.isDone) this.#settle(round);',
      },
      {
        file: 'delivery/round.ts',
        from: 'if (this.#ending !== null && this.#move === null) {',
        to: 'if (this.#ending !== null && (this.#move === null || ended.length > 0)) {',
      },
    ],
  },
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
  one('a round that only waits keeps its bytes', 'delivery/rounds.ts', '    round.wire = null;\n', ''),
];

/** Bugs of three kinds that are found quickly. Every run of the tests plants these. */
export const PLANTED_IN_TESTS = [
  'the answer goes out before the commit',
  'a wake-up is lost: delivery goes on and nobody looks',
  'the retry clock does not count sleep',
] as const;
