/** Receivers with whole answers, also after interim ones. */
import { gzipSync } from 'node:zlib';
import { answering } from './raw-receiver.ts';
import {
  accepted,
  answer,
  invalid,
  noConnection,
  onRequest,
  pour,
  type ReceiverKind,
  whole,
} from './receiver-behaviour.ts';

const gzipped = gzipSync('a'.repeat(1000)).toString('latin1');

export const wholeAnswers: readonly ReceiverKind[] = [
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
];
