/** How the three forms of a call are laid beside each other. Reasons are tested apart. */
import { describe, expect, test } from 'vitest';
import { callChanges, type Field } from '../../../src/core/model/call-changes.ts';
import type { CallFacts } from '../../../src/core/model/change-reasons.ts';

type Batch = CallFacts['batch'];
const NO_BATCH: Batch = { context: null, integrations: null, sentAt: null };

function fieldsOf(forms: readonly (string | null)[], batch: Batch = null): readonly Field[] {
  const [received, normalised, delivered = null] = forms;
  const normal = { type: 'track', userId: 'u', context: {}, call: {}, notes: [] } as unknown as CallFacts['normal'];
  return callChanges(
    { received: received!, normalised: normalised!, delivered },
    { normal, batch, notes: [], shape: 'documented' },
  );
}
/** `a: 1 | ~2 | -absent`, without reasons; groups as `a{…}` or `a[…]` with the forms that have them. */
const drawn = (fields: readonly Field[]): string[] =>
  fields.map((field) => {
    if (field.kind === 'same') return `${field.key} = ${field.text}`;
    if (field.kind === 'group') {
      const inner = drawn(field.fields).join(', ');
      return `${field.key} in ${field.in.map(Number).join('')} ${field.isArray ? `[${inner}]` : `{${inner}}`}`;
    }
    const cells = field.cells.map(({ text, change }) => `${change ?? ''} ${text}`.trim());
    return `${field.kind} ${field.key}: ${cells.join(' | ')}${field.inBatch ? ' in the batch' : ''}`;
  });

test.each([
  [
    'what is the same',
    ['{"a":1,"b":{},"c":[]}', '{"c":[],"b":{},"a":1}', '{"a":1,"b":{},"c":[]}'],
    ['a = 1', 'b = {}', 'c = []'],
  ],
  ['two forms where the delivered one is not known', ['{"a":1}', '{"a":2}', null], ['changed a: 1 | rewritten 2']],
  ['an object that was empty', ['{"a":{}}', '{"a":{"b":1}}'], ['a in 11 {changed b: null | added 1}']],
  [
    'an object that one form lacks',
    ['{}', '{"a":{"b":1}}', '{"a":{"b":2}}'],
    ['a in 011 {changed b: null | added 1 | rewritten 2}'],
  ],
  [
    'a list that one form lacks',
    ['{}', '{"a":[1]}', '{"a":[2]}'],
    ['a in 011 [changed 0: null | added 1 | rewritten 2]'],
  ],
  ['lists of one length', ['{"a":[1,2]}', '{"a":[1,3]}'], ['a in 11 [0 = 1, changed 1: 2 | rewritten 3]']],
  ['lists of other lengths as a whole', ['{"a":[1]}', '{"a":[1,2]}'], ['changed a: [1] | rewritten [1,2]']],
  ['a list and an object as a whole', ['{"a":[1]}', '{"a":{"0":1}}'], ['changed a: [1] | rewritten {"0":1}']],
  ['a list and a text as long', ['{"a":["x"]}', '{"a":"x"}'], ['changed a: ["x"] | rewritten "x"']],
  [
    'a kept number and an object',
    ['{"a":1.0}', '{"a":{"rawJSON":"1.0"}}'],
    ['changed a: 1.0 | rewritten {"rawJSON":"1.0"}'],
  ],
  ['what only one form has', ['{}', '{"a":{"b":1}}', '{}'], ['changed a: null | added {"b":1} | left_out null']],
] as const)('%s', (_, forms, lines) => {
  expect(drawn(fieldsOf(forms))).toEqual(lines);
});

describe('a field is in the batch', () => {
  const linesOf = (received: object, normalised: object, batch: Partial<NonNullable<Batch>>, delivered?: object) =>
    drawn(
      fieldsOf(
        [
          JSON.stringify(received),
          JSON.stringify(normalised),
          delivered === undefined ? null : JSON.stringify(delivered),
        ],
        { ...NO_BATCH!, ...batch },
      ),
    );

  test('when the batch has it and the call has not', () => {
    const context = { a: 1 };
    expect(linesOf({}, { context }, { context })).toEqual(['changed context: null | added {"a":1} in the batch']);
    expect(linesOf({ context: {} }, { context }, { context })).toEqual([
      'context in 11 {changed a: null | added 1 in the batch}',
    ]);
    expect(linesOf({}, { sentAt: 'x' }, { sentAt: 1 })).toEqual(['changed sentAt: null | added "x" in the batch']);
  });

  test('not when the batch lacks it, or when it has only a namesake elsewhere', () => {
    expect(linesOf({}, { sentAt: 'x' }, {})).toEqual(['changed sentAt: null | added "x"']);
    expect(linesOf({ context: {} }, { context: { ip: '1' } }, { context: { a: 1 } })).toEqual([
      'context in 11 {changed ip: null | added "1"}',
    ]);
    expect(linesOf({ properties: {} }, { properties: { a: 1 } }, { integrations: { a: 1 } })).toEqual([
      'properties in 11 {changed a: null | added 1}',
    ]);
  });

  test('not when only the delivered body has it', () => {
    expect(linesOf({}, {}, { context: { a: 1 } }, { context: { a: 1 } })).toEqual([
      'changed context: null | null | added {"a":1}',
    ]);
  });
});
