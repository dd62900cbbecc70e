import { describe, expect, test } from 'vitest';
import {
  isDownloadAllowed,
  isPermissionAllowed,
  isRequestAllowed,
  isSenderAllowed,
  type Sender,
} from '../../../src/main/guards.ts';
import { appOrigin, developmentOrigin } from '../../../src/main/origin.ts';

const built = { page: appOrigin, isDevelopment: false };
const development = { page: 'http://localhost:5173', isDevelopment: true };

describe('requests of a window', () => {
  test.each([
    'http://127.0.0.1:8765/',
    'https://example.com/',
    'ws://127.0.0.1:8764/contract',
    'wss://example.com/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'app://other/index.html',
    'app://hookbench.evil/index.html',
    'app://hookbenchx/',
    'blob:app://hookbench/1',
    'devtools://devtools/bundled/inspector.html',
    'chrome://settings',
    'filesystem:app://hookbench/temporary/x',
    'view-source:app://hookbench/index.html',
    'about:blank',
    'javascript:1',
    '',
  ])('%j is refused', (url) => {
    for (const type of ['mainFrame', 'subFrame', 'image', 'script', 'xhr', 'webSocket', 'font', 'other'])
      expect(isRequestAllowed(url, type, built)).toBe(false);
  });

  test('its own files are answered', () => {
    expect(isRequestAllowed('app://hookbench/index.html', 'mainFrame', built)).toBe(true);
  });

  test('data: is for images and fonts, never a page', () => {
    expect(isRequestAllowed('data:image/png;base64,AA', 'image', built)).toBe(true);
    expect(isRequestAllowed('data:font/woff2;base64,AA', 'font', built)).toBe(true);
    for (const type of ['mainFrame', 'subFrame', 'script', 'xhr', 'object', 'other'])
      expect(isRequestAllowed('data:text/html,x', type, built)).toBe(false);
  });

  test('the development server and its socket are reached only in development', () => {
    for (const url of ['http://localhost:5173/main.tsx', 'ws://localhost:5173/']) {
      expect(isRequestAllowed(url, 'other', development)).toBe(true);
      expect(isRequestAllowed(url, 'other', built)).toBe(false);
    }
    expect(isRequestAllowed('http://localhost:51730/', 'other', development)).toBe(false);
    expect(isRequestAllowed('ws://localhost:51730/', 'other', development)).toBe(false);
  });

  test('the developer tools open in development, which lets nothing else in', () => {
    expect(isRequestAllowed('devtools://devtools/bundled/inspector.html', 'mainFrame', development)).toBe(true);
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'https://example.com/devtools://'])
      expect(isRequestAllowed(url, 'script', development)).toBe(false);
  });
});

describe('downloads', () => {
  test('a file that the page made is saved', () => {
    expect(isDownloadAllowed('blob:app://hookbench/4c1f', built)).toBe(true);
    expect(isDownloadAllowed('blob:http://localhost:5173/4c1f', development)).toBe(true);
  });

  test.each([
    'app://hookbench/index.html',
    'https://example.com/a.zip',
    'blob:https://example.com/4c1f',
    'blob:app://hookbench.evil/4c1f',
    'blob:null/4c1f',
    'blob:blob:app://hookbench/4c1f',
    'data:text/html,x',
    'data:app://hookbench/4c1f',
    'file:///etc/passwd',
    'app://hookbench/blob:app://hookbench/4c1f',
    '',
  ])('%j is refused', (url) => expect(isDownloadAllowed(url, built)).toBe(false));
});

test.each<[string | undefined, boolean, string | null]>([
  ['http://localhost:5173', false, 'http://localhost:5173'],
  ['http://localhost:5173/', false, 'http://localhost:5173'],
  ['http://127.0.0.1:5173/x', false, 'http://127.0.0.1:5173'],
  ['http://[::1]:5173', false, 'http://[::1]:5173'],
  ['http://localhost:5173', true, null],
  ['http://evil.com:5173', false, null],
  ['https://localhost:5173', false, null],
  ['', false, null],
  [undefined, false, null],
])('development origin of %j, packaged %j: %j', (url, isPackaged, origin) => {
  expect(developmentOrigin(url, isPackaged)).toBe(origin);
});

test('writing to the clipboard is the only permission', () => {
  const all = [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
    'fullscreen',
    'pointerLock',
    'midi',
    'hid',
    'usb',
    'serial',
    'fileSystem',
    'unknown',
  ];
  for (const permission of all)
    expect(isPermissionAllowed(permission, 'app://hookbench/index.html', built)).toBe(false);
  expect(isPermissionAllowed('clipboard-sanitized-write', 'app://hookbench/index.html', built)).toBe(true);
  expect(isPermissionAllowed('clipboard-sanitized-write', 'https://example.com/', built)).toBe(false);
});

describe('sender of an IPC message (U5)', () => {
  const ids = new Set([1]);
  const good: Sender = { webContentsId: 1, frame: { isMainFrame: true, url: 'app://hookbench/index.html' } };

  test('the page in the main frame of our window is heard', () => expect(isSenderAllowed(good, ids, built)).toBe(true));

  test.each<[string, Sender]>([
    ['a destroyed frame', { ...good, frame: null }],
    ['a child frame', { ...good, frame: { isMainFrame: false, url: 'app://hookbench/index.html' } }],
    ['about:blank', { ...good, frame: { isMainFrame: true, url: 'about:blank' } }],
    ['an empty URL', { ...good, frame: { isMainFrame: true, url: '' } }],
    ['another host of the scheme', { ...good, frame: { isMainFrame: true, url: 'app://other/index.html' } }],
    ['a longer host', { ...good, frame: { isMainFrame: true, url: 'app://hookbench.evil.com/' } }],
    ['a host with a user name', { ...good, frame: { isMainFrame: true, url: 'app://hookbench@evil.com/' } }],
    ['a web page', { ...good, frame: { isMainFrame: true, url: 'https://example.com/app://hookbench/' } }],
    ['a file', { ...good, frame: { isMainFrame: true, url: 'file:///index.html' } }],
    ['an unknown window', { ...good, webContentsId: 2 }],
  ])('%s is not', (_title, sender) => {
    expect(isSenderAllowed(sender, ids, built)).toBe(false);
  });
});
