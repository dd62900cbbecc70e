/** Receivers that do not answer, and answers that do not end, or not well. */
import { answering } from './raw-receiver.ts';
import { accepted, drip, KIB, noConnection, onRequest, pour, type ReceiverKind, whole } from './receiver-behaviour.ts';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

export const badEndings: readonly ReceiverKind[] = [
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
];
