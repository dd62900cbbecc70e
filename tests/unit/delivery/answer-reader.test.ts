/** Answers, from the bytes of a connection. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerHead } from '../../../src/core/delivery/transport/answer-head.ts';
import { AnswerReader } from '../../../src/core/delivery/transport/answer-reader.ts';
import { MAX_ANSWER_BYTES } from '../../../src/core/model/attempt.ts';
import { pieces } from '../../helpers/pieces.ts';

function recorder() {
  const told: unknown[] = [];
  let body = '';
  const reader = new AnswerReader({
    begins: () => told.push('begins'),
    head: ({ status }) => told.push(status),
    body: (bytes) => {
      body += bytes.toString('latin1');
    },
    end: (keptMs) => told.push(['end', body, keptMs]),
    switchingProtocols: ({ status, headers }) => told.push(['switches', status, headers]),
    failed: ({ outcome, reason, detail }) => {
      expect(outcome).toBe('no_connection');
      told.push([reason, detail]);
    },
    tooLarge: () => told.push(['too large', body.length]),
  });
  const expectAnswer = (): void => {
    told.length = 0;
    body = '';
    reader.expectAnswer();
  };
  expectAnswer();
  return { reader, told, expectAnswer, body: () => body };
}

/** What is told of one answer, cut like this, and of the end of the connection after it. */
function read(text: string, cuts: readonly number[] = [], ends = false): unknown[] {
  const { reader, told } = recorder();
  for (const piece of pieces(text, cuts)) {
    reader.take(piece);
    piece.fill('!');
  }
  if (ends) reader.connectionEnded();
  return told;
}

const FOR_EVER = Number.POSITIVE_INFINITY;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';
const WHOLE = ['begins', 200, ['end', 'ok', FOR_EVER]];
const cuts = fc.array(fc.nat(), { maxLength: 30 });

describe('an answer', () => {
  test.each([
    [OK, WHOLE],
    [`\r\n\n${OK}`, WHOLE],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1;x\r\nk\r\n0\r\nContent-Length: 7\r\n\r\n',
      WHOLE,
    ],
    ['HTTP/1.1 204 No Content\r\n\r\n', ['begins', 204, ['end', '', FOR_EVER]]],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: timeout=3\r\n\r\n', ['begins', 200, ['end', '', 3000]]],
    ['HTTP/1.0 500 Oops\r\nContent-Length: 2\r\n\r\nno', ['begins', 500, ['end', 'no', 0]]],
    ['HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n', ['begins', 99, ['end', '', FOR_EVER]]],
    ['HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', ['begins', 999, ['end', '', FOR_EVER]]],
    [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 103 Hints\r\nLink: </a>\r\n\r\n${OK}`, WHOLE],
    [PROCESSING.repeat(100) + OK, WHOLE],
  ])('%j is read the same however it is cut', (text, told) => {
    fc.assert(
      fc.property(cuts, (places) => void expect(read(text, places)).toEqual(told)),
      { numRuns: 30 },
    );
  });

  test('that has the head of another one has its own body, and a head of the same length is not mistaken for it', () => {
    const { reader, told, expectAnswer } = recorder();
    const heads: unknown[] = [];
    for (const [status, body] of [
      [200, 'ok'],
      [200, 'no'],
      [503, 'ok'],
      [200, 'ok'],
    ] as const) {
      expectAnswer();
      reader.take(Buffer.from(`HTTP/1.1 ${status} OK\r\nContent-Length: 2\r\n\r\n${body}`));
      heads.push([...told]);
    }
    expect(heads).toEqual([
      WHOLE,
      ['begins', 200, ['end', 'no', FOR_EVER]],
      ['begins', 503, ['end', 'ok', FOR_EVER]],
      WHOLE,
    ]);
  });

  test('that has the head of another one shares its lists', () => {
    const heads: AnswerHead[] = [];
    const nothing = (): void => {};
    const events = { begins: nothing, body: nothing, end: nothing, switchingProtocols: nothing, failed: nothing };
    for (const _ of [1, 2]) {
      const reader = new AnswerReader({ ...events, tooLarge: nothing, head: (head) => heads.push(head) });
      reader.expectAnswer();
      reader.take(Buffer.from(OK));
    }
    expect(heads[1]).toBe(heads[0]);
  });

  test('that ends with the connection ends there', () => {
    const text = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\nall of it';
    expect(read(text)).toEqual(['begins', 200]);
    expect(read(text, [60], true)).toEqual(['begins', 200, ['end', 'all of it', 0]]);
  });

  test('begins as soon as it can be no interim one', () => {
    expect(read('HTTP/1.1 1')).toEqual([]);
    expect(read('HTTP/1.1 2')).toEqual(['begins']);
    expect(read(`${PROCESSING}HTTP/1.1 2`, [40])).toEqual(['begins']);
    expect(read('HTTP/1.1 200 OK\r\nX:', [10, 12, 15])).toEqual(['begins']);
  });

  test('is told of piece by piece', () => {
    const { reader, told, body } = recorder();
    reader.take(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'));
    expect([told, body()]).toEqual([['begins', 200], '']);
    reader.take(Buffer.from('bo'));
    expect([told.length, body()]).toEqual([2, 'bo']);
    reader.take(Buffer.from('dy'));
    expect(told).toEqual(['begins', 200, ['end', 'body', FOR_EVER]]);
  });

  test('follows another on its connection, and all is counted anew', () => {
    const { reader, told, expectAnswer } = recorder();
    for (let turn = 0; turn < 3; turn += 1) {
      reader.take(Buffer.from(PROCESSING.repeat(100)));
      expect(reader.isReading).toBe(true);
      reader.take(Buffer.from(OK.slice(0, 20)));
      reader.take(Buffer.from(OK.slice(20)));
      expect([told, reader.isReading]).toEqual([WHOLE, false]);
      expectAnswer();
      reader.take(Buffer.from('HTTP/1.1 1'));
      expectAnswer();
    }
  });
});

describe('what follows the last byte', () => {
  test.each(['x', '\r\n', OK])('makes the connection useless: %j', (more) => {
    expect(read(OK + more)).toEqual(['begins', 200, ['end', 'ok', 0]]);
    expect(read(`HTTP/1.1 204 No Content\r\n\r\n${more}`)).toEqual(['begins', 204, ['end', '', 0]]);
  });

  test('is not read', () => {
    const { reader, told } = recorder();
    reader.take(Buffer.from(OK));
    reader.take(Buffer.from(OK));
    reader.connectionEnded();
    expect(told).toEqual(WHOLE);
  });
});

test('nothing is read before an answer is expected', () => {
  const { reader, told } = recorder();
  const fresh = new AnswerReader({} as never);
  expect([fresh.isReading, reader.isReading]).toEqual([false, true]);
  fresh.take(Buffer.from(OK));
  fresh.connectionEnded();
  expect(told).toEqual([]);
});

test('101 is told with its headers, and nothing of what follows is read', () => {
  expect(read(`HTTP/1.1 101 Switching\r\nUpgrade:  x \r\n\r\n${OK}`)).toEqual([['switches', 101, [['Upgrade', 'x']]]]);
});

describe('what is refused', () => {
  const invalid = (detail: string): unknown[] => ['invalid_response', detail];
  test.each([
    ['SSH-2.0-x\r\nmore', [invalid('The answer is not HTTP: it begins with "SSH-2.0-x".')]],
    ['<ht\u00e9ml>', [invalid('The answer is not HTTP: it begins with "<ht".')]],
    ['HTTP/3.7 200 OK\r\n\r\n', [invalid('The status line is "HTTP/3.7 200 OK".')]],
    ['HTTP/1.1 200 OK\n', [invalid('A header line ends with LF alone.')]],
    ['HTTP/1.1 200 OK\r\n folded\r\n\r\n', [invalid('A header line is " folded".')]],
    ['HTTP/1.1 103 Hints\r\n folded\r\n\r\n', [invalid('A header line is " folded".')]],
    [PROCESSING.repeat(101) + OK, [invalid('More than 100 interim (1xx) answers.')]],
    ['HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n', ['begins', invalid('The Content-Length is "x".')]],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx', ['begins', 200, invalid('A chunk size is missing.')]],
    [`HTTP/1.1 103 Hints\r\nX: ${'x'.repeat(16_384)}`, [['headers_too_large', 'The headers are over 16 KiB.']]],
  ])('%j, and nothing of what follows is read', (text, told) => {
    expect(read(text + OK, [], true)).toEqual(told);
    const { reader } = recorder();
    reader.take(Buffer.from(text, 'latin1'));
    expect(reader.isReading).toBe(false);
  });
});

describe('the end of the connection', () => {
  test.each([
    ['', [], 'before an answer came'],
    ['\r\n', [], 'before an answer came'],
    [PROCESSING, [], 'before an answer came'],
    ['HTTP/1.1 1', [], 'in the middle of the headers'],
    ['HTTP/1.1 200 OK\r\nX', ['begins'], 'in the middle of the headers'],
    [OK.slice(0, -1), ['begins', 200], 'in the middle of the body'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', ['begins', 200], 'in the middle of the body'],
  ])('after %j is told', (text, before, where) => {
    const told = [...before, ['connection_closed', `The connection was closed ${where}.`]];
    expect(read(text, [], true)).toEqual(told);
  });
});

describe('the bound on what is read of an answer', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const filled = (start: string, bytes: number): string => start + 'x'.repeat(bytes - start.length);
  const ended = (bytes: number): string => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`;
    return filled(head, bytes).replace(/Content-Length: \d+/, `Content-Length: ${bytes - head.length}`);
  };

  test('is 256 KiB, however they arrive', () => {
    const most = filled(`${chunked}1;`, MAX_ANSWER_BYTES);
    expect(read(most)).toEqual(['begins', 200]);
    for (const places of [[], [50], [MAX_ANSWER_BYTES]]) {
      expect(read(`${most}x`, places)).toEqual(['begins', 200, ['too large', 0]]);
    }
    expect(MAX_ANSWER_BYTES).toBe(262_144);
  });

  test('ends the reading', () => {
    const { reader, told } = recorder();
    reader.take(Buffer.alloc(MAX_ANSWER_BYTES + 1, '\n'));
    reader.connectionEnded();
    expect([reader.isReading, told]).toEqual([false, [['too large', 0]]]);
  });

  test('counts interim answers', () => {
    const interim = `HTTP/1.1 103 Hints\r\nLink: ${'h'.repeat(10_000)}\r\n\r\n`;
    expect(read(interim.repeat(27))).toEqual([['too large', 0]]);
  });

  test('lets all of the bytes before it through', () => {
    const body = filled('HTTP/1.1 200 OK\r\n\r\n', MAX_ANSWER_BYTES + 5);
    for (const places of [[], [1_000], [1_000, 200_000]]) {
      expect(read(body, places).at(-1)).toEqual(['too large', MAX_ANSWER_BYTES - 19]);
    }
  });

  test('is no more than an answer that ends there, and what follows is still seen', () => {
    const whole = ended(MAX_ANSWER_BYTES);
    expect(read(whole).at(-1)).toMatchObject(['end', expect.any(String), FOR_EVER]);
    expect(read(`${whole}x`).at(-1)).toMatchObject(['end', expect.any(String), 0]);
  });
});
