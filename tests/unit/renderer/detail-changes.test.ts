import { describe, expect, it } from 'vitest';
import type { FieldView } from '../../../src/contract/call-changes.ts';
import { CHANGE_REASONS } from '../../../src/core/model/vocabulary.ts';
import { joinPath } from '../../../src/renderer/lib/json-path.ts';
import { whyText } from '../../../src/renderer/lib/words/changes.ts';
import { inlineOf, legendOf, linesOf } from '../../../src/renderer/screens/detail/changes/change-lines.ts';
import { countsOf, leavesOf, rowsOf } from '../../../src/renderer/screens/detail/changes/change-rows.ts';
import { changesOf, rawNumber } from '../../helpers/changed-call.ts';

const CALL = {
  type: 'track',
  event: 'Order Completed',
  userId: 70042,
  anonymousId: 'anon',
  messageId: 'm',
  timestamp: '2026-11-20T18:33:00.107+01:00',
  properties: { orderId: 'A-1', total: rawNumber('184.50'), items: [{ sku: 'a b' }, { sku: 'c' }] },
  context: { ip: '203.0.113.24', device: { id: 1, os: 'x' } },
  integrations: { all: true },
};
const BATCH = { context: { library: { name: 'go' } }, integrations: { X: true } };
const fieldsOf = async (call: object = CALL, batch: object | null = BATCH): Promise<readonly FieldView[]> =>
  (await changesOf(call, batch))!.fields;

describe('the rows of the comparison', () => {
  it('are the changed fields, then folds of the unchanged ones; together they are all fields', async () => {
    const fields = await fieldsOf();
    const { changed, folds } = rowsOf(fields);
    expect(changed.map(({ path }) => path)).toEqual([
      'userId',
      'anonymousId',
      'messageId',
      'timestamp',
      'properties.total',
      'context.library',
      'integrations.all',
      'integrations.X',
      'originalTimestamp',
      'receivedAt',
      'version',
    ]);
    expect(folds.map(({ name, leaves }) => [name, ...leaves.map(({ path }) => path)])).toEqual([
      ['properties.items', 'properties.items[0].sku', 'properties.items[1].sku'],
      ['context.device', 'context.device.id', 'context.device.os'],
      ['others', 'type', 'event', 'properties.orderId', 'context.ip'],
    ]);
    const all = leavesOf(fields);
    expect(changed.length + folds.flatMap(({ leaves }) => leaves).length).toBe(all.length);
    expect(countsOf(all)).toEqual({ fields: 19, changed: 11, rewritten: 3, added: 5, leftOut: 6 });
  });
});

describe('the lines of the comparison', () => {
  it('are the received call on the left and the delivered body on the right', async () => {
    const { forms, fields } = (await changesOf(CALL, BATCH))!;
    const lines = linesOf(fields);
    const side = (name: 'left' | 'right') => lines.flatMap((line) => line[name] ?? []).join('\n');
    expect(JSON.parse(side('left'))).toEqual(JSON.parse(forms.received));
    expect(side('left')).toContain('    "total": 184.50,');
    expect(JSON.parse(side('right'))).toEqual(JSON.parse(forms.delivered!));
    for (const { mark, about } of lines) expect(about === null).toBe(mark === 'same');
  });

  it('lose none when they become one text, and name each reason once', async () => {
    const lines = linesOf(await fieldsOf());
    const inline = inlineOf(lines);
    expect(inline.flatMap(({ left }) => left ?? [])).toEqual(lines.flatMap(({ left }) => left ?? []));
    const changed = inline.filter(({ mark }) => mark === 'changed').map(({ left, right }) => left ?? right);
    expect(changed).toEqual([
      '  "userId": 70042,',
      '  "userId": "70042",',
      '  "timestamp": "2026-11-20T18:33:00.107+01:00",',
      '  "timestamp": "2026-11-20T17:33:00.107Z",',
      '    "total": 184.50,',
      '    "total": 184.5,',
    ]);
    expect(legendOf(lines)).toContainEqual({
      mark: 'removed',
      why: 'all counts as All; used for routing only',
      paths: ['integrations', 'integrations.all'],
    });
    expect(legendOf(lines)).toContainEqual({
      mark: 'changed',
      why: 'Ids that are numbers become strings',
      paths: ['userId'],
    });
  });
});

describe('the words of the comparison', () => {
  it('have a sentence for every reason', () => {
    for (const code of CHANGE_REASONS) {
      const text = whyText([{ reasons: [{ code, detail: 'x' }] }], 'context');
      expect(text).toMatch(/^\S.{2,}$/);
      expect(text).not.toContain('undefined');
    }
  });

  it.each([
    [
      [{ code: 'time_utc' }, { code: 'clock_skew_corrected', detail: '\u221212.000 s' }],
      "UTC; the client's clock is 12.000 s ahead",
    ],
    [[{ code: 'clock_skew_corrected', detail: '+7.500 s' }], "The client's clock is 7.500 s behind"],
    [[{ code: 'id_number_to_string' }, { code: 'id_number_to_string' }], 'Ids that are numbers become strings'],
    [[{ code: 'empty_left_out' }, { code: 'time_utc' }], 'Empty values are left out; UTC'],
  ] as const)('%j: %s', (reasons, text) => {
    expect(whyText([{ reasons }], 'timestamp')).toBe(text);
  });
});

it.each([
  ['', 'a', false, 'a'],
  ['a', 'b', false, 'a.b'],
  ['a', '0', true, 'a[0]'],
  ['a', '0', false, 'a["0"]'],
  ['a', 'first name', false, 'a["first name"]'],
  ['', 'a.b', false, '["a.b"]'],
  ['a', 'say "x"', false, 'a["say \\"x\\""]'],
])('a place in JSON: %j and %j (index: %s) is %s', (base, key, isIndex, path) => {
  expect(joinPath(base, key, isIndex)).toBe(path);
});
