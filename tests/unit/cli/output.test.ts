import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { cell, PipeClosed, pipeWriter, writeNdjson } from '../../../src/cli/output.ts';
import { terminalText } from '../../../src/contract/plain-text.ts';

describe('a cell', () => {
  test.each([
    ['short', 8, 'short   '],
    ['exactly8', 8, 'exactly8'],
    ['longer than 8', 8, 'longer …'],
    ['😀😀😀', 2, '😀…'],
    ['a\u001b[2Jb', 12, 'a\\u001b[2Jb '],
    ['a\nb', 9, 'a\\u000ab '],
  ])('%j in %i places is %j', (text, width, expected) => expect(cell(text, width)).toBe(expected));
});

test.each([
  '\u0000',
  '\u0007',
  '\u0008',
  '\r',
  '\n',
  '\t',
  '\u001b]8;;http://x\u0007',
  '\u009b31m',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u061c',
  '\ufeff',
  '\u2028',
])('%j does not reach the terminal (U7)', (text) => {
  expect(terminalText(text)).toMatch(/^(\\u[0-9a-f]{4}|[ -~])+$/);
});

test('a character above U+FFFF is shown as its two units', () => {
  expect(terminalText('a\u{e0041}b')).toBe('a\\udb40\\udc41b');
});

test('JSON holds nothing that a terminal obeys, and is read as the same value', async () => {
  const row = { name: '\u009b31m \u202egnp.exe \u2066x\u2069 \u{e0041} \u001b[2J "\\u202e" Käse 😀', '\u0085': 1 };
  const lines: string[] = [];
  await writeNdjson(
    (async function* () {
      yield row;
    })(),
    async (text) => void lines.push(text),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\udb40/);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toEqual(row);
});

test('letters of every script stay as they are', () => {
  expect(terminalText('Käse 注文 заказ طلب 😀')).toBe('Käse 注文 заказ طلب 😀');
});

describe('a pipe', () => {
  test('that is full makes the writer wait', async () => {
    const pipe = new PassThrough({ highWaterMark: 4 });
    const write = pipeWriter(pipe);
    let isDone = false;
    const writing = write('12345678').then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    pipe.resume();
    await writing;
  });

  test('whose reader has gone ends the writer, also one that waits', async () => {
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const pipe = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => setImmediate(() => done(gone)) });
    const write = pipeWriter(pipe);
    await expect(write('x')).rejects.toThrow(PipeClosed);
    await expect(write('y')).rejects.toThrow(PipeClosed);
  });

  test('that fails otherwise is an error', async () => {
    const full = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' });
    const pipe = new Writable({ write: (_chunk, _encoding, done) => done(full) });
    const write = pipeWriter(pipe);
    await write('x').catch(() => {});
    if (!pipe.destroyed) await once(pipe, 'close');
    await expect(write('y')).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});
