/** Messages at random, each with all that a filter can ask about it. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  MESSAGE_STATES,
  MESSAGE_TYPES,
  type MessageState,
  NOT_SELECTED_REASONS,
  NOTE_CODES,
  REJECT_REASONS,
} from '../../src/core/model/vocabulary.ts';
import { body, cell, receivedAt, someId, word } from './filters.ts';
import type { Listed } from './listing.ts';
import { attemptRow, messageRow, requestRow } from './rows.ts';

const state = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<MessageState>('delivered', 'queued') },
  { weight: 4, arbitrary: fc.constantFrom(...MESSAGE_STATES) },
);
const status = fc.constantFrom(200, 204, 301, 410, 429, 499, 500, 503, 599, null);
const note = fc.constantFrom(...NOTE_CODES);
const reasonOf = (of: MessageState, i: number): string | null =>
  of === 'rejected'
    ? REJECT_REASONS[i % REJECT_REASONS.length]!
    : of === 'not_selected'
      ? NOT_SELECTED_REASONS[i % NOT_SELECTED_REASONS.length]!
      : null;

const bytes = fc.oneof(
  word.map((text) => Buffer.from(`\0${text}`)),
  fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some)),
);
const answer = fc.option(bytes);
/** About the spans of `took:` that the filters ask for, and about the index of slow attempts. */
const durationMs = fc.constantFrom(4.5, 5, 999.9, 1_000, 1_000.5, 4_000);

export const drawn = fc.record({
  state,
  type: fc.constantFrom(...MESSAGE_TYPES),
  name: word,
  userId: fc.option(someId),
  anonymousId: fc.option(someId),
  messageId: word,
  sourceId: fc.option(fc.integer({ min: 1, max: 3 })),
  cells: fc.array(cell, { minLength: 5, maxLength: 5 }).map((cells) => cells.join('')),
  repeats: fc.nat({ max: 1 }),
  replays: fc.nat({ max: 1 }),
  notes: fc.array(fc.record({ code: note, detail: fc.oneof(word, note) }, { requiredKeys: ['code'] }), {
    maxLength: 2,
  }),
  wire: fc.option(body),
  receivedAt,
  reason: fc.nat(),
  attempts: fc.array(
    fc.record({
      slot: fc.integer({ min: 1, max: 3 }),
      status,
      durationMs,
      isReplay: fc.boolean(),
      isOpen: fc.boolean(),
      answer,
    }),
    {
      maxLength: 3,
    },
  ),
  received: fc.option(
    fc.record({ text: word, other: word, inBatch: fc.boolean(), encoding: fc.constantFrom('gzip', null) }),
  ),
  isThere: fc.boolean(),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer Row> ? Row : never;

/** A request with the call, alone or as the second of a batch. */
function requestOf(id: number, drawnCall: Drawn['received']): Pick<Listed, 'request' | 'received'> {
  if (drawnCall === null) return { request: null, received: null };
  const { text, other, inBatch, encoding } = drawnCall;
  const call = `{"call" : ${JSON.stringify(text).replaceAll('é', '\\u00E9')}}`;
  const whole = inBatch ? `{"batch":[{"other":${JSON.stringify(other)}}, ${call}]}` : call;
  const request = requestRow(id, {
    path: inBatch ? '/v1/batch' : '/v1/track',
    body: encoding === 'gzip' ? gzipSync(whole, { level: 1 }) : Buffer.from(whole),
    encoding,
  });
  return { request, received: Buffer.from(call) };
}

export function listedOf(rows: readonly Drawn[]): Listed[] {
  let attemptId = 0;
  return rows.flatMap(({ isThere, wire, attempts, reason, received, ...row }, i) => {
    if (!isThere) return [];
    const id = i + 1;
    return {
      message: messageRow(id, {
        ...row,
        reason: reasonOf(row.state, reason),
        position: received?.inBatch === true ? 1 : 0,
      }),
      ...requestOf(id, received),
      answers: attempts.map(({ answer: one, isOpen }) => (isOpen ? null : one)),
      wire: wire === null ? null : Buffer.from(wire),
      attempts: attempts.map(({ isReplay, isOpen, slot, status: answer, durationMs: took }) => {
        attemptId += 1;
        const ended = isOpen ? { outcome: null } : { status: answer, durationMs: took };
        return attemptRow(attemptId, id, { slot, replayId: isReplay ? 1 : null, ...ended });
      }),
    };
  });
}
