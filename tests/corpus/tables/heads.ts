/** Heads of requests: lengths, lines, and everything by which two programs could read one request differently. */
import { basicText, bytesOf, chunked, head, json, KEYS, queued, refused, request, taken, track } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

const BODY = (): string => json(track());

/** A head that a test writes itself, and a body behind it. */
const raw = (lines: readonly string[], body: string | Uint8Array = ''): Buffer =>
  Buffer.concat([head(lines), bytesOf(body)]);

const BASIC = `Authorization: ${basicText(`${KEYS.main}:`)}`;
const START = ['POST /v1/track HTTP/1.1', 'Host: localhost', BASIC];
/** Of every body here: ids have one length. */
const LENGTH = Buffer.byteLength(BODY());

const broken = (name: string, lines: readonly string[], body: string | Uint8Array = BODY()): CorpusCase =>
  refused(name, raw(lines, body), 400, 'invalid_request', { closes: true });

const WHOLE = (): Buffer => chunked(Buffer.from(BODY()));

const lengths: readonly CorpusCase[] = [
  taken('a length', raw([...START, `Content-Length: ${LENGTH}`], BODY()), [queued()]),
  taken('a length with zeros before it', raw([...START, `Content-Length: 000${LENGTH}`], BODY()), [queued()]),
  taken('chunks', raw([...START, 'Transfer-Encoding: chunked'], WHOLE()), [queued()]),
  taken('chunks in other letters', raw([...START, 'transfer-encoding: CHUNKED'], WHOLE()), [queued()]),
  taken('chunks of one byte', raw([...START, 'Transfer-Encoding: chunked'], chunked(Buffer.from(BODY()), 1)), [
    queued(),
  ]),
  taken(
    'chunks with extensions',
    raw([...START, 'Transfer-Encoding: chunked'], `${LENGTH.toString(16)};a=b;c="d"\r\n${BODY()}\r\n0;x\r\n\r\n`),
    [queued()],
  ),
  taken(
    'chunks with trailers',
    raw(
      [...START, 'Transfer-Encoding: chunked'],
      `${LENGTH.toString(16)}\r\n${BODY()}\r\n0\r\nX-Trailer: 1\r\nHost: evil.test\r\n\r\n`,
    ),
    [queued()],
  ),
  taken(
    'a chunk size in capitals with zeros',
    raw([...START, 'Transfer-Encoding: chunked'], `000${LENGTH.toString(16).toUpperCase()}\r\n${BODY()}\r\n0\r\n\r\n`),
    [queued()],
  ),
  broken('two lengths that differ', [...START, `Content-Length: ${LENGTH}`, 'Content-Length: 5']),
  broken('two lengths that agree', [...START, `Content-Length: ${LENGTH}`, `Content-Length: ${LENGTH}`]),
  broken('lengths in a list', [...START, `Content-Length: ${LENGTH}, ${LENGTH}`]),
  broken('a length and chunks', [...START, `Content-Length: ${LENGTH}`, 'Transfer-Encoding: chunked'], WHOLE()),
  broken('chunks and a length', [...START, 'Transfer-Encoding: chunked', `Content-Length: ${LENGTH}`], WHOLE()),
  ...['-1', '+5', '0x10', '1e3', '5.0', '5 5', 'abc', '18446744073709551616', '99999999999999999999999', '٥'].map(
    (value) => broken(`a length of ${value}`, [...START, `Content-Length: ${value}`]),
  ),
  ...['gzip', 'chunked, gzip', 'identity', 'xchunked', 'chunkedx', 'chunked, chunked, identity', '"chunked"'].map(
    (value) => broken(`Transfer-Encoding ${value}`, [...START, `Transfer-Encoding: ${value}`], WHOLE()),
  ),
  ...['x', '-1', '0x5', '5 5', '', '+5', 'ffffffffffffffffff'].map((size) =>
    broken(
      `a chunk size of ${JSON.stringify(size)}`,
      [...START, 'Transfer-Encoding: chunked'],
      `${size}\r\n${BODY()}\r\n0\r\n\r\n`,
    ),
  ),
  broken('a chunk longer than its size', [...START, 'Transfer-Encoding: chunked'], `5\r\n${BODY()}\r\n0\r\n\r\n`),
  broken(
    'a chunk that ends in LF',
    [...START, 'Transfer-Encoding: chunked'],
    `${LENGTH.toString(16)}\r\n${BODY()}\n0\r\n\r\n`,
  ),
  broken('chunks that end in LF', [...START, 'Transfer-Encoding: chunked'], `${LENGTH.toString(16)}\n${BODY()}\n0\n\n`),
];

const LENGTH_LINE = `Content-Length: ${LENGTH}`;
const withLine = (line: string): readonly string[] => [...START, line, LENGTH_LINE];

const lines: readonly CorpusCase[] = [
  taken('no white space behind the colon', raw(withLine('X-A:b'), BODY()), [queued()]),
  taken('white space around the value', raw(withLine('X-A: \t b \t '), BODY()), [queued()]),
  taken('an empty value', raw(withLine('X-A:'), BODY()), [queued()]),
  taken('bytes above ASCII in a value', raw(withLine('X-A: \u00e9\u00ff'), BODY()), [queued()]),
  taken('every mark that a name may have', raw(withLine("!#$%&'*+-.^_`|~aZ09: x"), BODY()), [queued()]),
  taken('a header named __proto__', raw(withLine('__proto__: x'), BODY()), [queued()]),
  taken(
    'headers named constructor and toString',
    raw([...START, 'constructor: x', 'toString: y', 'hasOwnProperty: z', LENGTH_LINE], BODY()),
    [queued()],
  ),
  taken('the same header 500 times', raw([...START, ...Array<string>(500).fill('X-A: b'), LENGTH_LINE], BODY()), [
    queued(),
  ]),
  taken('the length behind 900 headers', raw([...START, ...Array<string>(900).fill('a:b'), LENGTH_LINE], BODY()), [
    queued(),
  ]),
  refused(
    'a second Host behind 900 headers',
    raw([...START, ...Array<string>(900).fill('a:b'), LENGTH_LINE, 'Host: evil.test'], BODY()),
    400,
    'invalid_request',
    { says: 'exactly one Host' },
  ),
  taken(
    'empty lines before the request',
    Buffer.concat([Buffer.from('\r\n\r\n'), raw([...START, LENGTH_LINE], BODY())]),
    [queued()],
  ),
  taken('an Upgrade to WebSocket', raw([...START, 'Connection: Upgrade', 'Upgrade: websocket', LENGTH_LINE], BODY()), [
    queued(),
  ]),
  taken(
    'an Upgrade to h2c',
    raw(
      [
        ...START,
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        LENGTH_LINE,
      ],
      BODY(),
    ),
    [queued()],
  ),
  taken('Expect: 100-continue', raw([...START, 'Expect: 100-continue', LENGTH_LINE], BODY()), [queued()]),
  taken('an Expect that nobody knows', raw([...START, 'Expect: nonsense', LENGTH_LINE], BODY()), [queued()]),
  taken('Connection: close', raw([...START, 'Connection: close', LENGTH_LINE], BODY()), [queued()], { closes: true }),
  taken('HTTP/1.0', raw(['POST /v1/track HTTP/1.0', 'Host: localhost', BASIC, LENGTH_LINE], BODY()), [queued()], {
    closes: true,
  }),
  taken(
    'RTSP/1.0, which Node reads as HTTP/1.0',
    raw(['POST /v1/track RTSP/1.0', 'Host: localhost', BASIC, LENGTH_LINE], BODY()),
    [queued()],
    { closes: true },
  ),
  taken(
    'HTTP/1.0 that stays',
    raw(['POST /v1/track HTTP/1.0', 'Host: localhost', BASIC, 'Connection: keep-alive', LENGTH_LINE], BODY()),
    [queued()],
  ),
  refused('no Host', raw(['POST /v1/track HTTP/1.1', BASIC, LENGTH_LINE], BODY()), 400, 'invalid_request', {
    says: 'exactly one Host',
  }),
  refused('no Host in HTTP/1.0', raw(['POST /v1/track HTTP/1.0', BASIC, LENGTH_LINE], BODY()), 400, 'invalid_request', {
    closes: true,
  }),
  refused('two Hosts that differ', raw([...START, 'Host: evil.test', LENGTH_LINE], BODY()), 400, 'invalid_request'),
  refused('two Hosts that agree', raw([...START, 'Host: localhost', LENGTH_LINE], BODY()), 400, 'invalid_request'),
  refused(
    'two Hosts, one in other letters',
    raw([...START, 'HOST: evil.test', LENGTH_LINE], BODY()),
    400,
    'invalid_request',
  ),
  refused('two Hosts, one empty', raw([...START, 'Host:', LENGTH_LINE], BODY()), 400, 'invalid_request'),
];

const brokenLines: readonly CorpusCase[] = [
  broken('white space before the colon', withLine('X-A : b')),
  broken('Host with white space before the colon', ['POST /v1/track HTTP/1.1', 'Host : localhost', BASIC, LENGTH_LINE]),
  broken('no colon', withLine('nonsense')),
  broken('no name', withLine(': x')),
  broken('white space in a name', withLine('X A: b')),
  broken('a NUL in a name', withLine('X\u0000A: b')),
  broken('a NUL in a value', withLine('X-A: b\u0000c')),
  broken('a control character in a value', withLine('X-A: b\u0001c')),
  broken('DEL in a value', withLine('X-A: b\u007fc')),
  broken('a byte above ASCII in a name', withLine('X-\u00c4: b')),
  broken('a folded line', withLine('X-A: b\r\n c')),
  broken('a folded line with a tab', withLine('X-A: b\r\n\tc')),
  broken('a folded length', [...START, 'Content-Length:\r\n 5']),
  broken('a folded first line', ['POST /v1/track HTTP/1.1', ' X-A: b', 'Host: localhost', BASIC, LENGTH_LINE]),
  broken('CR alone in a value', withLine('X-A: b\rc')),
  broken('CR alone at the end of a line', withLine('X-A: b\rX-B: c')),
  ...[
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/2.0',
    'HTTP/3.0',
    'HTTP/1',
    'HTTP/1.1.1',
    'http/1.1',
    'HTTP 1.1',
    'HTTPS/1.1',
    'ICE/1.0',
    'XTTP/1.1',
    '',
  ].map((version) =>
    broken(`version ${JSON.stringify(version)}`, [
      `POST /v1/track ${version}`.trimEnd(),
      'Host: localhost',
      BASIC,
      LENGTH_LINE,
    ]),
  ),
  broken('a tab in the request line', ['POST\t/v1/track\tHTTP/1.1', 'Host: localhost', BASIC, LENGTH_LINE]),
  broken('HTTP/2 with prior knowledge', ['PRI * HTTP/2.0', '', 'SM'], ''),
  ...(
    [
      ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['SMTP', 'EHLO localhost\r\n'],
      ['Redis', '*1\r\n$4\r\nPING\r\n'],
      ['an answer instead of a request', 'HTTP/1.1 200 OK\r\n\r\n'],
      ['JSON without HTTP', '{"batch":[]}\r\n\r\n'],
      ['random bytes', '\u0001\u0002\u0003\u0004\u00ff\u00fe\r\n\r\n'],
      ['NULs', '\u0000'.repeat(64)],
    ] as const
  ).map(([name, text]) => refused(name, Buffer.from(text, 'latin1'), 400, 'invalid_request', { closes: true })),
  broken('LF at the ends of all lines', [[...START, LENGTH_LINE, '', ''].join('\n')], ''),
  broken('LF at the end of one line', [...START, `X-A: b\nX-B: c`, LENGTH_LINE]),
];

/** The whole head in bytes, its first line and its end included. */
const headOf = (bytes: number): Buffer => {
  const bare = head(withLine('X: ')).length;
  return raw(withLine(`X: ${'x'.repeat(bytes - bare)}`), BODY());
};

const headSizes: readonly CorpusCase[] = [
  taken('a head of 15 KB', headOf(15 * 1024), [queued()]),
  refused('a head of 17 KB', headOf(17 * 1024), 431, 'headers_too_large', { closes: true }),
  refused(
    'a header of 16 KiB + 1',
    raw(withLine(`X: ${'x'.repeat(16 * 1024 + 1)}`), BODY()),
    431,
    'headers_too_large',
    { closes: true },
  ),
  refused('a header of 1 MB', raw(withLine(`X: ${'x'.repeat(1_000_000)}`), BODY()), 431, 'headers_too_large', {
    closes: true,
  }),
  refused(
    '2,000 short headers',
    raw([...START, ...Array<string>(2_000).fill('a:b'), LENGTH_LINE], BODY()),
    431,
    'headers_too_large',
    { closes: true },
  ),
  refused(
    '10,000 headers',
    raw([...START, ...Array<string>(10_000).fill('a:b'), LENGTH_LINE], BODY()),
    431,
    'headers_too_large',
    { closes: true },
  ),
  refused(
    'a target of 20 KB',
    raw([`POST /v1/track?${'x'.repeat(20_000)} HTTP/1.1`, 'Host: localhost', BASIC, LENGTH_LINE], BODY()),
    431,
    'headers_too_large',
    { closes: true },
  ),
  refused('a name of 20 KB', raw(withLine(`${'x'.repeat(20_000)}: x`), BODY()), 431, 'headers_too_large', {
    closes: true,
  }),
];

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'image/png',
  'nonsense',
  '',
];

const types: readonly CorpusCase[] = [
  ...TYPES.map((type) => taken(`Content-Type ${type}`, request('/v1/track', BODY(), { type }), [queued()])),
  taken('no Content-Type', request('/v1/track', BODY(), { type: null }), [queued()]),
];

export const heads: readonly Topic[] = [
  { topic: 'lengths and chunks', cases: lengths },
  { topic: 'heads', cases: [...lines, ...brokenLines, ...headSizes, ...types] },
];
