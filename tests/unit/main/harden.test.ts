/** The guards as they are tied to a session and to web contents, over the double: each lock on its own. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { beforeEach, describe, expect, test, vi } from 'vitest';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));

type Handler = (...args: unknown[]) => unknown;
interface DoubleSession extends EventEmitter {
  readonly handlers: Record<string, Handler | unknown>;
  refuses(details: object): Promise<boolean> | false;
}
interface DoubleElectron {
  readonly app: EventEmitter & { becomeReady(): void; isSandboxEnabled(): boolean };
  readonly session: { fromPartition(name: string): DoubleSession };
}
const { app, session } = (await import('electron')) as unknown as DoubleElectron;
const { hardenApp, hardenSession } = await import('../../../src/main/harden.ts');

const page = 'app://hookbench/index.html';
const preventable = () => ({ preventDefault: vi.fn() });

hardenApp();
app.becomeReady();
let own: DoubleSession;
beforeEach(() => {
  own = session.fromPartition(crypto.randomUUID());
  hardenSession(own as never, { page: 'app://hookbench', isDevelopment: false });
});
const handler = (name: string): Handler => own.handlers[name] as Handler;

const permissions = [
  'clipboard-read',
  'display-capture',
  'fileSystem',
  'fullscreen',
  'geolocation',
  'hid',
  'idle-detection',
  'keyboardLock',
  'media',
  'mediaKeySystem',
  'midi',
  'midiSysex',
  'notifications',
  'openExternal',
  'pointerLock',
  'serial',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'unknown',
  'usb',
  'window-management',
];
const allowed = 'clipboard-sanitized-write';

describe('a session', () => {
  test('accepts no certificate', () => {
    const answers: unknown[] = [];
    const request = { hostname: 'localhost', verificationResult: 'net::OK', errorCode: 0 };
    handler('setCertificateVerifyProc')(request, (answer: unknown) => answers.push(answer));
    expect(answers).toEqual([-2]);
  });

  const ask = (permission: string, requestingUrl: string, isMainFrame: boolean): unknown => {
    const answers: unknown[] = [];
    const answer = (value: unknown) => answers.push(value);
    handler('setPermissionRequestHandler')({}, permission, answer, { requestingUrl, isMainFrame });
    expect(answers).toHaveLength(1);
    return answers[0];
  };

  test.each(permissions)('grants no %s', (permission) => {
    expect(ask(permission, page, true)).toBe(false);
    expect(handler('setPermissionCheckHandler')({}, permission, page, { requestingUrl: page })).toBe(false);
  });

  test('grants writing to the clipboard to the main frame of the page alone', () => {
    expect([ask(allowed, page, true), ask(allowed, page, false), ask(allowed, 'https://example.com/', true)]).toEqual([
      true,
      false,
      false,
    ]);
    const check = handler('setPermissionCheckHandler');
    expect(check({}, allowed, 'app://hookbench', {})).toBe(true);
    expect(check({}, allowed, 'app://hookbench', { requestingUrl: 'https://example.com/' })).toBe(false);
  });

  test('gives no device and no picture of the screen', () => {
    const answer = vi.fn();
    handler('setDisplayMediaRequestHandler')({}, answer);
    expect(answer.mock.calls).toEqual([[{}]]);
    expect(handler('setDevicePermissionHandler')({ deviceType: 'usb', origin: 'app://hookbench' })).toBe(false);
  });

  test('loads the files of the page and nothing else', async () => {
    expect(await own.refuses({ url: page, resourceType: 'mainFrame' })).toBe(false);
    expect(await own.refuses({ url: 'https://example.com/', resourceType: 'image' })).toBe(true);
  });

  test('checks no spelling', () => {
    expect(own.handlers.setSpellCheckerEnabled).toBe(false);
  });
});

describe('every web contents', () => {
  class FakeContents extends EventEmitter {
    openHandler: Handler = () => ({ action: 'allow' });
    setWindowOpenHandler(handler: Handler): void {
      this.openHandler = handler;
    }
  }
  const created = (): FakeContents => {
    const contents = new FakeContents();
    app.emit('web-contents-created', {}, contents);
    return contents;
  };

  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    'prevents %s, wherever it leads',
    (name) => {
      const contents = created();
      for (const url of ['https://example.com/', page, 'about:blank']) {
        const event = { ...preventable(), url };
        contents.emit(name, event, url);
        expect(event.preventDefault).toHaveBeenCalledOnce();
      }
    },
  );

  test('opens no window', () => {
    expect(created().openHandler({ url: page })).toEqual({ action: 'deny' });
  });
});

describe('the app', () => {
  test('puts every renderer into the sandbox', () => expect(app.isSandboxEnabled()).toBe(true));

  test('accepts no certificate that was refused', () => {
    const [event, answer] = [preventable(), vi.fn()];
    app.emit('certificate-error', event, {}, 'https://x/', 'net::ERR', {}, answer);
    expect(event.preventDefault).toHaveBeenCalledOnce();
    expect(answer.mock.calls).toEqual([[false]]);
  });

  test.each(['select-client-certificate', 'login'])('answers no %s', (name) => {
    const event = preventable();
    app.emit(name, event);
    expect(event.preventDefault).toHaveBeenCalledOnce();
  });
});
