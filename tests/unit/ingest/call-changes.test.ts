import { describe, expect, it } from 'vitest';
import type { Field } from '../../../src/core/model/call-changes.ts';
import { type ChangeSetting, changesOf, rawNumber } from '../../helpers/changed-call.ts';
import { NOON } from '../../helpers/ingest-parts.ts';

/** `context.library: absent | +{…} merged_from_batch | {…}`, one line for each changed field. */
function linesOf(fields: readonly Field[], path = ''): string[] {
  return fields.flatMap((field) => {
    const at = path === '' ? field.key : `${path}.${field.key}`;
    if (field.kind === 'same') return [];
    if (field.kind === 'group') return linesOf(field.fields, at);
    const cells = field.cells.map(({ text, change, reasons }) => {
      const mark = change === null ? '' : { added: '+', rewritten: '~', left_out: '-' }[change];
      const why = reasons.map(({ code, detail }) => (detail === undefined ? ` ${code}` : ` ${code}(${detail})`));
      return `${mark}${text ?? 'absent'}${why.join('')}`;
    });
    return [`${at}: ${cells.join(' | ')}${field.inBatch ? ' (in the batch)' : ''}`];
  });
}
const changed = async (call: object, batch: object | null = null, setting: ChangeSetting = {}) =>
  linesOf((await changesOf(call, batch, setting))!.fields);
/** The one line about a field. */
const about = async (field: string, call: object, batch: object | null = null, setting: ChangeSetting = {}) =>
  (await changed(call, batch, setting)).find((line) => line.startsWith(`${field}:`));

const at = (ms: number): string => new Date(NOON + ms).toISOString();
const track = (over: object = {}) => ({
  type: 'track',
  event: 'E',
  userId: 'u',
  messageId: 'm',
  timestamp: at(0),
  ...over,
});

describe('the differences between the forms of a call', () => {
  it('are those of the mock-up, each with its reason', async () => {
    const call = {
      type: 'track',
      event: 'Order Completed',
      userId: 70042,
      anonymousId: '77b1f0c3-0d9e',
      messageId: '3f0d6a18',
      timestamp: '2026-11-20T18:33:12.107+01:00',
      properties: { orderId: 'A-1', total: 184.5 },
      context: { ip: '203.0.113.24', locale: 'de-AT' },
      integrations: { all: true },
    };
    const batch = {
      sentAt: '2026-11-20T17:33:12.511Z',
      context: { library: { name: 'analytics-go', version: '3.3.0' } },
    };
    expect(await changed(call, batch)).toEqual([
      'userId: 70042 | ~"70042" id_number_to_string | "70042"',
      'anonymousId: "77b1f0c3-0d9e" | "77b1f0c3-0d9e" | -absent user_id_sent',
      'messageId: "3f0d6a18" | "3f0d6a18" | -absent not_documented',
      'timestamp: "2026-11-20T18:33:12.107+01:00" | ~"2026-11-20T17:32:59.596Z" time_utc clock_skew_corrected(−12.511 s) | "2026-11-20T17:32:59.596Z"',
      'context.library: absent | +{"name":"analytics-go","version":"3.3.0"} merged_from_batch | {"name":"analytics-go","version":"3.3.0"} (in the batch)',
      'integrations: {"all":true} | {"all":true} | -absent routing_all(all) routing',
      'originalTimestamp: absent | +"2026-11-20T17:33:12.107Z" timestamp_kept | -absent not_documented',
      'sentAt: absent | +"2026-11-20T17:33:12.511Z" sent_at_of_batch | -absent not_documented (in the batch)',
      'receivedAt: absent | +"2026-11-20T17:33:00.000Z" received_at | -absent not_documented',
      'version: absent | absent | +1 destination_version',
    ]);
  });

  it.each([
    ['type', { ...track(), type: 'page' }, '"page" | ~"track" path_type | "track"', { path: '/v1/track' }],
    ['messageId', track({ messageId: null }), 'null | ~"assigned-1" message_id_assigned | -absent not_documented', {}],
    ['messageId', track({ messageId: 5 }), '5 | ~"5" id_number_to_string | -absent not_documented', {}],
    ['timestamp', track({ timestamp: undefined }), `absent | +"${at(0)}" timestamp_missing | "${at(0)}"`, {}],
    [
      'timestamp',
      track({ timestamp: null, originalTimestamp: '2026-11-20' }),
      'null | ~"2026-11-20T00:00:00.000Z" original_timestamp time_utc | "2026-11-20T00:00:00.000Z"',
      {},
    ],
    [
      'timestamp',
      track({ timestamp: '2026-11-20T17:33:00Z' }),
      `"2026-11-20T17:33:00Z" | ~"${at(0)}" time_millisecond | "${at(0)}"`,
      {},
    ],
    [
      'timestamp',
      track({ sentAt: at(-300) }),
      `"${at(0)}" | ~"${at(300)}" timestamp_moved(+0.300 s) | "${at(300)}"`,
      { correctEveryTimestamp: true },
    ],
    ['sentAt', track({ sentAt: at(0) }), `"${at(0)}" | "${at(0)}" | -absent not_documented`, {}],
    ['writeKey', track({ writeKey: 'wk_test' }), '"wk_test" | -absent write_key | absent', {}],
    ['context', track(), 'absent | absent | +{} context_always', {}],
    ['context', track({ context: null }), 'null | null | ~{"ip":"127.0.0.1"} context_always', { kind: 'web' }],
    [
      'context.ip',
      track({ context: { library: { name: 'analytics.js' } } }),
      'absent | +"127.0.0.1" ip_of_connection | "127.0.0.1"',
      { kind: 'web' },
    ],
    ['properties', track({ properties: [] }), '[] | ~{} empty_array_to_object | {}', {}],
    ['properties', track({ properties: null }), 'null | null | -absent empty_left_out', {}],
    ['userId', track({ userId: '', anonymousId: 'a' }), '"" | "" | -absent empty_left_out', {}],
    ['anonymousId', track({ anonymousId: null }), 'null | null | -absent user_id_sent', {}],
    ['properties.a', track({ properties: { a: rawNumber('100.0') } }), '100.0 | ~100 number_form | 100', {}],
    [
      'properties.a.1',
      track({ properties: { a: [1, rawNumber('12345678901234567890')] } }),
      '12345678901234567890 | ~12345678901234567000 number_changed | 12345678901234567000',
      {},
    ],
    ['properties.a', track({ properties: { a: rawNumber('1e999') } }), '1e999 | ~null number_lost | null', {}],
    ['context.ip', track({ context: { ip: rawNumber('1.0') } }), '1.0 | ~1 number_form | 1', {}],
    ['own', track({ own: { a: 1 } }), '{"a":1} | {"a":1} | -absent not_documented', {}],
    [
      'integrations',
      track({ integrations: { webhooks: false } }),
      '{"webhooks":false} | {"webhooks":false} | -absent routing_near_miss(webhooks) routing',
      {},
    ],
    ['userId', { type: 'alias', userId: 'u', previousId: 7 }, '"u" | "u" | -absent alias_name', {}],
    ['User ID', { type: 'alias', userId: 'u', previousId: 7 }, 'absent | absent | +"u" alias_name', {}],
    [
      'previousId',
      { type: 'alias', userId: 'u', previousId: 7 },
      '7 | ~"7" id_number_to_string | -absent alias_name',
      {},
    ],
    ['Previous ID', { type: 'alias', userId: 'u', previousId: 7 }, 'absent | absent | +"7" alias_name', {}],
  ] as const)('%s of %j: %s', async (field, call, line, setting) => {
    expect(await about(field, call, null, setting)).toBe(`${field}: ${line}`);
  });

  it('tells what the batch brings from what the call has', async () => {
    const batch = { context: { a: 1, b: 2 }, integrations: { All: false }, sentAt: at(0) };
    const one = track({ context: { b: 3 }, integrations: { X: true }, sentAt: '2026-11-20T17:32:00Z' });
    const lines = await changed(one, batch);
    expect(lines).toContain('context.a: absent | +1 merged_from_batch | 1 (in the batch)');
    expect(lines.some((line) => line.startsWith('context.b'))).toBe(false);
    expect(lines).toContain('integrations.All: absent | +false merged_from_batch | -absent routing (in the batch)');
    expect(lines).toContain('integrations.X: true | true | -absent routing');
    expect(lines).toContain(`sentAt: "2026-11-20T17:32:00Z" | ~"${at(0)}" sent_at_of_batch | -absent not_documented`);
  });

  it('are none after normalising when the whole message is passed through', async () => {
    const { fields } = (await changesOf(track({ own: 1, userId: 7 }), null, { body: 'pass-through' }))!;
    for (const line of linesOf(fields)) expect(line).not.toMatch(/\| [-+~][^|]*$/);
    expect(linesOf(fields)[0]).toBe('userId: 7 | ~"7" id_number_to_string | "7"');
  });

  it('take a call out of its batch as its text stands there', async () => {
    const { forms } = (await changesOf(track({ properties: { a: rawNumber('1.50') } }), { context: {} }))!;
    expect(forms.received).toBe(JSON.stringify(track({ properties: { a: rawNumber('1.50') } })));
  });
});
