import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerAppRequest } from '../../../src/main/app-scheme.ts';
import { type RendererFiles, readRendererFiles } from '../../../src/shell/renderer-files.ts';

let folder = '';
let files: RendererFiles = new Map();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbench-files-'));
  const root = join(folder, 'renderer');
  mkdirSync(join(root, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'renderer-twin'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'renderer-twin/secret.txt'), 'secret');
  writeFileSync(join(root, 'index.html'), '<meta name="csp-nonce" content="__NONCE__">');
  writeFileSync(join(root, 'assets/index.js'), 'run()');
  writeFileSync(join(root, 'assets/geist.woff2'), 'font');
  symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'));
  symlinkSync(folder, join(root, 'out'));
  files = readRendererFiles(root);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = (path: string, method = 'GET'): Response => answerAppRequest(files, `app://hookbench${path}`, method);

const ups = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%2e.',
  '..%00',
  '%252e%252e',
  '..\\',
  '..;',
  '....',
  '%c0%ae%c0%ae',
  '\uff0e\uff0e',
];
const slashes = ['/', '%2f', '%5c', '\\', '//', '/./'];
const targets = ['secret.txt', 'renderer-twin/secret.txt'];

/** At least 100 ways that lead to nothing (U6). */
const hostilePaths: readonly string[] = [
  ...ups.flatMap((up) => slashes.flatMap((slash) => targets.map((target) => `/${up}${slash}${target}`))),
  ...ups.map((up) => `/assets/${up}/index.html`),
  '',
  '//',
  '/.',
  '/./',
  '/./index.html',
  '//index.html',
  '/index.html/',
  '/index.html/..',
  '/index.html%00',
  '/index.html%00.js',
  '/index.html\u0000',
  '/index.html ',
  '/index.html.',
  '/index.html?x=1',
  '/index.html#x',
  '/INDEX.HTML',
  '/Index.html',
  '/Assets/index.js',
  '/assets',
  '/assets/',
  '/assets//index.js',
  '/assets/./index.js',
  '/assets%2findex.js',
  '/assets\\index.js',
  '/%61ssets/index.js',
  '/index%2ehtml',
  '/link.txt',
  '/out',
  '/out/secret.txt',
  '/-twin/secret.txt',
  '-twin/secret.txt',
  '/../renderer/index.html',
  '/etc/passwd',
  '//etc/passwd',
  '/C:/Windows/win.ini',
  '/file:///etc/passwd',
  '/__proto__',
  '/constructor',
  '/toString',
  `/${'a'.repeat(10_000)}`,
];

describe('the app scheme', () => {
  test('the table has at least 100 paths', () => expect(hostilePaths.length).toBeGreaterThanOrEqual(100));

  test.each(hostilePaths)('%j is 404 and has the policy', async (path) => {
    const response = get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each([
    'app://hookbench.evil.com/index.html',
    'app://evil/index.html',
    'app://hookbench:80/index.html',
    'app://user@hookbench/index.html',
    'app://HOOKBENCH/index.html',
    'app:/index.html',
    'app:///index.html',
    'https://hookbench/index.html',
    'file:///index.html',
    '',
  ])('%j is another origin: 404', (url) => {
    expect(answerAppRequest(files, url, 'GET').status).toBe(404);
  });

  test.each(['/', '/index.html'])('%s is the page with a nonce of its own each time', async (path) => {
    const [first, second] = [get(path), get(path)];
    expect(first.status).toBe(200);
    const nonces = await Promise.all(
      [first, second].map(async (response) => {
        const nonce = /content="([^"]+)"/.exec(await response.text())?.[1] ?? '';
        expect(response.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
        return nonce;
      }),
    );
    expect(Buffer.from(nonces[0] ?? '', 'base64')).toHaveLength(16);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('the page connects to its own origin alone, and may come from the cache of compiled code', () => {
    const { headers } = get('/index.html');
    expect(headers.get('content-security-policy')).toContain("; connect-src 'self'; ");
    expect(headers.get('cross-origin-opener-policy')).toBe('noopener-allow-popups');
  });

  test('files keep their bytes and say what they are', async () => {
    const response = get('/assets/index.js');
    expect(await response.text()).toBe('run()');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(get('/assets/geist.woff2').headers.get('content-type')).toBe('font/woff2');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is 405', (method) => {
    expect(get('/index.html', method).status).toBe(405);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const [head, got] = [get('/assets/index.js', 'HEAD'), get('/assets/index.js')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    expect([get('/no.js', 'HEAD').status, get('/no.js', 'POST').status]).toEqual([404, 405]);
  });

  test('a folder without index.html is not served', () => {
    expect(() => readRendererFiles(join(folder, 'renderer-twin'))).toThrow('is not built');
  });
});
