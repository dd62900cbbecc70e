/**
 * Receivers of every kind over plain HTTP, with the expected result of an attempt at each (reliability, section 5.2).
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AttemptReason } from '../../src/core/model/attempt.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import { answering, type Peer } from './raw-receiver.ts';

/** The expected result of an attempt at one kind of receiver. */
export interface ExpectedAnswer {
  readonly outcome: Outcome;
  /** By default null. */
  readonly reason?: AttemptReason;
  /** By default null. */
  readonly status?: number;
  /** By default false. */
  readonly cut?: boolean;
  /** Bytes of body kept. */
  readonly kept?: number;
}

export interface ReceiverKind {
  readonly name: string;
  readonly behave: (peer: Peer) => void;
  readonly expected: ExpectedAnswer;
  /** True when the attempt ends at its deadline. */
  readonly endless?: boolean;
}

const CRLF = '\r\n';
const KIB = 1024;
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

function answer(statusLine: string, headers: readonly string[] = [], body = ''): string {
  return [statusLine, ...headers, '', body].join(CRLF);
}

function whole(status: string, body = 'ok', headers: readonly string[] = []): string {
  return answer(`HTTP/1.1 ${status}`, [`Content-Length: ${body.length}`, ...headers], body);
}

/**
 * Writes the chunk again and again until the connection fails or closes. Driven by I/O, without a timer. After a write
 * has failed, Node fails each further one at once and does not yet destroy the socket, so this would write for ever.
 */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const more = (error?: Error | null): void => {
    if (!error && !socket.destroyed) socket.write(chunk, 'latin1', more);
  };
  more();
}

/** Sends a byte every `everyMs` until the connection closes. */
function drip(socket: Socket, text: string, everyMs = 20): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? '');
    at += 1;
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

const onRequest =
  (act: (socket: Socket) => void) =>
  (peer: Peer): void =>
    peer.onRequest(() => act(peer.socket));

const accepted = (rest: Partial<ExpectedAnswer> = {}): ExpectedAnswer => ({
  outcome: 'accepted',
  status: 200,
  ...rest,
});
const noConnection = (reason: AttemptReason): ExpectedAnswer => ({ outcome: 'no_connection', reason });
const invalid = noConnection('invalid_response');

const gzipped = gzipSync('a'.repeat(1000)).toString('latin1');

export const receiverKinds: readonly ReceiverKind[] = [
  // Plain answers
  { name: '200', behave: answering(whole('200 OK')), expected: accepted({ kept: 2 }) },
  { name: '200 without a reason phrase', behave: answering(whole('200')), expected: accepted({ kept: 2 }) },
  { name: '201 with a body', behave: answering(whole('201 Created')), expected: accepted({ status: 201, kept: 2 }) },
  { name: '204', behave: answering(answer('HTTP/1.1 204 No Content')), expected: accepted({ status: 204, kept: 0 }) },
  {
    name: '204 with a body',
    behave: answering(whole('204 No Content', 'surprise')),
    expected: accepted({ status: 204, kept: 0 }),
  },
  { name: '299', behave: answering(whole('299 Odd')), expected: accepted({ status: 299, kept: 2 }) },
  {
    name: '302, which is not followed',
    behave: answering(whole('302 Found', 'moved', ['Location: http://127.0.0.1:1/'])),
    expected: { outcome: 'declined', status: 302, kept: 5 },
  },
  {
    name: '304',
    behave: answering(answer('HTTP/1.1 304 Not Modified')),
    expected: { outcome: 'declined', status: 304 },
  },
  { name: '400', behave: answering(whole('400 Bad Request')), expected: { outcome: 'declined', status: 400, kept: 2 } },
  { name: '408', behave: answering(whole('408 Timeout')), expected: { outcome: 'throttled', status: 408, kept: 2 } },
  { name: '410', behave: answering(whole('410 Gone')), expected: { outcome: 'declined', status: 410, kept: 2 } },
  { name: '429', behave: answering(whole('429 Slow down')), expected: { outcome: 'throttled', status: 429, kept: 2 } },
  { name: '500', behave: answering(whole('500 Oops')), expected: { outcome: 'failed', status: 500, kept: 2 } },
  { name: '503', behave: answering(whole('503 Busy')), expected: { outcome: 'failed', status: 503, kept: 2 } },
  { name: '599', behave: answering(whole('599 Odd')), expected: { outcome: 'failed', status: 599, kept: 2 } },
  {
    name: 'an answer that ends with the connection',
    behave: answering(answer('HTTP/1.1 200 OK', [], 'until the end'), 'end'),
    expected: accepted({ kept: 13 }),
  },
  {
    name: 'HTTP/1.0',
    behave: answering(answer('HTTP/1.0 200 OK', [], 'old'), 'end'),
    expected: accepted({ kept: 3 }),
  },
  {
    name: 'a chunked body with a trailer',
    behave: answering(answer('HTTP/1.1 200 OK', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\nX-After: 1\r\n\r\n')),
    expected: accepted({ kept: 3 }),
  },
  {
    name: 'a gzip body, kept as it is',
    behave: answering(whole('200 OK', gzipped, ['Content-Encoding: gzip'])),
    expected: accepted({ kept: gzipped.length }),
  },
  {
    name: 'a body of a thousand encodings, kept as it is',
    behave: answering(whole('200 OK', 'ok', [`Content-Encoding: ${'gzip,'.repeat(1000)}gzip`])),
    expected: accepted({ kept: 2 }),
  },
  {
    name: 'an answer before the request was read',
    behave: ({ socket }) => socket.end(whole('200 Early')),
    expected: accepted({ kept: 2 }),
  },

  {
    name: 'empty lines before the answer',
    behave: answering(`\r\n\r\n${whole('200 OK')}`),
    expected: accepted({ kept: 2 }),
  },

  // Interim answers
  {
    name: '100 Continue that nobody asked for',
    behave: answering(`HTTP/1.1 100 Continue\r\n\r\n${whole('200 OK')}`),
    expected: accepted({ kept: 2 }),
  },
  {
    name: '103 Early Hints, then 200',
    behave: answering(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole('200 OK')}`),
    expected: accepted({ kept: 2 }),
  },
  {
    name: '100 interim answers, then 200',
    behave: answering('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100) + whole('200 OK')),
    expected: accepted({ kept: 2 }),
  },
  {
    name: '101 interim answers, then 200',
    behave: answering('HTTP/1.1 102 Processing\r\n\r\n'.repeat(101) + whole('200 OK')),
    expected: invalid,
  },
  {
    name: 'an endless flood of interim answers',
    behave: onRequest((socket) => pour(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50))),
    expected: invalid,
  },
  {
    name: 'an interim answer with endless headers',
    behave: onRequest((socket) => pour(socket, `HTTP/1.1 103 Hints\r\n${'Link: </a>\r\n'.repeat(2000)}`)),
    expected: noConnection('headers_too_large'),
  },
  {
    name: '101 Switching Protocols',
    behave: answering('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x01x'),
    expected: { outcome: 'declined', status: 101 },
  },

  // No answer
  {
    name: 'a reset after accepting',
    behave: ({ socket }) => socket.resetAndDestroy(),
    expected: noConnection('connection_reset'),
  },
  {
    name: 'a reset in the middle of the request',
    behave: ({ socket }) => socket.once('data', () => socket.resetAndDestroy()),
    expected: noConnection('connection_reset'),
  },
  {
    name: 'closed without an answer',
    behave: onRequest((socket) => socket.end()),
    expected: noConnection('connection_closed'),
  },
  {
    name: 'closed in the middle of the headers',
    behave: onRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Len')),
    expected: noConnection('connection_closed'),
  },
  { name: 'accepts and never answers', behave: () => {}, expected: { outcome: 'timed_out' }, endless: true },
  {
    name: 'a status line byte by byte',
    behave: onRequest((socket) => drip(socket, 'HTTP/1.1 200 OK and on and on and on ')),
    expected: { outcome: 'timed_out' },
    endless: true,
  },
  {
    name: 'headers byte by byte',
    behave: onRequest((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X: y\r\n');
    }),
    expected: { outcome: 'timed_out' },
    endless: true,
  },

  // Bodies that do not end well
  {
    name: '200 with a body byte by byte',
    behave: onRequest((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n');
      drip(socket, 'z');
    }),
    expected: accepted({ cut: true }),
    endless: true,
  },
  {
    name: '200 with a body that stalls',
    behave: answering('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
    expected: accepted({ cut: true, kept: 4 }),
    endless: true,
  },
  {
    name: '500 with a body byte by byte',
    behave: onRequest((socket) => {
      socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 9999\r\n\r\n');
      drip(socket, 'z');
    }),
    expected: { outcome: 'failed', status: 500, cut: true },
    endless: true,
  },
  {
    name: '200 closed in the middle of the body',
    behave: answering('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'end'),
    expected: accepted({ cut: true, kept: 4 }),
  },
  {
    name: '503 closed in the middle of the body',
    behave: answering('HTTP/1.1 503 Busy\r\nContent-Length: 10\r\n\r\nhalf', 'end'),
    expected: { outcome: 'failed', status: 503, cut: true, kept: 4 },
  },
  {
    name: '200 with a broken chunk',
    behave: answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n'),
    expected: accepted({ cut: true, kept: 3 }),
  },
  {
    name: '200 with bytes beyond its length',
    behave: answering(`${whole('200 OK')}more than said`),
    expected: accepted({ kept: 2 }),
  },
  {
    name: '64 KiB of body',
    behave: answering(whole('200 OK', 'b'.repeat(64 * KIB))),
    expected: accepted({ kept: 64 * KIB }),
  },
  {
    name: '64 KiB and one byte of body',
    behave: answering(whole('200 OK', 'b'.repeat(64 * KIB + 1))),
    expected: accepted({ kept: 64 * KIB, cut: true }),
  },
  {
    name: 'an endless body',
    behave: onRequest((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      pour(socket, Buffer.alloc(64 * KIB, 'e'));
    }),
    expected: accepted({ kept: 64 * KIB, cut: true }),
  },
  {
    name: 'an endless chunked body of a 500',
    behave: onRequest((socket) => {
      socket.write('HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n');
      pour(socket, `1000\r\n${'e'.repeat(0x1000)}\r\n`);
    }),
    expected: { outcome: 'failed', status: 500, kept: 64 * KIB, cut: true },
  },

  // Endless framing
  {
    name: 'an endless reason phrase',
    behave: onRequest((socket) => {
      socket.write('HTTP/1.1 200 ');
      pour(socket, Buffer.alloc(64 * KIB, 'r'));
    }),
    expected: noConnection('headers_too_large'),
  },
  {
    name: 'interim answers of 10 KiB each',
    behave: onRequest((socket) => pour(socket, `HTTP/1.1 103 Hints\r\nLink: ${'h'.repeat(10 * KIB)}\r\n\r\n`)),
    expected: noConnection('headers_too_large'),
  },
  {
    name: 'a flood of chunk extensions',
    behave: onRequest((socket) => {
      socket.write(CHUNKED);
      pour(socket, `1;${'x'.repeat(16 * KIB)}\r\nb\r\n`);
    }),
    expected: accepted({ reason: 'answer_too_large', cut: true }),
  },
  {
    name: 'an endless chunk extension',
    behave: onRequest((socket) => {
      socket.write(`${CHUNKED}3\r\nabc\r\n1;`);
      pour(socket, Buffer.alloc(64 * KIB, 'x'));
    }),
    expected: accepted({ reason: 'answer_too_large', cut: true, kept: 3 }),
  },
  {
    name: 'an endless chunk extension of a 500',
    behave: onRequest((socket) => {
      socket.write(`${CHUNKED.replace('200 OK', '500 Oops')}1;`);
      pour(socket, Buffer.alloc(64 * KIB, 'x'));
    }),
    expected: { outcome: 'failed', status: 500, reason: 'answer_too_large', cut: true, kept: 0 },
  },
  {
    name: 'endless trailers',
    behave: onRequest((socket) => {
      socket.write(`${CHUNKED}3\r\nabc\r\n0\r\n`);
      pour(socket, `X-After: ${'t'.repeat(KIB)}\r\n`);
    }),
    expected: accepted({ cut: true, kept: 3 }),
  },
  {
    name: '40,000 bytes of body in chunks of one byte',
    behave: answering(`${CHUNKED}${'1\r\nb\r\n'.repeat(40_000)}0\r\n\r\n`),
    expected: accepted({ kept: 40_000 }),
  },
  {
    name: '64 KiB of body in chunks of one byte',
    behave: answering(`${CHUNKED}${'1\r\nb\r\n'.repeat(64 * KIB)}0\r\n\r\n`),
    expected: accepted({ reason: 'answer_too_large', cut: true }),
  },

  // Not HTTP
  {
    name: '20 KB of one header',
    behave: answering(answer('HTTP/1.1 200 OK', [`X-Big: ${'h'.repeat(20_000)}`])),
    expected: noConnection('headers_too_large'),
  },
  {
    name: 'ten thousand headers',
    behave: answering(answer('HTTP/1.1 200 OK', Array<string>(10_000).fill('X-Many: y'))),
    expected: noConnection('headers_too_large'),
  },
  {
    name: 'an SSH banner',
    behave: ({ socket }) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: invalid,
  },
  { name: 'HTTP/0.9', behave: answering('<html>hello</html>', 'end'), expected: invalid },
  { name: 'RTSP', behave: answering('RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'), expected: invalid },
  { name: 'ICE', behave: answering('ICE/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'), expected: invalid },
  {
    name: 'RTSP after an empty line',
    behave: answering('\r\nRTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'),
    expected: invalid,
  },
  { name: 'an HTTP/2 preface', behave: answering('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), expected: invalid },
  { name: 'HTTP/3.7', behave: answering('HTTP/3.7 200 OK\r\nContent-Length: 0\r\n\r\n'), expected: invalid },
  {
    name: 'two different lengths',
    behave: answering(answer('HTTP/1.1 200 OK', ['Content-Length: 2', 'Content-Length: 3'], 'abc')),
    expected: invalid,
  },
  {
    name: 'a length and chunks',
    behave: answering(answer('HTTP/1.1 200 OK', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
    expected: invalid,
  },
  { name: 'a header name with a blank', behave: answering(whole('200 OK', 'ok', ['Bad Name: x'])), expected: invalid },
  { name: 'a NUL in a header', behave: answering(whole('200 OK', 'ok', ['X-Nul: a\0b'])), expected: invalid },
  { name: 'a folded header', behave: answering(whole('200 OK', 'ok', ['X-Fold: a', ' b'])), expected: invalid },
  {
    name: 'lines that end with LF alone',
    behave: answering('HTTP/1.1 200 OK\nContent-Length: 2\n\nok'),
    expected: invalid,
  },
  { name: 'status 000', behave: answering(whole('000 Nothing')), expected: invalid },
  { name: 'status 099', behave: answering(whole('099 Low')), expected: invalid },
  { name: 'status 600', behave: answering(whole('600 High')), expected: invalid },
  { name: 'status 999', behave: answering(whole('999 Highest')), expected: invalid },
  { name: 'status abc', behave: answering(whole('abc Letters')), expected: invalid },
  { name: 'status 20', behave: answering(whole('20 Short')), expected: invalid },
  { name: 'status 2000', behave: answering(whole('2000 Long')), expected: invalid },
  { name: 'status 1000', behave: answering(whole('1000 Long')), expected: invalid },
];
