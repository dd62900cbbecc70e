/** What is normalised in a call before it is delivered, and which notes say so. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../helpers/ingest-parts.ts';
import { batchOf, prepare, RECEIVED, wireOf } from '../../helpers/prepare-fields.ts';

const stamped = { timestamp: '2026-11-20T17:32:50.518Z', messageId: 'm1' };

describe('what is normalised', () => {
  const track = { type: 'track', event: 'E', userId: 'u', ...stamped };

  it('numbers as ids become text with a note', () => {
    const message = prepare({ ...track, userId: 42, anonymousId: 1e21, messageId: 7 });
    expect(message).toMatchObject({ userId: '42', anonymousId: '1e+21', messageId: '7', state: 'queued' });
    expect(message.notes.map((note) => note.field)).toEqual(['userId', 'anonymousId', 'messageId']);
  });

  it.each([undefined, null, ''])('a messageId of %j is assigned and noted', (messageId) => {
    const message = prepare({ ...track, messageId });
    expect(message.messageId).toBe('assigned-1');
    expect(message.notes).toEqual([{ code: 'message_id_assigned', field: 'messageId' }]);
  });

  it.each([undefined, null])('a timestamp of %j is the time of receipt and noted', (timestamp) => {
    const message = prepare({ ...track, timestamp }, batchOf({ sentAt: '2020-01-01T00:00:00Z' }));
    expect(JSON.parse(textOf(message.wire)).timestamp).toBe(RECEIVED);
    expect(message.notes).toEqual([{ code: 'timestamp_missing', field: 'timestamp' }]);
  });

  it('originalTimestamp stands in for a missing timestamp', () => {
    const call = { ...track, timestamp: undefined, originalTimestamp: '2020-02-02T02:02:02.222Z' };
    expect(JSON.parse(wireOf(call)).timestamp).toBe('2020-02-02T02:02:02.222Z');
  });

  it.each([
    ['17:32:54.999Z', true],
    ['17:32:55.000Z', false],
    ['17:32:59.588Z', false],
    ['17:33:05.000Z', false],
    ['17:33:05.001Z', true],
  ])('a clock is wrong, and its timestamps corrected with a note, beyond 5 s: sent at %s is %s', (sent, wrong) => {
    const message = prepare(track, batchOf({ sentAt: `2026-11-20T${sent}` }));
    expect(message.notes.map((note) => note.code)).toEqual(wrong ? ['clock_skew_corrected'] : []);
    expect(JSON.parse(textOf(message.wire)).timestamp === stamped.timestamp).toBe(!wrong);
  });

  it('every timestamp is corrected when that is set, with a note of another kind below 5 s', () => {
    const sentAt = '2026-11-20T17:32:59.588Z';
    const moved = prepare(track, { ...batchOf({ sentAt }), correction: 'always' });
    expect(JSON.parse(textOf(moved.wire)).timestamp).toBe('2026-11-20T17:32:50.930Z');
    expect(moved.notes).toEqual([{ code: 'timestamp_moved', field: 'timestamp', detail: '+0.412 s' }]);
    const still = prepare(track, { ...batchOf({ sentAt: RECEIVED }), correction: 'always' });
    expect(still.notes).toEqual([]);
  });

  it('an import is never corrected', () => {
    const message = prepare(track, { ...batchOf({ sentAt: '2020-01-01T00:00:00Z' }), correction: 'never' });
    expect(JSON.parse(textOf(message.wire)).timestamp).toBe(stamped.timestamp);
    expect(message.notes).toEqual([]);
  });

  it('an empty array is an empty object with a note, wherever an object belongs', () => {
    const call = { type: 'track', event: 'E', userId: 'u', integrations: [], properties: [], context: [], ...stamped };
    const message = prepare(call);
    expect(JSON.parse(textOf(message.wire))).toMatchObject({ properties: {}, context: {} });
    expect(message).toMatchObject({ state: 'queued', size: Buffer.byteLength(JSON.stringify(call)) });
    expect(message.notes).toEqual(
      ['properties', 'context', 'integrations'].map((field) => ({ code: 'empty_array_to_object', field })),
    );
    for (const type of ['identify', 'group']) {
      const { wire, notes } = prepare({ type, userId: 'u', groupId: 'g', traits: [], ...stamped });
      expect(JSON.parse(textOf(wire)).traits).toEqual({});
      expect(notes).toEqual([{ code: 'empty_array_to_object', field: 'traits' }]);
    }
    const whole = JSON.parse(wireOf(call, { body: 'pass-through' }));
    expect(Object.keys(whole).slice(0, 6)).toEqual(Object.keys(call).slice(0, 6));
    expect(whole).toMatchObject({ integrations: {}, properties: {}, context: {} });
    expect(prepare({ ...call, properties: [1] })).toMatchObject({ reason: 'properties_not_object' });
  });

  it('says by how much a clock was corrected', () => {
    const slow = prepare(track, batchOf({ sentAt: '2026-11-20T16:33:00.000Z' }));
    expect(slow.notes[0]).toEqual({ code: 'clock_skew_corrected', field: 'timestamp', detail: '+3600.000 s' });
    const fast = prepare(track, batchOf({ sentAt: '2026-11-20T17:33:10.500Z' }));
    expect(fast.notes[0]?.detail).toBe('−10.500 s');
    expect(JSON.parse(textOf(fast.wire)).timestamp).toBe('2026-11-20T17:32:40.018Z');
  });

  it('takes the sending time of the envelope before that of the call', () => {
    const call = { ...track, sentAt: '2026-11-20T17:32:51.000Z' };
    expect(JSON.parse(wireOf(call, batchOf({ sentAt: RECEIVED }))).timestamp).toBe(stamped.timestamp);
    expect(JSON.parse(wireOf(call, batchOf({}))).timestamp).toBe('2026-11-20T17:32:59.518Z');
  });

  it('ignores a sending time that cannot be read', () => {
    expect(JSON.parse(wireOf({ ...track, sentAt: 'soon' })).timestamp).toBe(stamped.timestamp);
  });

  it('merges the context of the batch under the own one, key by key', () => {
    const call = { ...track, context: { ip: '1.2.3.4', app: { version: '2' } } };
    const over = batchOf({ context: { library: { name: 'analytics-go' }, app: { name: 'A' }, ip: '9.9.9.9' } });
    expect(JSON.parse(wireOf(call, over)).context).toEqual({
      library: { name: 'analytics-go' },
      app: { version: '2' },
      ip: '1.2.3.4',
    });
    expect(JSON.parse(wireOf(track, over)).context.ip).toBe('9.9.9.9');
  });

  it('integrations of the batch select unless the call says otherwise', () => {
    const over = batchOf({ integrations: { All: false } });
    expect(prepare(track, over)).toMatchObject({ state: 'not_selected', reason: 'integrations_all_off' });
    expect(prepare({ ...track, integrations: { Webhooks: true } }, over).state).toBe('queued');
  });

  it.each([
    ['analytics.js', true],
    ['analytics-ios', true],
    ['analytics-kotlin', true],
    ['@segment/analytics-react-native', true],
    ['@segment/analytics-node', false],
    ['analytics-go', false],
    ['analytics-python', false],
    ['analytics-java', false],
    ['constructor', false],
  ])('fills the address for a library on the device: %s %s', (name, filled) => {
    const context = { library: { name } };
    const sent = JSON.parse(wireOf({ ...track, context })).context;
    expect(sent).toEqual(filled ? { library: { name }, ip: '127.0.0.1' } : { library: { name } });
  });

  it('keeps an address that was sent', () => {
    const context = { library: { name: 'analytics.js' }, ip: '0.0.0.0' };
    expect(JSON.parse(wireOf({ ...track, context })).context.ip).toBe('0.0.0.0');
  });
});
