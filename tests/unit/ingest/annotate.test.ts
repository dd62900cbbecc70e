/** What parsing changed is told on the call it concerns, and a body in which nothing can be found is not looked through. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { annotated } from '../../../src/core/ingest/annotate.ts';
import { rejectedRow } from '../../../src/core/ingest/prepare.ts';
import { splitCalls } from '../../../src/core/ingest/split.ts';
import { findingsIn } from '../../../src/core/model/json-findings.ts';
import type { Note } from '../../../src/core/model/message.ts';

vi.mock('../../../src/core/model/json-findings.ts', async (original) => {
  const real = await original<typeof import('../../../src/core/model/json-findings.ts')>();
  return { ...real, findingsIn: vi.fn(real.findingsIn) };
});

beforeEach(() => void vi.mocked(findingsIn).mockClear());

/** The messages of a body, each with `notes` of its own, and what becomes of them. */
function annotate(body: string, notes: readonly Note[] = []) {
  const isBatch = body.includes('"batch"');
  const route = isBatch ? ({ kind: 'batch' } as const) : ({ kind: 'call', type: 'track' } as const);
  const split = splitCalls({ route, target: '/', body: Buffer.from(body), encoding: null });
  if (!split.ok) throw new Error(split.rejection.reason);
  const messages = split.calls.map((call, position) => ({
    ...rejectedRow(
      { reason: 'not_an_object', detail: null },
      position,
      Buffer.byteLength(JSON.stringify(call)),
      'sdk',
      `m${position}`,
    ),
    notes,
  }));
  const texts = split.calls.map((call) => JSON.stringify(call));
  return { messages, result: annotated(messages, split, texts), looks: vi.mocked(findingsIn).mock.calls.length };
}

describe('a body as JSON.stringify gives it', () => {
  it.each([
    '{"a":1}',
    '{"é":"😀"}',
    '{"batch":[{"a":1}]}',
    '{"batch":[{"a":1},{"b":"é"},3],"sentAt":"x"}',
    '{"batch":[{},{},{},{},{},{},{}],"context":{"a":[1,2]}}',
  ])('%s is not looked through', (body) => {
    const { messages, result, looks } = annotate(body);
    expect(looks).toBe(0);
    expect(result).toBe(messages);
  });

  it('is a pixel too: its call came in no body', () => {
    const route = { kind: 'pixel', type: 'track' } as const;
    const split = splitCalls({ route, target: '/?1=2', body: Buffer.alloc(0), encoding: null });
    expect(annotated([], split as never, ['{"1":"2"}'])).toEqual([]);
    expect(findingsIn).not.toHaveBeenCalled();
  });
});

describe('a body that may hold something', () => {
  it.each(['{"a": 1}', '{"batch":[{"a":1}, {"b":2}]}', '{"batch":[{"a":"\\u0041"}]}'])(
    '%s is looked through, and nothing is noted where nothing is found',
    (body) => {
      const { messages, result, looks } = annotate(body);
      expect(looks).toBe(1);
      expect(result).toBe(messages);
    },
  );

  it('has its notes on the calls they concern, after the notes that are there', () => {
    const own: Note = { code: 'message_id_assigned', field: 'messageId' };
    const { messages, result } = annotate('{"batch":[{"a":1},{"b":1,"b":2,"c":1e999},{"d":3}]}', [own]);
    expect(result.map(({ notes }) => notes.map(({ code, field }) => [code, field]))).toEqual([
      [['message_id_assigned', 'messageId']],
      [
        ['message_id_assigned', 'messageId'],
        ['duplicate_key', 'b'],
        ['number_lost', 'c'],
      ],
      [['message_id_assigned', 'messageId']],
    ]);
    expect([result[0], result[2]]).toEqual([messages[0], messages[2]]);
    expect(result[1]?.notes[1]).toEqual({
      code: 'duplicate_key',
      field: 'b',
      detail: 'came more than once; the last value counts',
    });
  });

  it('has the notes of a single call on its one message', () => {
    const { result } = annotate('{"a":1,"a":2}');
    expect(result[0]?.notes.map(({ code, field }) => [code, field])).toEqual([['duplicate_key', 'a']]);
  });
});
