/** Receivers that answer with something other than HTTP, or with headers beyond every limit. */
import { answering } from './raw-receiver.ts';
import { answer, invalid, noConnection, type ReceiverKind, whole } from './receiver-behaviour.ts';

export const nonsense: readonly ReceiverKind[] = [
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
