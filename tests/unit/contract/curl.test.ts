import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlCommand, quoteForSh } from '../../../src/contract/curl.ts';

/** Runs the command in a real sh with curl replaced by a function that prints its arguments, NUL-separated. */
function argumentsInSh(command: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${command}\n`;
  const out = execFileSync('sh', ['-c', script], { env: { PATH: '/usr/bin:/bin', ...env }, encoding: 'utf8' });
  return out.split('\0').slice(0, -1);
}

const hostile = [
  `it's`,
  `'; echo pwned; '`,
  '$(echo pwned) `echo pwned` $HOME $' + '{PATH}',
  '"double" \\ backslash \\\' end',
  'line one\nline two\ttab',
  '!! !$ ~ * ? [a-z] {a,b} # & | ; < >',
  '-H @/etc/passwd',
  'emoji 🛒 and ‮bidi​ zero',
  '',
];

describe('copy as curl', () => {
  it.each(hostile)('gives sh the text %j as one unchanged word', (text) => {
    expect(argumentsInSh(`curl ${quoteForSh(text)}`)).toEqual([text]);
  });

  it('sends the body, URL and headers byte for byte', () => {
    for (const text of hostile) {
      const args = argumentsInSh(
        curlCommand({
          url: `http://127.0.0.1:4010/${text}`,
          headers: [{ name: 'X-Note', value: text.replaceAll('\n', ' ') }],
          body: `{"a":${JSON.stringify(text)}}`,
        }),
      );
      expect(args).toContain(`http://127.0.0.1:4010/${text}`);
      expect(args.at(-2)).toBe('--data-raw');
      expect(args.at(-1)).toBe(`{"a":${JSON.stringify(text)}}`);
      const note = text.replaceAll('\n', ' ');
      expect(args).toContain(note === '' ? 'X-Note;' : `X-Note: ${note}`);
    }
  });

  it('asks for a hidden header value instead of sending a wrong one', () => {
    const command = curlCommand({
      url: 'http://127.0.0.1/',
      headers: [{ name: 'Authorization', hiddenLength: 31 }],
      body: '{}',
    });
    expect(argumentsInSh(command, { HEADER_AUTHORIZATION: 'Bearer $x' })).toContain('Authorization: Bearer $x');
    expect(() =>
      execFileSync('sh', ['-c', `curl() { :; }\n${command}`], { env: { PATH: '/usr/bin:/bin' }, stdio: 'pipe' }),
    ).toThrow(/hidden/);
  });

  it('keeps strange header names from the shell', () => {
    const command = curlCommand({
      url: 'http://127.0.0.1/',
      headers: [{ name: "X-`a`$b'c", hiddenLength: 3 }],
      body: '{}',
    });
    expect(argumentsInSh(command, { HEADER_X__A__B_C: 'v' })).toContain("X-`a`$b'c: v");
  });

  it('leaves out what curl writes itself', () => {
    const command = curlCommand({
      url: 'http://127.0.0.1/',
      headers: [
        { name: 'Host', value: 'h' },
        { name: 'Connection', value: 'keep-alive' },
        { name: 'content-length', value: '2' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      body: '{}',
    });
    expect(argumentsInSh(command).filter((argument) => argument.includes(': '))).toEqual([
      'Content-Type: application/json',
    ]);
  });

  it('sends the write key as the Basic user name', () => {
    const command = curlCommand({ url: 'http://127.0.0.1/', headers: [], body: '{}', user: "wk'1" });
    const args = argumentsInSh(command);
    expect(args[args.indexOf('-u') + 1]).toBe("wk'1:");
  });
});

it('hidden values of one name, or of names that are alike, are asked for one by one', () => {
  const headers = ['X-Key', 'x-key', 'X_Key'].map((name) => ({ name, hiddenLength: 3 }));
  const command = curlCommand({ url: 'http://a/', headers, body: '{}' });
  const env = { HEADER_X_KEY: 'one', HEADER_X_KEY__2: 'two', HEADER_X_KEY__3: 'three' };
  expect(argumentsInSh(command, env)).toEqual(expect.arrayContaining(['X-Key: one', 'x-key: two', 'X_Key: three']));
  expect(() => argumentsInSh(command, { ...env, HEADER_X_KEY__2: '' })).toThrow();
});

it('a hidden value that is empty is sent empty, and asks for nothing', () => {
  const command = curlCommand({ url: 'http://a/', headers: [{ name: 'X-Empty', hiddenLength: 0 }], body: '{}' });
  expect(argumentsInSh(command)).toEqual(expect.arrayContaining(['-H', 'X-Empty;']));
});
