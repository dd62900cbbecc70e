/** The bodies of answers, however their bytes are cut. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Framing } from '../../../src/core/delivery/transport/answer-framing.ts';
import { bodyFramed } from '../../../src/core/delivery/transport/framed-body.ts';
import { pieces } from '../../helpers/pieces.ts';

function read(framing: Framing, text: string, cuts: readonly number[] = []) {
  const body = bodyFramed(framing);
  let got = '';
  let used = 0;
  for (const piece of pieces(text, cuts)) {
    if (body.isWhole || body.problem !== null) break;
    used += body.take(piece, 0, (bytes) => {
      expect(bytes.length).toBeGreaterThan(0);
      got += bytes.toString('latin1');
    });
  }
  return { got, used, isWhole: body.isWhole, problem: body.problem };
}
const CHUNKED: Framing = { kind: 'chunked' };
const everyCut = fc.array(fc.nat(), { maxLength: 30 });

describe('a body of a known length', () => {
  test('is none', () => {
    expect(bodyFramed({ kind: 'none' })).toMatchObject({ isWhole: true, endsWithConnection: false, problem: null });
    expect(bodyFramed({ kind: 'length', bytes: 0 }).isWhole).toBe(true);
  });

  test('leaves what follows', () => {
    fc.assert(
      fc.property(everyCut, (cuts) => {
        const { got, isWhole, used } = read({ kind: 'length', bytes: 4 }, 'bodyrest', cuts);
        expect([got, isWhole, used]).toEqual(['body', true, 4]);
      }),
    );
    expect(read({ kind: 'length', bytes: 5 }, 'body')).toMatchObject({ got: 'body', isWhole: false });
  });

  test('begins where it is said to', () => {
    const body = bodyFramed({ kind: 'length', bytes: 2 });
    const got: string[] = [];
    expect(body.take(Buffer.from('abcdef'), 3, (bytes) => got.push(bytes.toString()))).toBe(5);
    expect(got).toEqual(['de']);
  });
});

test('a body that ends with the connection is never whole by itself', () => {
  expect(bodyFramed({ kind: 'until_close' })).toMatchObject({ isWhole: false, endsWithConnection: true });
  expect(read({ kind: 'until_close' }, 'all of it', [3])).toMatchObject({ got: 'all of it', isWhole: false });
  expect(bodyFramed(CHUNKED).endsWithConnection).toBe(false);
  expect(bodyFramed({ kind: 'length', bytes: 3 }).endsWithConnection).toBe(false);
});

describe('a body in chunks', () => {
  test.each([
    ['0\r\n\r\n', ''],
    ['3\r\nabc\r\n0\r\n\r\n', 'abc'],
    ['3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['00003\r\nabc\r\n000\r\n\r\n', 'abc'],
    ['A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n', '01234567890123456789'],
    ['f\r\n012345678901234\r\nF\r\n543210987654321\r\n0\r\n\r\n', '012345678901234543210987654321'],
    ['10\r\n0123456789abcdef\r\n0\r\n\r\n', '0123456789abcdef'],
    ['9\r\n012345678\r\n0\r\n\r\n', '012345678'],
    ['3;a=b;c="d;e"\r\nabc\r\n0;x\r\n\r\n', 'abc'],
    ['3\r\n\r\n\n\r\n0\r\n\r\n', '\r\n\n'],
    ['3\r\nabc\r\n0\r\nX-After: 1\r\nY: 2\r\n\r\n', 'abc'],
  ])('%j is read, however it is cut, and leaves what follows', (text, expected) => {
    fc.assert(
      fc.property(everyCut, (cuts) => {
        expect(read(CHUNKED, `${text}rest`, cuts)).toEqual({
          got: expected,
          used: text.length,
          isWhole: true,
          problem: null,
        });
      }),
      { numRuns: 30 },
    );
    for (let end = 0; end < text.length; end += 1) expect(read(CHUNKED, text.slice(0, end)).isWhole).toBe(false);
  });

  const FRAME = 'A chunk is not framed as HTTP asks.';
  const MISSING = 'A chunk size is missing.';
  test.each([
    ['nonsense\r\n', '', MISSING],
    ['\r\n', '', MISSING],
    [';a\r\n', '', MISSING],
    [' 3\r\nabc', '', MISSING],
    ['-3\r\nabc', '', MISSING],
    ['g\r\n', '', MISSING],
    ['G\r\n', '', MISSING],
    ['@\r\n', '', MISSING],
    ['`\r\n', '', MISSING],
    [':\r\n', '', MISSING],
    ['/\r\n', '', MISSING],
    ['3 \r\nabc', '', FRAME],
    ['3\nabc', '', FRAME],
    ['3x\r\nabc', '', FRAME],
    ['3\rabc', '', FRAME],
    ['3;a\nabc', '', 'A chunk size ends with LF alone.'],
    ['3;a\rbc', '', FRAME],
    ['3\r\nabcd\r\n', 'abc', FRAME],
    ['3\r\nabc\n0', 'abc', FRAME],
    ['3\r\nabc\rx', 'abc', FRAME],
    ['3\r\nabc\r\n\r\n', 'abc', MISSING],
    ['0\r\n\n', '', 'A trailer ends with LF alone.'],
    ['0\r\nX: 1\n', '', 'A trailer ends with LF alone.'],
    ['0\r\n\rx', '', FRAME],
    ['0\r\nX: 1\rx', '', FRAME],
  ])('%j is refused', (text, got, problem) => {
    expect(read(CHUNKED, text)).toMatchObject({ got, problem, isWhole: false });
    expect(
      read(
        CHUNKED,
        text,
        [...text].map((_, at) => at),
      ),
    ).toMatchObject({ got, problem });
  });

  test.each(['ffffffff', 'f'.repeat(16), 'f'.repeat(1_000)])('may promise more than ever comes: %s', (size) => {
    expect(read(CHUNKED, `${size}\r\nabc`)).toMatchObject({ got: 'abc', problem: null, isWhole: false });
  });

  test('may have trailers of 16 KiB and no more', () => {
    // CR and LF of the last line count with the others; LF is read without being counted.
    const trailer = (bytes: number): string => `X: ${'t'.repeat(bytes - 5)}\r\n\r\n`;
    expect(read(CHUNKED, `0\r\n${trailer(16 * 1024)}`)).toMatchObject({ isWhole: true, problem: null });
    expect(read(CHUNKED, `0\r\n${trailer(16 * 1024 + 1)}`)).toMatchObject({
      isWhole: false,
      problem: 'The trailers are over 16 KiB.',
    });
  });
});
