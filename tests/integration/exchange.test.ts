/** Export and import of messages over the contract, on a real store. */
import { describe, expect, test } from 'vitest';
import { EXPORT_FORMATS } from '../../src/contract/exchange-limits.ts';
import {
  answering,
  type ExchangeWorld,
  SHARED_SECRET,
  STATIC_SECRET,
  startExchange,
  WEBHOOK,
  WRITE_KEY,
} from '../helpers/exchange-world.ts';

const ORDER =
  '{"messageId":"m-1","userId":"u-1","event":"Order  Completed","properties":{"total":1.50,"total":2.0,"email":"ada@acme.test"}}';

/** Lines of an NDJSON export. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** What an export says of a call, apart from what happened to it here. */
const callOf = (line: ReturnType<typeof linesOf>[number]) => {
  const { messageId, type, name, userId, anonymousId, size, delivered, request } = line;
  return { messageId, type, name, userId, anonymousId, size, delivered, path: request.path, body: request.body };
};

async function someCalls(world: ExchangeWorld): Promise<void> {
  await world.post('/v1/track', ORDER);
  await world.post('/v1/batch', {
    batch: [
      { type: 'identify', messageId: 'm-2', userId: 'u-2', traits: { email: 'bob@acme.test', phone: 5551234567 } },
      { type: 'page', messageId: 'm-3', anonymousId: 'anon-3', name: 'Home' },
    ],
    writeKey: WRITE_KEY,
    sentAt: '2026-11-20T12:00:00.000Z',
  });
}

describe('an export', () => {
  test('has each message with the bytes of its own call, what was delivered, and its attempts', async () => {
    const world = await startExchange();
    world.sim.transport.on(WEBHOOK, answering(503, 'come back, ada@acme.test'));
    await someCalls(world);
    const { text, written } = await world.export({ format: 'ndjson' });
    const lines = linesOf(text);
    expect([written, lines.map(({ messageId }) => messageId)]).toEqual([3, ['m-1', 'm-2', 'm-3']]);
    expect(lines[0].request.body).toBe(ORDER);
    expect(JSON.parse(lines[1].request.body).batch).toEqual([expect.objectContaining({ messageId: 'm-2' })]);
    expect(lines[2].request.body).not.toContain('bob@acme.test');
    expect(JSON.parse(lines[0].delivered)).toMatchObject({ type: 'track', event: 'Order  Completed' });
    expect(lines[0].attempts[0]).toMatchObject({
      webhook: 'Receiver',
      status: 503,
      response: { body: 'come back, ada@acme.test' },
    });
  });

  test.each(EXPORT_FORMATS)('as %s has no write key, no static header and no secret', async (format) => {
    const world = await startExchange();
    await someCalls(world);
    await world.post('/v1/track', `{"event":"E","userId":"u","write\\u004bey":"${WRITE_KEY}","messageId":"m-9"}`);
    for (const signatures of [false, true]) {
      const { text } = await world.export({ format, signatures });
      expect(text).toContain('m-9');
      for (const secret of [WRITE_KEY, STATIC_SECRET, SHARED_SECRET, Buffer.from(`${WRITE_KEY}:`).toString('base64')])
        expect(text).not.toContain(secret);
    }
  });

  test('shows signatures only when they are asked for', async () => {
    const world = await startExchange();
    await someCalls(world);
    const [row] = await world.rows();
    const { signature } = await world.ask('messages.get', { id: row!.id });
    for (const format of ['ndjson', 'har', 'html'] as const) {
      expect((await world.export({ format })).text).not.toContain(signature);
      expect((await world.export({ format, signatures: true })).text).toContain(signature);
    }
  });

  test.each(EXPORT_FORMATS)('as %s masks chosen fields wherever their values appear', async (format) => {
    const world = await startExchange();
    world.sim.transport.on(WEBHOOK, (request) => answering(200, `you sent ${Buffer.from(request.body)}`)(request, 1));
    await someCalls(world);
    const plain = (await world.export({ format })).text;
    expect(plain).toContain('ada@acme.test');
    const mask = ['traits.email', 'properties.email', 'traits.phone', 'userId'];
    const { text, written } = await world.export({ format, mask });
    expect(written).toBe(3);
    for (const value of ['ada@acme.test', 'bob@acme.test', '5551234567', '"u-1"', 'u-2'])
      expect(text).not.toContain(value);
    expect(text).toContain('[masked]');
    expect(text).toContain('m-3');
  });

  test.each(EXPORT_FORMATS)('as %s has no secret that a webhook answered with', async (format) => {
    const world = await startExchange();
    world.sim.transport.on(WEBHOOK, (request) => {
      const told = JSON.stringify({ headers: request.headers, token: STATIC_SECRET, secret: SHARED_SECRET });
      return answering(500, `you sent ${told}`)(request, 1);
    });
    await world.post('/v1/track', { event: 'E', userId: 'u', properties: { mine: SHARED_SECRET } });
    const [row] = await world.rows();
    const { signature } = await world.ask('messages.get', { id: row!.id });
    const { text } = await world.export({ format });
    expect(text).toContain('[hidden]');
    for (const secret of [STATIC_SECRET, SHARED_SECRET, signature!]) expect(text).not.toContain(secret);
  });

  test.each(EXPORT_FORMATS)('as %s masks what keys with dots, repeated keys and notes have', async (format) => {
    const world = await startExchange();
    world.sim.transport.on(WEBHOOK, (request) => answering(500, `you sent ${Buffer.from(request.body)}`)(request, 1));
    const calls = [
      '{"event":"E","userId":"u","properties":{"a.b":{"c":"secret-1"},"a":{"b.c":"secret-2","b":{"c":"secret-3"}}}}',
      '{"event":"E","userId":"u","traits":{"email":"secret-4"},"traits":{"plan":"x"}}',
      '{"event":"E","userId":"u","properties":{"card":12345678901234567890,"pin":987.50}}',
      '{"event":"E","userId":"u","properties":{"by":{"secret-5":true}}}',
    ];
    for (const call of calls) await world.post('/v1/track', call);
    const mask = ['properties.a.b.c', 'traits.email', 'properties.card', 'properties.pin', 'properties.by'];
    const { text, written } = await world.export({ format, mask });
    expect(written).toBe(4);
    expect(text).not.toMatch(/secret-\d|1234567890|987\.5/);
  });

  test('masks the fields of the settings unless it names its own, or none', async () => {
    const world = await startExchange();
    await someCalls(world);
    const saved = await world.ask('exports.save', { mask: ['userId', 'traits.email', 'userId'] });
    expect(saved).toEqual({ mask: ['userId', 'traits.email'] });
    const exported = async (mask?: string[]) => (await world.export({ format: 'ndjson', mask })).text;
    expect(await exported()).not.toContain('"userId":"u-1"');
    expect(await exported([])).toContain('"userId":"u-1"');
    const other = await exported(['event']);
    expect([other.includes('"userId":"u-1"'), other.includes('[masked]')]).toEqual([true, true]);
    await expect(world.ask('exports.save', { mask: [''] })).rejects.toMatchObject({ code: 'invalid_argument' });
    const { parts } = await world.ask('app.hello', {});
    expect(parts.exports).toEqual({ mask: ['userId', 'traits.email'] });
  });

  test('says what a replay sent where it was edited, and masks that too', async () => {
    const world = await startExchange();
    await someCalls(world);
    const [row] = await world.rows();
    const body = '{"type":"track","event":"Edited","properties":{"email":"eve@acme.test"}}';
    const [webhook] = (await world.ask('app.hello', {})).parts.webhooks;
    await world.ask('replay.send', { id: row!.id, webhookIds: [webhook!.id], body });
    await world.sim.pass(200);
    const of = { ids: [row!.id] };
    const line = linesOf((await world.export({ format: 'ndjson', of })).text)[0];
    expect(
      line.attempts.map(({ replay, sentBody }: { replay: unknown; sentBody: unknown }) => [replay, sentBody]),
    ).toEqual([
      [null, undefined],
      ['edited', { body }],
    ]);
    const { log } = JSON.parse((await world.export({ format: 'har', of })).text);
    expect(log.entries.at(-1).request.postData.text).toBe(body);
    const masked = await world.export({ format: 'ndjson', of, mask: ['properties.email'] });
    expect(masked.text).toContain('Edited');
    expect(masked.text).not.toContain('eve@acme.test');
  });

  test('of a selection has those messages that still exist, once, oldest first', async () => {
    const world = await startExchange();
    await someCalls(world);
    const [first, , last] = await world.rows();
    const { text } = await world.export({ format: 'ndjson', of: { ids: [last!.id, 9_999, first!.id, last!.id] } });
    expect(linesOf(text).map(({ messageId }) => messageId)).toEqual(['m-1', 'm-3']);
  });

  test.each(EXPORT_FORMATS)('as %s of nothing is a whole file', async (format) => {
    const world = await startExchange();
    const { text, written, slices } = await world.export({ format });
    expect([written, slices]).toEqual([0, 1]);
    if (format === 'har') expect(JSON.parse(text).log.entries).toEqual([]);
    if (format === 'html') expect(text).toMatch(/<footer>0 messages<\/footer>\n<\/body><\/html>\n$/);
  });

  test.each(EXPORT_FORMATS)('as %s in many slices is the file that one slice would be', async (format) => {
    const world = await startExchange();
    const padding = 'x'.repeat(9_000);
    for (let n = 0; n < 60; n += 1)
      await world.post('/v1/track', { event: `E${n}`, userId: 'u', properties: { padding } });
    const of = { ids: (await world.rows()).map(({ id }) => id) };
    const timeless = ({ text, ...rest }: Awaited<ReturnType<typeof world.export>>) => ({
      text: text.replace(/Exported [^ "]+/, 'Exported').replace(/(Calls from Hookbench [^ ]+), .+/, '$1'),
      ...rest,
    });
    const whole = timeless(await world.export({ format }));
    const byIds = timeless(await world.export({ format, of }));
    expect(whole.slices).toBeGreaterThan(1);
    expect(whole.written).toBe(60);
    expect(byIds.text === whole.text).toBe(true);
    for (let n = 0; n < 60; n += 1) expect(whole.text.split(new RegExp(`\\bE${n}\\b`)).length).toBeGreaterThan(1);
    if (format === 'har') expect(JSON.parse(whole.text).log.entries).toHaveLength(120);
  });

  test('leaves out what came after it began, and goes on around what was removed meanwhile', async () => {
    const world = await startExchange();
    const padding = 'x'.repeat(20_000);
    for (let n = 0; n < 30; n += 1)
      await world.post('/v1/track', { event: `E${n}`, userId: 'u', properties: { padding } });
    const asked = { format: 'ndjson' as const, of: { filter: {} } };
    const first = await world.ask('messages.export', asked);
    expect(first.next).not.toBeNull();
    expect(first.progress).toBeCloseTo(first.written / 30);
    await world.post('/v1/track', { event: 'late', userId: 'u' });
    const rows = await world.rows();
    const next = rows[first.written]!;
    await world.ask('storage.clear', { after: next.id - 1, upTo: next.id });
    let text = first.text;
    for (let slice = first; slice.next !== null; text += slice.text)
      slice = await world.ask('messages.export', { ...asked, cursor: slice.next });
    const names = linesOf(text).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 30 }, (_, n) => `E${n}`).filter((name) => name !== next.name));
  });
});

describe('an import', () => {
  test.each(['ndjson', 'har'] as const)('of our %s brings every call back, byte for byte', async (format) => {
    const [here, there, third] = [await startExchange(), await startExchange(), await startExchange()];
    await someCalls(here);
    const first = await here.export({ format });
    const view = await there.import(first.text, { size: 777 });
    expect(view).toMatchObject({ format, imported: 3, duplicates: 0, refused: 0, queued: 0, done: true });
    const calls = async (world: ExchangeWorld) => linesOf((await world.export({ format: 'ndjson' })).text).map(callOf);
    expect(await calls(there)).toEqual(await calls(here));
    // What an import stored is exported and imported again without any change.
    const again = await there.export({ format: 'ndjson' });
    await third.import(again.text);
    const times = /"receivedAt":"[^"]+"/g;
    expect((await third.export({ format: 'ndjson' })).text.replaceAll(times, '')).toBe(
      again.text.replaceAll(times, ''),
    );
  });

  test('is history: it is stored with origin import, and no webhook gets it', async () => {
    const [here, there] = [await startExchange(), await startExchange()];
    await someCalls(here);
    await there.import((await here.export({ format: 'ndjson' })).text);
    await there.sim.pass(60_000);
    expect((await there.rows()).map(({ origin, state, reason, round }) => [origin, state, reason, round])).toEqual(
      Array.from({ length: 3 }, () => ['import', 'not_selected', 'imported', 0]),
    );
    expect(there.sim.transport.sent).toEqual([]);
  });

  test('with deliver sends each call once, with the bytes that were delivered before', async () => {
    const [here, there] = [await startExchange(), await startExchange()];
    await someCalls(here);
    const { text } = await here.export({ format: 'ndjson' });
    const view = await there.import(text, { deliver: true });
    await there.sim.pass(1_000);
    expect(view).toMatchObject({ imported: 3, queued: 3 });
    expect((await there.rows()).map(({ origin, state }) => [origin, state])).toEqual(
      Array.from({ length: 3 }, () => ['import', 'delivered']),
    );
    const sent = there.sim.transport.sent.map(({ body }) => body);
    expect(sent).toEqual(linesOf(text).map(({ delivered }) => delivered));
  });

  test('can be repeated: what is there is a duplicate, also in its own workspace', async () => {
    const [here, there] = [await startExchange(), await startExchange()];
    await someCalls(here);
    const { text } = await here.export({ format: 'ndjson' });
    expect(await here.import(text)).toMatchObject({ read: 3, imported: 0, duplicates: 3 });
    await there.import(text);
    expect(await there.import(text + text)).toMatchObject({ read: 6, imported: 0, duplicates: 6 });
    expect(await there.rows()).toHaveLength(3);
  });

  test("takes Segment's own file of calls, and gives those without an id always the same one", async () => {
    const world = await startExchange();
    const raw = [
      '{"type":"track","event":"Signed Up","userId":"u-1","messageId":"seg-1","timestamp":"2026-01-02T03:04:05.000Z"}',
      '',
      '{"type":"identify","userId":"u-1","traits":{"plan":"pro"}}\r',
    ].join('\n');
    expect(await world.import(raw)).toMatchObject({ read: 2, imported: 2, refused: 0 });
    expect(await world.import(raw)).toMatchObject({ read: 2, imported: 0, duplicates: 2 });
    const [track] = await world.rows();
    const { deliveredJson } = await world.ask('messages.get', { id: track!.id });
    expect(JSON.parse(deliveredJson!)).toMatchObject({ event: 'Signed Up', timestamp: '2026-01-02T03:04:05.000Z' });
  });

  test('takes the calls of a HAR that a browser saved, and counts its other entries', async () => {
    const world = await startExchange();
    const entry = (method: string, url: string, text?: string) => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      request: { method, url, headers: [], ...(text !== undefined && { postData: { mimeType: 'text/plain', text } }) },
      response: { content: { text: '{"entries":[{"a":"}]"}]}' } },
    });
    const batch = JSON.stringify({
      batch: [1, 2].map((n) => ({ type: 'track', event: `E${n}`, userId: 'u', messageId: `b${n}` })),
    });
    const log = {
      pages: [{ entries: [{ no: 'entry' }] }],
      entries: [
        entry('GET', 'https://shop.test/'),
        entry('POST', 'https://api.segment.io/v1/t', '{"event":"\\"entries\\":[{","userId":"u","messageId":"t1"}'),
        entry('POST', 'https://api.segment.io/v1/batch?x=1', batch),
        entry('POST', 'https://shop.test/cart', '{}'),
        entry('POST', 'https://api.segment.io/v1/i'),
      ],
      comment: 'end',
    };
    for (const text of [JSON.stringify({ log }), JSON.stringify({ log }, null, 2)])
      for (const size of [1, 64, 50_000]) {
        const fresh = await startExchange();
        const view = await fresh.import(text, { size });
        expect(view).toMatchObject({ format: 'har', read: 6, imported: 3, other: 2, refused: 1 });
        expect(view.problems).toEqual([{ at: 5, text: 'It has no body as text.' }]);
      }
    expect(await world.rows()).toEqual([]);
  });

  test('refuses what ingest would refuse, line by line, and takes the rest', async () => {
    const world = await startExchange();
    const long = 'x'.repeat(40_000);
    const ours = { hookbench: 1, messageId: 'm', request: { path: '/v1/track', body: '{"event":"E","userId":"u"}' } };
    const delivered = '{"type":"track","userId":"somebody else","event":"E"}';
    const text = [
      'no json',
      '[1]',
      '{"type":"track","userId":"u"}',
      '{"event":"no type","userId":"u"}',
      `{"type":"track","event":"E","userId":"u","properties":{"long":"${long}"}}`,
      `{"hookbench":2}`,
      '{"hookbench":1,"request":{"path":"/etc/passwd","body":"{}"}}',
      '{"hookbench":1,"request":{"path":"/v1/track"}}',
      JSON.stringify({ ...ours, delivered }),
      '{"type":"track","event":"good","userId":"u"}',
    ].join('\n');
    const view = await world.import(text);
    expect(view).toMatchObject({ read: 10, imported: 1, refused: 9 });
    expect(view.problems).toEqual([
      { at: 1, text: 'It is not valid JSON.' },
      { at: 2, text: 'It is not a JSON object.' },
      { at: 3, text: 'A track call needs an event name.' },
      { at: 4, text: 'The call has no type.' },
      { at: 5, text: 'This call is 39.2 KB. The limit is 32 KB per call.' },
      { at: 6, text: 'It was exported by a later version of Hookbench.' },
      { at: 7, text: 'Its path takes no calls.' },
      { at: 8, text: 'It has no body as text.' },
      { at: 9, text: 'Its delivered body is not that of its call.' },
    ]);
    expect((await world.rows()).map(({ name }) => name)).toEqual(['good']);
  });

  test('does not bring a suppressed user back', async () => {
    const world = await startExchange();
    await world.ask('deletions.suppress', { userIds: ['gone'] });
    const view = await world.import(
      '{"type":"track","event":"E","userId":"gone"}\n{"type":"track","event":"E","userId":"here"}',
    );
    expect(view).toMatchObject({ imported: 1, refused: 1 });
    expect((await world.rows()).map(({ userId }) => userId)).toEqual(['here']);
  });
});
