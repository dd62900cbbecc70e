/** What holds of the differences of any call at all: each has a reason, and nothing else has one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../src/core/model/call-changes.ts';
import { jsonText, parseWritten } from '../../../src/core/model/written-json.ts';
import { changesOf, leaves, rawNumber } from '../../helpers/changed-call.ts';

/** The value of one form, put together again from the fields. */
function formOf(field: Field, form: number): unknown {
  if (field.kind === 'same') return JSON.parse(field.text);
  if (field.kind === 'changed') {
    const text = field.cells[form]!.text;
    return text === null ? undefined : JSON.parse(text);
  }
  if (!field.in[form]) return undefined;
  const parts = field.fields
    .map((one): [string, unknown] => [one.key, formOf(one, form)])
    .filter(([, value]) => value !== undefined);
  if (field.isArray) return parts.map(([, value]) => value);
  return Object.fromEntries(parts);
}

/** JSON text with keys in order, numbers as written. */
const sorted = (text: string | null): string | null => (text === null ? null : jsonText(inOrder(parseWritten(text))));
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null || JSON.stringify(value)[0] !== '{') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  );
}

const odd = fc.constantFrom('100.0', '1e2', '12345678901234567890', '1e999', '-0', '0.10').map(rawNumber);
const json = fc.oneof(fc.jsonValue({ depthSize: 'small' }), odd, fc.array(odd, { maxLength: 2 }));
const hostileKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'toJSON',
  'ip',
  'all',
  'All',
  'webhooks',
  '1',
  'a.b',
  '',
);
const dictionary = fc.array(fc.tuple(fc.oneof(hostileKey, fc.string()), json), { maxLength: 5 }).map((pairs) => {
  const made: Record<string, unknown> = Object.create(null);
  for (const [key, value] of pairs) made[key] = value;
  return made;
});
const some = <T>(...values: T[]) => fc.constantFrom(...values);
const id = fc.oneof(fc.string({ maxLength: 20 }), fc.nat(), some(null, rawNumber('7.0')));
const map = fc.oneof(dictionary, some([], null));
const time = some(
  null,
  '2026-11-20T17:30:00.000Z',
  '2026-11-20T18:30:00.250+01:00',
  '2026-11-20',
  '2026-11-20t17:30:00.1234567z',
  '2026-11-20T17:29:00Z',
);
const context = fc.oneof(
  map,
  fc.tuple(dictionary, some('analytics.js', 'analytics-go'), some(null, '203.0.113.9')).map(([rest, name, ip]) => ({
    ...rest,
    library: { name },
    ip,
  })),
);
const call = fc
  .tuple(
    dictionary,
    fc.record(
      {
        userId: id,
        anonymousId: id,
        messageId: id,
        timestamp: time,
        originalTimestamp: time,
        sentAt: fc.oneof(time, json),
        receivedAt: fc.oneof(time, json),
        context,
        integrations: map,
        properties: map,
        traits: map,
        version: fc.oneof(some(1), json),
        'User ID': json,
        'Previous ID': json,
        name: fc.oneof(fc.string(), some('', null), json),
        category: fc.oneof(fc.string(), some('', null), json),
        writeKey: fc.string(),
      },
      { requiredKeys: [] },
    ),
    fc.record({
      type: some('identify', 'track', 'page', 'screen', 'group', 'alias'),
      event: fc.string({ minLength: 1 }),
      groupId: fc.oneof(fc.string({ minLength: 1 }), fc.nat()),
      previousId: fc.oneof(fc.string({ minLength: 1 }), fc.nat()),
    }),
    some({ userId: 'u' }, { anonymousId: 'a' }, { userId: 42 }, { userId: 'u', anonymousId: 'a' }),
  )
  .map(([extra, fields, needed, who]) => ({ ...extra, ...who, ...fields, ...needed }));
const envelope = fc.option(fc.record({ context, integrations: map, sentAt: time }, { requiredKeys: [] }), {
  nil: null,
});

const setting = fc.record({
  body: some('documented' as const, 'pass-through' as const),
  correctEveryTimestamp: fc.boolean(),
  kind: some('server' as const, 'web' as const),
});

/** What is wrong with the cells of a field, judged from their texts alone. */
function faultsOf(field: Field): string[] {
  if (field.kind !== 'changed') return [];
  const texts = field.cells.map(({ text }) => sorted(text));
  const faults = new Set(texts).size === 1 ? [`${field.key} is not changed`] : [];
  field.cells.forEach(({ change, reasons }, form) => {
    const before = form === 0 ? texts[0] : texts[form - 1];
    const now = texts[form];
    const due = before === now ? null : before === null ? 'added' : now === null ? 'left_out' : 'rewritten';
    if (change !== due) faults.push(`${field.key}, form ${form}: ${change} in place of ${due}`);
    if (reasons.length > 0 !== (due !== null)) faults.push(`${field.key}, form ${form}: ${reasons.length} reasons`);
    if (reasons.some(({ code }) => code === 'unexplained')) faults.push(`${field.key}, form ${form}: unexplained`);
  });
  return faults;
}

describe('the differences of any call', () => {
  it('have a reason each, and nothing else has one', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(call, envelope, setting, async (one, batch, how) => {
        const made = await changesOf(one, batch, how);
        if (made === null) return;
        compared += 1;
        expect(leaves(made.fields).flatMap(faultsOf)).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it('and what is the same make up each of the three forms again', async () => {
    await fc.assert(
      fc.asyncProperty(call, envelope, setting, async (one, batch, how) => {
        const made = await changesOf(one, batch, how);
        if (made === null) return;
        const root: Field = { kind: 'group', key: '', isArray: false, in: [true, true, true], fields: made.fields };
        expect(formOf(root, 0)).toEqual(JSON.parse(made.forms.received));
        expect(formOf(root, 1)).toEqual(JSON.parse(made.forms.normalised));
        expect(formOf(root, 2)).toEqual(JSON.parse(made.forms.delivered!));
      }),
      { numRuns: 150 },
    );
  });
});
