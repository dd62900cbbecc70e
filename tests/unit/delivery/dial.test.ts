/** Which addresses are dialled, in which order, and what is told when none answers. The sockets are not real. */
import { EventEmitter } from 'node:events';
import type { OnReadOpts, Socket } from 'node:net';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Address } from '../../../src/core/delivery/transport/addresses.ts';
import { type DialTarget, dial, type Lookup } from '../../../src/core/delivery/transport/dial.ts';
import type { Failure } from '../../../src/core/delivery/transport/failures.ts';
import { PhaseRecorder } from '../../../src/core/delivery/transport/phases.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

interface FakeSocket extends EventEmitter {
  readonly options: { host: string; port: number; family: number; noDelay: boolean };
  destroyed: boolean;
}
const dialled = vi.hoisted(() => ({ sockets: [] as unknown[], make: (_options: unknown): unknown => null }));
vi.mock('node:net', async (original) => ({
  ...(await original<object>()),
  connect: (options: unknown) => dialled.make(options),
}));

const sockets = (): FakeSocket[] => dialled.sockets as FakeSocket[];
const hosts = (): string[] => sockets().map(({ options }) => options.host);
const coded = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

let time: SimTime;
let phases: PhaseRecorder;
let ended: Array<[Failure | null, Socket | null]>;
let names: string[];
let ownPorts: number[];
let lookup: Lookup;
beforeEach(() => {
  dialled.sockets.length = 0;
  dialled.make = (options) => {
    const socket = Object.assign(new EventEmitter(), { options, destroyed: false, destroy: () => {} });
    socket.destroy = () => {
      socket.destroyed = true;
    };
    dialled.sockets.push(socket);
    return socket;
  };
  time = new SimTime();
  phases = new PhaseRecorder(time);
  ended = [];
  names = [];
  ownPorts = [];
  lookup = async () => [];
});

const v4 = (last: number): Address => ({ address: `10.0.0.${last}`, family: 4 });
const v6 = (last: number): Address => ({ address: `2001:db8::${last}`, family: 6 });

function start(hostname: string, port = 80, onBytes?: DialTarget['onBytes']) {
  const context = {
    timers: time,
    lookup: (name: string) => {
      names.push(name);
      return lookup(name);
    },
    ownPorts: () => ownPorts,
  };
  return dial({ hostname, port, onBytes }, context, phases, (...result) => void ended.push(result));
}

async function startWith(...addresses: Address[]) {
  lookup = async () => addresses;
  const dialling = start('a.test', 8080);
  await time.settle();
  return dialling;
}

describe('the addresses', () => {
  test.each([
    ['10.1.2.3', ['10.1.2.3'], 4],
    ['2001:db8::7', ['2001:db8::7'], 6],
  ])('of the literal %s need no lookup', (hostname, expected, family) => {
    start(hostname, 8080);
    expect([names, hosts(), phases.open]).toEqual([[], expected, 'tcp']);
    expect(sockets()[0]!.options).toEqual({ host: hostname, port: 8080, family, noDelay: true });
  });

  test.each(['localhost', 'LocalHost', 'localhost.', 'a.localhost', 'a.b.localhost.'])(
    'of %s are those of this machine, whatever a name server says',
    async (hostname) => {
      start(hostname);
      await time.advance(200);
      expect([names, hosts()]).toEqual([[], ['127.0.0.1', '::1']]);
      expect(sockets().map(({ options }) => options.family)).toEqual([4, 6]);
    },
  );

  test.each(['localhost.test', 'mylocalhost', 'localhost..'])('of %s are looked up', async (hostname) => {
    lookup = async () => [v4(1)];
    start(hostname);
    expect([names, phases.open, sockets()]).toEqual([[hostname], 'dns', []]);
    await time.settle();
    expect([hosts(), phases.open]).toEqual([['10.0.0.1'], 'tcp']);
  });

  test('are taken in turn from both families, from that of the first one on', async () => {
    await startWith(v6(1), v6(2), v4(1), v6(3), v4(2));
    await time.advance(10_000);
    expect(hosts()).toEqual(['2001:db8::1', '10.0.0.1', '2001:db8::2', '10.0.0.2', '2001:db8::3']);
  });

  test('that are left of the other family come last', async () => {
    await startWith(v4(1), v6(1), v6(2), v6(3));
    await time.advance(10_000);
    expect(hosts()).toEqual(['10.0.0.1', '2001:db8::1', '2001:db8::2', '2001:db8::3']);
  });

  test('are ten at most', async () => {
    await startWith(...Array.from({ length: 12 }, (_, i) => v4(i + 1)));
    await time.advance(10_000);
    expect(hosts()).toHaveLength(10);
  });
});

describe('a name is refused', () => {
  test.each([
    ['without an address', [], 'dns_failed', 'The name has no address.'],
    [
      'that leads to this machine, to a port of ours',
      [v4(1), { address: '127.0.0.1', family: 4 }],
      'connection_error',
      'loop: 127.0.0.1:8080 is Hookbench itself',
    ],
    [
      'that leads to a link-local address',
      [v4(1), { address: 'fe80::1', family: 6 }],
      'connection_error',
      'blocked: [fe80::1]:8080 is a link-local address',
    ],
  ] as const)('%s', async (_, addresses, reason, detail) => {
    ownPorts = [1, 8080];
    await startWith(...addresses);
    expect(ended).toEqual([[{ outcome: 'no_connection', reason, detail }, null]]);
    expect([hosts(), phases.open]).toEqual([[], null]);
  });

  test('for none of that: another machine on a port of ours, or another port of this one', async () => {
    ownPorts = [8080];
    await startWith(v4(1));
    start('127.0.0.1', 8081);
    expect([hosts(), ended]).toEqual([['10.0.0.1', '127.0.0.1'], []]);
  });

  test.each([
    ['ENOTFOUND', 'dns_failed'],
    ['EAI_AGAIN', 'dns_failed'],
    ['ECONNREFUSED', 'dns_failed'],
    ['ENETUNREACH', 'unreachable'],
  ])('whose lookup fails with %s: %s', async (code, reason) => {
    lookup = async () => {
      throw coded(code);
    };
    start('a.test');
    await time.advance(5);
    expect(ended).toEqual([[{ outcome: 'no_connection', reason, detail: `connect ${code}` }, null]]);
    expect(phases.open).toBeNull();
  });
});

describe('the first connection wins', () => {
  test('and the others end, with their timer', async () => {
    await startWith(v4(1), v4(2), v4(3));
    expect([hosts().length, time.pending]).toEqual([1, 1]);
    await time.advance(199);
    expect(hosts()).toHaveLength(1);
    await time.advance(1);
    expect(hosts()).toHaveLength(2);
    const [first, second] = sockets() as [FakeSocket, FakeSocket];
    second.emit('connect');
    expect(ended).toEqual([[null, second]]);
    expect([first.destroyed, second.destroyed, time.pending, phases.open]).toEqual([true, false, 0, null]);
    expect(second.listenerCount('error')).toBe(0);
    first.emit('connect');
    first.emit('error', coded('ECONNRESET'));
    await time.advance(10_000);
    expect([ended.length, hosts().length]).toEqual([1, 2]);
  });

  test('and may be the only one', async () => {
    await startWith(v4(1));
    sockets()[0]!.emit('connect');
    expect([ended, time.pending]).toEqual([[[null, sockets()[0]]], 0]);
  });

  test('no timer runs for the last address', async () => {
    await startWith(v4(1), v4(2));
    await time.advance(200);
    expect([hosts().length, time.pending]).toEqual([2, 0]);
  });
});

describe('an address that fails', () => {
  test('gives way to the next one at once, and leaves one timer', async () => {
    await startWith(v4(1), v4(2), v4(3));
    await time.advance(150);
    sockets()[0]!.emit('error', coded('ETIMEDOUT'));
    expect([hosts().length, time.pending]).toEqual([2, 1]);
    await time.advance(199);
    expect(hosts()).toHaveLength(2);
    await time.advance(1);
    expect(hosts()).toHaveLength(3);
  });

  test('counts once', async () => {
    await startWith(v4(1), v4(2), v4(3));
    sockets()[0]!.emit('error', coded('ETIMEDOUT'));
    sockets()[0]!.emit('error', coded('ETIMEDOUT'));
    expect(hosts()).toHaveLength(2);
  });

  test('as the last one tells what each of them said, and a refusal counts most', async () => {
    await startWith(v4(1), v4(2), v4(3));
    await time.advance(400);
    sockets()[2]!.emit('error', coded('ECONNREFUSED'));
    sockets()[0]!.emit('error', coded('EHOSTUNREACH'));
    expect(ended).toEqual([]);
    sockets()[1]!.emit('error', coded('ECONNRESET'));
    expect(ended).toEqual([
      [
        {
          outcome: 'no_connection',
          reason: 'connection_refused',
          detail: 'connect EHOSTUNREACH; connect ECONNRESET; connect ECONNREFUSED',
        },
        null,
      ],
    ]);
    expect(phases.open).toBeNull();
  });

  test('without a refusal the reason is that of the first address', async () => {
    await startWith(v4(1), v4(2));
    await time.advance(200);
    sockets()[1]!.emit('error', coded('ECONNRESET'));
    sockets()[0]!.emit('error', coded('EHOSTUNREACH'));
    expect(ended[0]![0]).toMatchObject({ reason: 'unreachable', detail: 'connect EHOSTUNREACH; connect ECONNRESET' });
  });
});

describe('a cancel', () => {
  test('ends every socket and the timer, and nothing is told', async () => {
    const dialling = await startWith(v4(1), v4(2), v4(3));
    await time.advance(200);
    dialling.cancel();
    expect([sockets().map(({ destroyed }) => destroyed), time.pending]).toEqual([[true, true], 0]);
    sockets()[0]!.emit('connect');
    sockets()[1]!.emit('error', coded('ECONNRESET'));
    await time.advance(10_000);
    expect([ended, hosts().length]).toEqual([[], 2]);
  });

  test.each([
    ['found', async () => [v4(1)]],
    ['failed', () => Promise.reject(coded('ENOTFOUND'))],
  ] as const)('during the lookup dials nothing once it has %s', async (_, answer) => {
    lookup = answer;
    start('a.test').cancel();
    await time.settle();
    expect([ended, hosts()]).toEqual([[], []]);
  });
});

test('what arrives is taken from one buffer for each socket, in place of its own', async () => {
  const arrived: string[] = [];
  start('localhost', 80, (bytes) => void arrived.push(bytes.toString()));
  await time.advance(200);
  const read = sockets().map(({ options }) => (options as unknown as { onread: OnReadOpts }).onread);
  const [first, second] = read.map(({ buffer }) => buffer as Buffer);
  expect([first!.length, second!.length, first === second]).toEqual([16_384, 16_384, false]);
  second!.write('answer');
  expect(read[1]!.callback(3, second!)).toBe(true);
  expect(arrived).toEqual(['ans']);
});
