/** A head, collected from bytes that arrive in parts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeadReader, MAX_HEAD_BYTES, type ReadSoFar } from '../../../src/core/delivery/transport/head-reader.ts';
import { pieces } from '../../helpers/pieces.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\n';

/** Reads up to the first verdict; `end` counts from the first byte of all. */
function read(text: string, cuts: readonly number[] = [], reader = new HeadReader()): ReadSoFar {
  let before = 0;
  let last: ReadSoFar = { kind: 'open', isFinal: false };
  for (const piece of pieces(text, cuts)) {
    last = reader.take(piece, 0);
    piece.fill('!');
    if (last.kind === 'whole') return { ...last, end: before + last.end };
    if (last.kind !== 'open') return last;
    before += piece.length;
  }
  return last;
}
const everyByte = (text: string): number[] => [...text].map((_, at) => at);

describe('a head', () => {
  test('is the same however it is cut, and leaves the rest', () => {
    const whole = { kind: 'whole', text: HEAD, end: HEAD.length };
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
        expect(read(`${HEAD}body\r\n\r\n`, cuts)).toEqual(whole);
        expect(read(`\r\n\n\r${HEAD}`, cuts)).toEqual({ ...whole, end: HEAD.length + 4 });
      }),
    );
  });

  test('is read from where it is said to begin', () => {
    const reader = new HeadReader();
    expect(reader.take(Buffer.from(`before${HEAD}rest`), 6)).toEqual({
      kind: 'whole',
      text: HEAD,
      end: 6 + HEAD.length,
    });
  });

  test('of one line ends with the empty line after it', () => {
    expect(read('HTTP/1.1 200\r\n\r\n')).toMatchObject({ text: 'HTTP/1.1 200\r\n\r\n' });
  });

  test('follows another', () => {
    const reader = new HeadReader();
    read(HEAD, [3, 20], reader);
    expect(reader.hasBegun).toBe(false);
    expect(read(HEAD, [18], reader)).toMatchObject({ kind: 'whole', text: HEAD });
  });

  test('is forgotten when the reader is reset', () => {
    const reader = new HeadReader();
    read('HTTP/1.1 200 OK\r\nX', [], reader);
    expect(reader.hasBegun).toBe(true);
    reader.reset();
    expect([reader.hasBegun, read(HEAD, [], reader)]).toMatchObject([false, { kind: 'whole', text: HEAD }]);
  });
});

describe('the part of a head', () => {
  test.each(['', '\r\n', 'H', 'HTTP/1.1 ', 'HTTP/1.1 1', 'HTTP/1.1 103 Hints\r\nX: y\r\n'])('%j is open', (text) => {
    expect(read(text)).toEqual({ kind: 'open', isFinal: false });
    expect(read(text, everyByte(text))).toEqual({ kind: 'open', isFinal: false });
  });

  test.each(['HTTP/1.1 2', 'HTTP/1.1 x', 'HTTP/1.1 200 OK\r\nX: y\r\n'])('%j is of a final answer', (text) => {
    expect(read(text)).toEqual({ kind: 'open', isFinal: true });
  });

  test('begins with its first byte', () => {
    const reader = new HeadReader();
    reader.take(Buffer.from('\r\n'), 0);
    expect(reader.hasBegun).toBe(false);
    reader.take(Buffer.from('H'), 0);
    expect(reader.hasBegun).toBe(true);
  });
});

describe('what is no head', () => {
  test.each(['SSH-2.0-x\r\n', '<html>', 'RTSP/1.0 200 OK', 'http/1.1', ' HTTP/1.1 200', '\0', 'HTTPS/1.1', 'HTX'])(
    '%j is refused at its first wrong byte',
    (text) => {
      expect(read(text)).toEqual({ kind: 'not_http', beginning: text });
      expect(read(text, everyByte(text))).toMatchObject({ kind: 'not_http' });
    },
  );

  test('is shown up to 40 bytes', () => {
    expect(read('~'.repeat(50))).toEqual({ kind: 'not_http', beginning: '~'.repeat(40) });
  });

  test.each(['HTTP/1.1 200 OK\n', 'HTTP/1.1 200 OK\r\nX: y\n', 'HTTP/1.1 200 OK\r\n\n'])(
    'a line of %j that ends with LF alone is refused',
    (text) => {
      expect(read(text)).toEqual({ kind: 'lone_lf' });
      expect(read(text, everyByte(text))).toEqual({ kind: 'lone_lf' });
    },
  );

  test('is one of more than 16 KiB, whole or not', () => {
    const START = 'HTTP/1.1 200 OK\r\nX: ';
    const open = (bytes: number): string => START + 'x'.repeat(bytes - START.length);
    const whole = (bytes: number): string => `${open(bytes - 4)}\r\n\r\n`;
    expect(read(open(MAX_HEAD_BYTES))).toMatchObject({ kind: 'open' });
    expect(read(open(MAX_HEAD_BYTES), [9, 5000])).toMatchObject({ kind: 'open' });
    expect(read(open(MAX_HEAD_BYTES + 1))).toEqual({ kind: 'too_large' });
    expect(read(open(MAX_HEAD_BYTES + 1), [9, 5000])).toEqual({ kind: 'too_large' });
    expect(read(`${whole(MAX_HEAD_BYTES)}${'b'.repeat(5000)}`)).toMatchObject({ kind: 'whole', end: MAX_HEAD_BYTES });
    expect(read(whole(MAX_HEAD_BYTES + 1))).toEqual({ kind: 'too_large' });
    expect(MAX_HEAD_BYTES).toBe(16_384);
  });
});
