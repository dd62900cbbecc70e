/** Tables of request headers for the headless shell (reliability, 5.4: C1, C2, C3). */

/** Host values that are not ours. `PORT` stands for the server's port. */
export const refusedHosts: readonly string[] = [
  'evil.com',
  'evil.com:PORT',
  '127.0.0.1.evil.com',
  '127.0.0.1.evil.com:PORT',
  '127.0.0.1@evil.com',
  '127.0.0.1:PORT@evil.com',
  'evil.com@127.0.0.1:PORT',
  'user:pass@127.0.0.1:PORT',
  'LOCALHOST:PORT',
  'Localhost:PORT',
  'localhost.:PORT',
  'localhost.',
  'localhost',
  'localhost:',
  'localhost:1',
  'localhost:0PORT',
  'localhost:PORT0',
  'localhost:+PORT',
  'localhost:PORT,evil.com',
  'localhost:PORT evil.com',
  'localhost:PORT/',
  'localhost:PORT#',
  'localhost:PORT?x',
  'app.localhost:PORT',
  'localhost.localdomain:PORT',
  'localhost6:PORT',
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:80',
  '127.0.0.1.:PORT',
  '127.0.0.2:PORT',
  '127.1:PORT',
  '127.000.000.001:PORT',
  '0177.0.0.1:PORT',
  '0x7f.0.0.1:PORT',
  '0x7f000001:PORT',
  '2130706433:PORT',
  '017700000001:PORT',
  '0.0.0.0:PORT',
  '0:PORT',
  '[::1',
  '[::1]',
  '[::1]:1',
  '::1:PORT',
  '[::]:PORT',
  '[0:0:0:0:0:0:0:1]:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[::1%25lo]:PORT',
  '169.254.169.254:PORT',
  'http://127.0.0.1:PORT',
  '*',
  '%6cocalhost:PORT',
  '\u00a0localhost:PORT',
  'x'.repeat(8_000),
];

interface SenderCase {
  readonly title: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
}

const origin = (value: string): SenderCase => ({ title: `Origin ${value.slice(0, 60)}`, headers: [['Origin', value]] });

const site = (value: string): SenderCase => ({
  title: `Sec-Fetch-Site ${JSON.stringify(value.slice(0, 60))}`,
  headers: [
    ['Origin', 'http://HOST'],
    ['Sec-Fetch-Site', value],
  ],
});

/** Headers that show that a request comes from elsewhere. `HOST` stands for the requested host. */
export const refusedSenders: readonly SenderCase[] = [
  ...[
    'null',
    '',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://localhost',
    'https://HOST',
    'ws://HOST',
    'HTTP://HOST',
    'http://HOST/',
    'http://HOST#',
    'http://HOST.evil.com',
    'http://evil.com',
    'http://evil.com:PORT',
    'http://evil.HOST',
    'http://user@HOST',
    'http://HOST@evil.com',
    'http://0.0.0.0:PORT',
    'http://[::1]',
    'http://[::1]:PORT',
    'http://[::1',
    'http://2130706433:PORT',
    'http://app.localhost:PORT',
    'http://localhost.:PORT',
    '//HOST',
    'HOST',
    'http:HOST',
    'file://',
    'about:blank',
    'app://hookbench',
    'data:text/html,x',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://0b1c2d3e',
    'javascript:1',
    'http://HOST, http://evil.com',
    'http://HOST http://evil.com',
    'undefined',
    '*',
    `http://${'x'.repeat(8_000)}`,
  ].map(origin),
  {
    title: 'two Origin headers',
    headers: [
      ['Origin', 'http://HOST'],
      ['Origin', 'http://evil.com'],
    ],
  },
  {
    title: 'two equal Origin headers',
    headers: [
      ['Origin', 'http://HOST'],
      ['Origin', 'http://HOST'],
    ],
  },
  ...['cross-site', 'same-site', 'Same-Origin', 'SAME-ORIGIN', '', 'null', 'same-origin, none', 'x'.repeat(8_000)].map(
    site,
  ),
  {
    title: 'two Sec-Fetch-Site headers',
    headers: [
      ['Origin', 'http://HOST'],
      ['Sec-Fetch-Site', 'same-origin'],
      ['Sec-Fetch-Site', 'cross-site'],
    ],
  },
];

/** Subprotocol offers without the right token. `TOKEN` stands for the right one. */
export function refusedOffers(token: string): ReadonlyArray<readonly [title: string, offers: string | null]> {
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  const first = token[0] === 'A' ? 'B' : 'A';
  return [
    ['no offer', null],
    ['an empty offer', ''],
    ['the protocol alone', 'hookbench'],
    ['an empty token', 'hookbench, hookbench.'],
    ['a wrong token', `hookbench, hookbench.${'A'.repeat(43)}`],
    ['a truncated token', `hookbench, hookbench.${token.slice(0, -1)}`],
    ['a longer token', `hookbench, hookbench.${token}A`],
    ['another last character', `hookbench, hookbench.${token.slice(0, -1)}${last}`],
    ['another first character', `hookbench, hookbench.${first}${token.slice(1)}`],
    ['another case', `hookbench, hookbench.${token.toLowerCase()}x`],
    ['the token without its prefix', `hookbench, ${token}`],
    ['another prefix', `hookbench, Hookbench.${token}`],
    ['the right token among others', `hookbench, hookbench.${token}, hookbench.${token}`],
    ['a guess beside the right token', `hookbench, hookbench.${'A'.repeat(43)}, hookbench.${token}`],
    ['an 8 KB token', `hookbench, hookbench.${token.repeat(190)}`],
  ];
}
