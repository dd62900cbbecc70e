/**
 * The same answers, right and wrong ones, read by our reader and by undici. Both must see the same status, headers and
 * body, or refuse. Where we differ on purpose stands below.
 */
import { type AddressInfo, createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { Client, type Dispatcher } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerReader } from '../../src/core/delivery/transport/answer-reader.ts';

interface Seen {
  status: number | null;
  statusText: string;
  headers: string[];
  body: string;
  /** It came to its end. */
  whole: boolean;
  problem: string;
}
const nothing = (): Seen => ({ status: null, statusText: '', headers: [], body: '', whole: false, problem: '' });

function seenByUs(text: string): Seen {
  const seen = nothing();
  const reader = new AnswerReader({
    begins: () => {},
    head: ({ status, statusText, headers }) => Object.assign(seen, { status, statusText, headers: headers.flat() }),
    body: (bytes) => {
      seen.body += bytes.toString('latin1');
    },
    end: () => Object.assign(seen, { whole: true }),
    switchingProtocols: () => Object.assign(seen, { problem: '101' }),
    failed: ({ detail }) => Object.assign(seen, { problem: detail }),
    tooLarge: () => Object.assign(seen, { problem: 'too large' }),
  });
  reader.expectAnswer();
  reader.take(Buffer.from(text, 'latin1'));
  reader.connectionEnded();
  return seen;
}

let server: Server;
let answer = '';
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => void server.close());

async function seenByUndici(text: string): Promise<Seen> {
  answer = text;
  const seen = nothing();
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { allowH2: false });
  const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
  await new Promise<void>((over) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: ({ rawHeaders }, status, _headers, statusText = '') => {
        // Blanks after a value are no part of it (RFC 9110, section 5.5). undici keeps them.
        const headers = (rawHeaders as Buffer[]).map((part) => latin1(part).replace(/[ \t]+$/, ''));
        if (status >= 200) Object.assign(seen, { status, statusText, headers });
      },
      onResponseData: (_, bytes) => {
        seen.body += latin1(bytes);
      },
      onResponseEnd: () => {
        seen.whole = true;
        over();
      },
      onResponseError: (_, error) => {
        seen.problem = error.message;
        over();
      },
    };
    client.dispatch({ path: '/', method: 'POST', body: Buffer.from('{}') }, handler);
  });
  await client.destroy();
  return seen;
}

const INTERIM = 'HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n';

/** Where we differ on purpose, and who is right. */
function isMeant(text: string, us: Seen, undici: Seen): boolean {
  const sameHead = us.status === undici.status;
  // Extensions and trailers of chunks are read over, so what they hold cannot spoil a body.
  if (sameHead && /chunk extensions|Invalid header token/.test(undici.problem)) return us.body.startsWith(undici.body);
  if (us.status !== null || us.whole) return false;
  // A length beside an empty Transfer-Encoding is two framings, and a malformed interim answer is no answer.
  if (/both/.test(us.problem)) return /transfer-encoding:\r\n/i.test(text);
  // CR alone ends no line.
  return (text.includes('HTTP/1.1 103') && !text.startsWith(INTERIM)) || text.includes('\r\r');
}

const anyOf = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const before = anyOf('', '', '', '\r\n', INTERIM);
const statusLine = fc.oneof(
  { weight: 2, arbitrary: anyOf('HTTP/1.1 200 OK', 'HTTP/1.0 200 OK', 'HTTP/1.1 204 No', 'HTTP/1.1 304 Not') },
  anyOf('HTTP/1.1 500', 'HTTP/1.1 500 ', 'HTTP/1.1 200 gr\xc3\xbcn', 'HTTP/1.1 205 Reset', 'HTTP/1.1 200 a\tb'),
  anyOf('HTTP/1.1 20 x', 'HTTP/1.1 2000 x', 'HTTP/1.1  200 x', 'HTTP/1.1 abc', 'HTTP/1.2 200 x', 'HTTP/1.1 200x'),
);
const header = fc.oneof(
  { weight: 2, arbitrary: anyOf('Content-Length: 3', 'Transfer-Encoding: chunked', 'X-A: 1', 'Connection: close') },
  anyOf('Content-Length: 0', 'content-length: 03', 'Content-Length: 9', 'Content-Length: 3, 3', 'Content-Length:'),
  anyOf('Transfer-Encoding: gzip, Chunked', 'transfer-encoding: chunked, gzip', 'Transfer-Encoding: identity'),
  anyOf('X: a\tb', 'X:  padded \t ', 'X-Empty:', 'X: caf\xe9', 'X:a:b', 'Upgrade: x', 'Connection: upgrade'),
  anyOf(': none', 'Bad Name: x', 'Bad : x', ' folded', 'no colon', 'X: \x01', 'X: \x7f', 'Content-Length: +3'),
);
const body = fc.oneof(
  anyOf('', 'ab', 'abc', 'abcd'),
  anyOf(
    '3\r\nabc\r\n0\r\n\r\n',
    '03\r\nabc\r\n00\r\nX: 1\r\n\r\n',
    '3;x=y\r\nabc\r\n0\r\n\r\nmore',
    '3\r\nabc\r\n0\r\n',
  ),
  anyOf('x\r\n', '3 \r\nabc\r\n0\r\n\r\n', '3\nabc\n0\n\n', '3\r\nabcd\r\n0\r\n\r\n', 'ffffffffffffffff\r\nabc'),
);
const endOfLine = fc.oneof({ weight: 9, arbitrary: fc.constant('\r\n') }, anyOf('\n', '\r'));
const wrongByte = fc.option(fc.tuple(fc.nat(), fc.nat(255)), { freq: 4 });

const answers = fc
  .tuple(before, statusLine, endOfLine, fc.array(header, { maxLength: 4 }), body, wrongByte)
  .map(([start, line, end, headers, rest, wrong]) => {
    const text = `${start}${line}${end}${headers.map((field) => `${field}\r\n`).join('')}\r\n${rest}`;
    if (wrong === null) return text;
    const at = wrong[0] % text.length;
    return text.slice(0, at) + String.fromCharCode(wrong[1]) + text.slice(at + 1);
  });

test('both see the same answer', async () => {
  const numRuns = Number(process.env.HOOKBENCH_ANSWERS ?? 2_000);
  let whole = 0;
  let refused = 0;
  for (const text of fc.sample(answers, {
    numRuns,
    seed: 20_261_125,
  })) {
    const { problem, ...us } = seenByUs(text);
    const undici = await seenByUndici(text);
    if (isMeant(text, { ...us, problem }, undici)) continue;
    expect(us, JSON.stringify(text)).toEqual({ ...undici, problem: undefined });
    if (us.whole) whole += 1;
    if (us.status === null) refused += 1;
  }
  // The answers are of both kinds.
  expect([whole, refused].map((count) => count > numRuns / 10)).toEqual([true, true]);
});
