import { describe, expect, test } from 'vitest';
import { type Channel, connectContract, type Handlers } from '../../../src/contract/channel.ts';
import { serveContract } from '../../../src/contract/serve.ts';

/** One end of a channel that a test speaks into by hand. */
function handChannel() {
  const seen = { posted: [] as string[], closes: 0, say: (_text: string) => {} };
  const channel: Channel = {
    post: (text) => void seen.posted.push(text),
    onText: (listener) => {
      seen.say = listener;
    },
    close: () => {
      seen.closes += 1;
    },
  };
  return { channel, seen };
}

const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const callText = (name: unknown, input: unknown = null, i: unknown = 'id'): string =>
  JSON.stringify({ t: 'q', m: 'call', a: [name, input], i });

function serve(handlers: Partial<Record<string, () => unknown>> = {}) {
  const { channel, seen } = handChannel();
  const bugs: unknown[] = [];
  const problems: string[] = [];
  const peer = serveContract(
    channel,
    handlers as unknown as Handlers,
    (error) => bugs.push(error),
    (problem) => problems.push(problem),
  );
  return { seen, bugs, problems, peer, answers: () => seen.posted.map((text) => JSON.parse(text)) };
}

describe('a text that is neither a call nor an answer ends its channel', () => {
  const noCalls: Array<[string, string]> = [
    ['nothing', ''],
    ['no JSON', 'x'],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"q"'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['a call without an id', '{"t":"q","m":"call","a":["app.status",null]}'],
    ['a call with an object as id', callText('app.status', null, {})],
    ['a call with an id of 1 KB', callText('app.status', null, 'x'.repeat(1024))],
    ['a call without arguments', '{"t":"q","m":"call","i":"1"}'],
    ['a call with a length in place of arguments', '{"t":"q","m":"call","i":"1","a":{"length":4294967295}}'],
    ['a call with one argument', '{"t":"q","m":"call","i":"1","a":["app.status"]}'],
    ['a call of what every object has', '{"t":"q","m":"toString","i":"1","a":["x",null]}'],
    ['a call of the prototype', '{"t":"q","m":"__proto__","i":"1","a":["x",null]}'],
    ['a call of what the other side offers', '{"t":"q","m":"changes","i":"1","a":["x",null]}'],
    ['an optional call of nothing', '{"t":"q","o":true,"i":"1","a":["x",null]}'],
    ['an answer without an id', '{"t":"s","r":1}'],
    ['another kind', '{"t":"x","i":"1"}'],
  ];
  test.each(noCalls)('%s', async (_title, text) => {
    const { seen, bugs, problems } = serve({ 'app.status': () => 1 });
    seen.say(text);
    // What came in the same packet is not heard any more.
    seen.say(callText('app.status'));
    await turns();
    expect([seen.closes, problems.length]).toEqual([1, 1]);
    expect([seen.posted, bugs]).toEqual([[], []]);
  });

  test('and what is no text at all does too', () => {
    const { seen, problems } = serve();
    seen.say(new Uint8Array(2) as unknown as string);
    expect([seen.closes, problems]).toEqual([1, ['not_text']]);
  });

  test('on the client\u2019s side too, where open calls end', async () => {
    const { channel, seen } = handChannel();
    const client = connectContract(channel, () => {});
    const call = client.call('app.status');
    await turns();
    seen.say('x');
    await expect(call).rejects.toThrow('closed');
    expect(seen.closes).toBe(1);
  });
});

test('an answer that nobody waits for is passed over', async () => {
  const { seen, problems } = serve({ 'app.status': () => 1 });
  for (const text of ['{"t":"s","i":"1","r":1}', '{"t":"s","i":"__proto__","e":{}}', '{"t":"s","i":"2"}'])
    seen.say(text);
  seen.say(callText('app.status'));
  await turns();
  expect([seen.closes, problems]).toEqual([0, []]);
  expect(seen.posted).toHaveLength(1);
});

test.each([...Object.getOwnPropertyNames(Object.prototype), '', 'a'.repeat(10_000), 5, null, ['app.status'], {}])(
  'the command %j is unknown and no bug',
  async (name) => {
    const { seen, bugs, answers } = serve();
    seen.say(callText(name));
    await turns();
    expect(bugs).toEqual([]);
    expect(answers()).toEqual([
      { t: 's', i: 'id', r: { ok: false, error: { code: 'unknown_command', message: expect.any(String) } } },
    ]);
    expect(seen.posted[0]!.length).toBeLessThan(250);
  },
);

describe('an answer that cannot be written down', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const bad: Array<[string, () => unknown]> = [
    ['a BigInt', () => ({ n: 1n })],
    ['a circle', () => circle],
    [
      'a toJSON that throws',
      () => ({
        toJSON: () => {
          throw new Error('no');
        },
      }),
    ],
  ];
  test.each(bad)('%s is an error of that call alone', async (_title, handler) => {
    const { seen, bugs, answers } = serve({ 'app.status': handler });
    seen.say(callText('app.status', null, 'bad'));
    seen.say(callText('app.status', null, 'again'));
    await turns();
    expect(answers().map(({ i, r }) => [i, r.error.code])).toEqual([
      ['bad', 'internal'],
      ['again', 'internal'],
    ]);
    expect([bugs.length, seen.closes]).toEqual([2, 0]);
  });
});

test('changes that cannot be written down reject, and are a bug', async () => {
  const { bugs, peer } = serve();
  await expect(peer.changes({ seq: 1n } as never)).rejects.toThrow(TypeError);
  expect(bugs).toHaveLength(1);
});
