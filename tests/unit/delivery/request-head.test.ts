/** What is written of a request, and where it goes. */
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Origin } from '../../../src/core/delivery/transport/origin.ts';
import { allHeaders, headersProblem, headText } from '../../../src/core/delivery/transport/request-head.ts';
import { writeRequest } from '../../../src/core/delivery/transport/write-request.ts';
import type { Header } from '../../../src/core/model/header.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';

const fakes = vi.hoisted(() => ({ armed: false, passed: [] as string[] }));
vi.mock('../../../src/core/failpoint.ts', () => ({
  failpoint: (name: string, before: () => void) => {
    fakes.passed.push(name);
    if (fakes.armed) before();
  },
}));

const request = (over: Partial<AttemptRequest> = {}): AttemptRequest => ({
  url: 'http://a.test/',
  headers: [['X-A', '1']],
  body: Buffer.from('{}'),
  limitMs: 5_000,
  ...over,
});

describe('an origin', () => {
  test.each([
    ['http://a.test', 'a.test', 80, false, 'a.test'],
    ['https://a.test', 'a.test', 443, true, 'a.test'],
    ['http://a.test:8080', 'a.test', 8080, false, 'a.test:8080'],
    ['https://a.test:80', 'a.test', 80, true, 'a.test:80'],
    ['http://[::1]:81', '::1', 81, false, '[::1]:81'],
    ['https://[::1]', '::1', 443, true, '[::1]'],
  ])('%s leads to %s, %d', (text, hostname, port, isSecure, host) => {
    expect({ ...new Origin(text) }).toEqual({ hostname, port, isSecure, host });
  });
});

describe('headers', () => {
  test('of the connection stand around those of a POST', () => {
    expect(allHeaders('a.test', request())).toEqual([
      ['host', 'a.test'],
      ['connection', 'keep-alive'],
      ['X-A', '1'],
      ['content-length', '2'],
    ]);
    expect(allHeaders('a.test', request({ body: new Uint8Array(), method: 'POST' })).at(-1)).toEqual([
      'content-length',
      '0',
    ]);
  });

  test('of a GET say nothing of a body', () => {
    expect(allHeaders('a.test', request({ method: 'GET' }))).toEqual([
      ['host', 'a.test'],
      ['connection', 'keep-alive'],
      ['X-A', '1'],
    ]);
  });

  test('are written one a line, in their order and case', () => {
    const headers: Header[] = [
      ['host', 'a.test'],
      ['X-Empty', ''],
      ['x-b', 'a: b'],
    ];
    expect(headText('GET', '/x?y', headers)).toBe(
      'GET /x?y HTTP/1.1\r\nhost: a.test\r\nX-Empty: \r\nx-b: a: b\r\n\r\n',
    );
    expect(headText('POST', '/', [])).toBe('POST / HTTP/1.1\r\n\r\n');
  });

  test.each<[Header[], string | null]>([
    [[], null],
    [
      [
        ['X-A', '1'],
        ['x-a', 'caf\xe9\t'],
      ],
      null,
    ],
    [[['X A', '1']], 'The header name "X A" is not allowed.'],
    [[['', '1']], 'The header name "" is not allowed.'],
    [
      [
        ['X-A', '1'],
        ['X-B', 'a\r\nInjected: b'],
      ],
      'The header X-B has a character that HTTP does not allow.',
    ],
    [[['X-A', '\u20ac']], 'The header X-A has a character that HTTP does not allow.'],
    ...['Host', 'CONNECTION', 'content-length', 'Transfer-Encoding', 'Keep-Alive', 'Upgrade', 'Expect'].map(
      (name): [Header[], string] => [[[name, 'x']], `The header ${name} is set by Hookbench.`],
    ),
  ])('%j have the problem %j', (headers, problem) => {
    expect(headersProblem(headers)).toBe(problem);
  });
});

describe('a request', () => {
  let wrote: string[];
  let drained: Array<() => void>;
  let needsDrain: boolean;
  let sent: number;
  const write = (head: string, body: Uint8Array): void => {
    const socket = {
      get writableNeedDrain() {
        return needsDrain;
      },
      write: (part: string | Uint8Array, encoding = 'utf8') =>
        wrote.push(typeof part === 'string' ? `${encoding}:${part}` : Buffer.from(part).toString('latin1')),
      cork: () => wrote.push('cork'),
      uncork: () => wrote.push('uncork'),
      once: (event: string, listener: () => void) => {
        expect(event).toBe('drain');
        drained.push(listener);
      },
    };
    writeRequest(socket as unknown as Socket, head, body, () => {
      sent += 1;
    });
  };
  beforeEach(() => {
    wrote = [];
    drained = [];
    needsDrain = false;
    sent = 0;
    fakes.armed = false;
    fakes.passed.length = 0;
  });

  test('goes out in one piece, its head in Latin-1', () => {
    write('head \xe9;', Buffer.from('body é'));
    expect([wrote, sent]).toEqual([[`head \xe9;${Buffer.from('body é').toString('latin1')}`], 1]);
  });

  test('without a body is its head', () => {
    write('head', new Uint8Array());
    expect(wrote).toEqual(['head']);
  });

  test('of more than 64 KiB goes out in two parts at once, and is not copied', () => {
    write('head', Buffer.alloc(65_532, 'b'));
    expect(wrote).toHaveLength(1);
    wrote = [];
    write('head', Buffer.alloc(65_533, 'b'));
    expect(wrote).toEqual(['cork', 'latin1:head', 'b'.repeat(65_533), 'uncork']);
  });

  test('is sent when the socket has taken all of it', () => {
    needsDrain = true;
    write('head', Buffer.from('body'));
    expect([sent, drained.length]).toEqual([0, 1]);
    drained[0]!();
    expect(sent).toBe(1);
  });

  test('may be cut after its head by a kill, and is whole without one', () => {
    fakes.armed = true;
    write('head', Buffer.from('body'));
    write('head', Buffer.alloc(70_000, 'b'));
    expect(fakes.passed).toEqual(['request_half_sent', 'request_half_sent']);
    expect(wrote).toEqual(['latin1:head', 'body', 'latin1:head', 'cork', 'latin1:', 'b'.repeat(70_000), 'uncork']);
  });
});
