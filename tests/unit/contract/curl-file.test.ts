import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { curlFile, curlFor, curlForCmd, curlForPowerShell } from '../../../src/contract/curl-file.ts';

const request = (body: string, url = 'http://127.0.0.1:1/', value = 'v') => ({
  url,
  headers: [{ name: 'X-Note', value }],
  body,
});

/** Reads a config file by the rules of curl's manual. */
function optionsOf(file: string): [string, string][] {
  return file
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, name, value] = /^([a-z-]+)(?: = "((?:[^"\\]|\\.)*)")?$/s.exec(line)!;
      const signs: Record<string, string> = { n: '\n', r: '\r', t: '\t', v: '\v' };
      return [name!, (value ?? '').replace(/\\(.)/gs, (_, sign: string) => signs[sign] ?? sign)];
    });
}
/** What PowerShell writes to the file: a single-quoted here-string ends at the first line that begins with `'@`. */
const writtenByPowerShell = (command: string): string => {
  const text = command.split("@'\n")[1]!;
  return `${text.slice(0, text.search(/^['\u2018-\u201b]@/m)).replace(/\n$/, '')}\n`;
};
/** What cmd has decoded. */
const writtenByCmd = (command: string): string =>
  Buffer.from(
    [...command.matchAll(/^echo ([A-Za-z0-9+/=]+)$/gm)].map(([, line]) => line).join(''),
    'base64',
  ).toString();

const anyText = fc.string({ unit: 'binary', maxLength: 300 }).filter((text) => text.isWellFormed());
const hostile = fc.oneof(
  anyText,
  fc.constantFrom(
    "\n'@\ncalc\n",
    '\u2019@\r\n& calc',
    '%PATH% ^& calc',
    '"; calc; "',
    '`$(calc)',
    '\\"',
    '!x!',
    '\t\v',
    '🛒 \u202e',
  ),
);
const withoutNul = (text: string): string => text.replaceAll('\0', '');

describe('copy as curl for Windows', () => {
  it('gives curl the same URL, header and body, whatever they hold', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (body, url, value) => {
        fc.pre(value !== '');
        const one = request(body, url, value);
        for (const file of [curlFile(one), writtenByPowerShell(curlForPowerShell(one)), writtenByCmd(curlForCmd(one))])
          expect(optionsOf(file)).toEqual([
            ['include', ''],
            ['globoff', ''],
            ['request', 'POST'],
            ['url', withoutNul(url)],
            ['header', withoutNul(`X-Note: ${value}`)],
            ['data-raw', withoutNul(body)],
          ]);
      }),
      { numRuns: 300 },
    );
  });

  it('gives cmd no sign that means anything to it, and no line that is too long', () => {
    fc.assert(
      fc.property(hostile, (body) => {
        const lines = curlForCmd(request(body)).split('\n');
        for (const line of lines.slice(1, -3)) expect(line).toMatch(/^echo [A-Za-z0-9+/=]{1,1000}$/);
        expect([lines[0], ...lines.slice(-3)]).toEqual([
          '(',
          ')>"%TEMP%\\hookbench-request.b64"',
          'certutil -f -decode "%TEMP%\\hookbench-request.b64" "%TEMP%\\hookbench-request.txt" >nul && curl.exe -K "%TEMP%\\hookbench-request.txt"',
          'del "%TEMP%\\hookbench-request.b64" "%TEMP%\\hookbench-request.txt"',
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('takes as many lines as a long body needs', () => {
    const body = JSON.stringify({ a: 'x'.repeat(32_000) });
    const command = curlForCmd(request(body));
    const lengths = command.split('\n').map((line) => line.length);
    expect(Math.max(...lengths)).toBe('echo '.length + 1_000);
    expect(optionsOf(writtenByCmd(command)).at(-1)).toEqual(['data-raw', body]);
  });

  it('has curl read hidden values from the environment, and sends empty ones', () => {
    const headers = [
      { name: 'Authorization', hiddenLength: 31 },
      { name: 'X-Empty', value: '' },
      { name: 'X-None', hiddenLength: 0 },
      { name: 'Host', value: 'h' },
    ];
    expect(optionsOf(curlFile({ url: 'http://h/', headers, body: '{}', user: 'wk' })).slice(4)).toEqual([
      ['user', 'wk:'],
      ['variable', '%HEADER_AUTHORIZATION'],
      ['expand-header', 'Authorization: {{HEADER_AUTHORIZATION}}'],
      ['header', 'X-Empty;'],
      ['header', 'X-None;'],
      ['data-raw', '{}'],
    ]);
  });

  it('has curl read the write key from the environment too', () => {
    const file = curlFile({ url: 'http://h/', headers: [], body: '{}', userVariable: 'WRITE_KEY' });
    expect(optionsOf(file).slice(4, 6)).toEqual([
      ['variable', '%WRITE_KEY'],
      ['expand-user', '{{WRITE_KEY}}:'],
    ]);
  });

  it('is what the real curl sends byte for byte', async () => {
    const body = '{"a":"it\'s \\"x\\" \\\\ 100% ^& 🛒 \\n @file","tab":"\\t"}\n\ttail\r\n"quote" \\ end';
    const folder = mkdtempSync(join(tmpdir(), 'curl-file-'));
    const seen: { body: string; note: string | undefined }[] = [];
    const server = createServer((incoming, answer) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        seen.push({ body: Buffer.concat(parts).toString(), note: incoming.headers['x-note'] as string });
        answer.end('ok');
      });
    });
    onTestFinished(() => {
      server.close();
      rmSync(folder, { recursive: true });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/[a]{b}?q="x"`;
    for (const [name, file] of Object.entries({
      powershell: writtenByPowerShell(curlFor('powershell', request(body, url, `"it's" \\ $x %y%`))),
      cmd: writtenByCmd(curlFor('cmd', request(body, url, `"it's" \\ $x %y%`))),
    })) {
      writeFileSync(join(folder, name), file);
      await new Promise<void>((resolve, reject) =>
        execFile('curl', ['-q', '-s', '--noproxy', '*', '-K', join(folder, name)], (error) =>
          error ? reject(error) : resolve(),
        ),
      );
    }
    expect(seen).toEqual([
      { body, note: `"it's" \\ $x %y%` },
      { body, note: `"it's" \\ $x %y%` },
    ]);
  });
});
