/** Where bodies end, and which connections may be used again. */
import { describe, expect, test } from 'vitest';
import { framingOf } from '../../../src/core/delivery/transport/answer-framing.ts';
import type { AnswerHead } from '../../../src/core/delivery/transport/answer-head.ts';
import type { Header } from '../../../src/core/model/header.ts';

const FOR_EVER = Number.POSITIVE_INFINITY;
const of = (headers: Header[], over: Partial<AnswerHead> = {}) =>
  framingOf({ version: '1.1', status: 200, statusText: '', headers, ...over });

describe('the body', () => {
  test.each<[Header[], object]>([
    [[['Content-Length', '0']], { kind: 'length', bytes: 0 }],
    [[['content-LENGTH', '00012']], { kind: 'length', bytes: 12 }],
    [[['Content-Length', '999999999999999']], { kind: 'length', bytes: 999_999_999_999_999 }],
    [[['Transfer-Encoding', 'chunked']], { kind: 'chunked' }],
    [[['transfer-encoding', 'GZIP , Chunked']], { kind: 'chunked' }],
    [
      [
        ['Transfer-Encoding', 'gzip'],
        ['Transfer-Encoding', 'chunked'],
      ],
      { kind: 'chunked' },
    ],
    [
      [
        ['Transfer-Encoding', 'chunked, ,'],
        ['Transfer-Encoding', ''],
      ],
      { kind: 'chunked' },
    ],
    [[['Transfer-Encoding', 'chunked, gzip']], { kind: 'until_close' }],
    [[['Transfer-Encoding', 'identity']], { kind: 'until_close' }],
    [[['Transfer-Encoding', '']], { kind: 'until_close' }],
    [[], { kind: 'until_close' }],
  ])('with %j is %j', (headers, framing) => {
    expect(of(headers)).toMatchObject({ framing });
  });

  test.each<[Header[], string]>([
    [
      [
        ['Content-Length', '2'],
        ['Transfer-Encoding', 'chunked'],
      ],
      'The answer has both Content-Length and Transfer-Encoding.',
    ],
    [
      [
        ['Transfer-Encoding', ''],
        ['Content-Length', '2'],
      ],
      'The answer has both Content-Length and Transfer-Encoding.',
    ],
    [
      [
        ['Content-Length', '2'],
        ['Content-Length', '2'],
      ],
      'The answer has more than one Content-Length.',
    ],
    ...['', '-1', '+1', '1.0', '0x1', '1, 1', '1 1', '1e3', '1'.repeat(16)].map((length): [Header[], string] => [
      [['Content-Length', length]],
      `The Content-Length is ${JSON.stringify(length)}.`,
    ]),
    [[['Content-Length', 'x'.repeat(41)]], `The Content-Length is "${'x'.repeat(40)}".`],
  ])('with %j is refused', (headers, problem) => {
    expect(of(headers)).toBe(problem);
  });

  test.each([204, 304])('of %d is none, and what could follow makes the connection useless', (status) => {
    expect(of([], { status })).toEqual({ framing: { kind: 'none' }, keptMs: FOR_EVER });
    expect(of([['Content-Length', '0']], { status })).toEqual({ framing: { kind: 'none' }, keptMs: FOR_EVER });
    expect(of([['Content-Length', '2']], { status })).toEqual({ framing: { kind: 'none' }, keptMs: 0 });
    expect(of([['Transfer-Encoding', 'chunked']], { status })).toEqual({ framing: { kind: 'none' }, keptMs: 0 });
    expect(of([['Content-Length', 'x']], { status })).toBe('The Content-Length is "x".');
  });
});

describe('the connection', () => {
  const LENGTH: Header = ['Content-Length', '2'];

  test.each<['1.0' | '1.1', Header[], number]>([
    ['1.1', [], FOR_EVER],
    ['1.1', [['Connection', 'keep-alive']], FOR_EVER],
    ['1.1', [['Connection', 'close']], 0],
    ['1.1', [['connection', 'Upgrade ,\tCLOSE']], 0],
    ['1.1', [['Connection', 'closed']], FOR_EVER],
    [
      '1.1',
      [
        ['Connection', 'close'],
        ['Connection', 'keep-alive'],
      ],
      0,
    ],
    ['1.0', [], 0],
    ['1.0', [['Connection', 'Keep-Alive']], FOR_EVER],
    ['1.0', [['Connection', 'close']], 0],
    ['1.1', [['Keep-Alive', 'timeout=5']], 5_000],
    ['1.1', [['keep-alive', 'max=7, Timeout=12']], 12_000],
    ['1.1', [['Keep-Alive', 'timeout=0']], 0],
    ['1.1', [['Keep-Alive', 'mytimeout=5']], FOR_EVER],
    ['1.1', [['Keep-Alive', 'timeout=x']], FOR_EVER],
    ['1.0', [['Keep-Alive', 'timeout=5']], 0],
  ])('of HTTP/%s with %j is kept for %d ms', (version, headers, keptMs) => {
    expect(of([LENGTH, ...headers], { version })).toMatchObject({ keptMs });
  });

  test('is not kept when its close ends the body', () => {
    expect(of([['Connection', 'keep-alive']])).toMatchObject({ keptMs: 0 });
  });
});
