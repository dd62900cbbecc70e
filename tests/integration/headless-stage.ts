/** The headless server beside a fake engine: what its tests share. */
import type { TextPort } from '../../src/core/engine/engine-thread.ts';
import { serveUi, type UiServer } from '../../src/headless/server.ts';
import type { RendererFiles } from '../../src/shell/renderer-files.ts';
import type { HeaderList } from '../helpers/raw-http.ts';

export const token = 'Q0rAf5HBOSAN2T9dmtoutcUAivMR3_Eik5FdnG2x-Rg';
const page = '<!doctype html><meta name="csp-nonce" content="__NONCE__"><title>The page</title>';
const file = (text: string, type: string, isLasting = false) => ({ type, bytes: Buffer.from(text), isLasting });
export const files: RendererFiles = new Map([
  ['/', file(page, 'text/html; charset=utf-8')],
  ['/index.html', file(page, 'text/html; charset=utf-8')],
  ['/assets/index.js', file('run()', 'text/javascript; charset=utf-8')],
  ['/assets/index-DvKWbx1E.js', file('run()', 'text/javascript; charset=utf-8', true)],
]);

/** Says back what it is told, and can be flooded from. */
class FakeEnginePort implements TextPort {
  closed = false;
  readonly posted: string[] = [];
  #text: (text: string) => void = () => {};
  #close: () => void = () => {};
  post(text: string): void {
    this.posted.push(text);
    this.#text(`echo:${text}`);
  }
  say(text: string): void {
    this.#text(text);
  }
  onText(listener: (text: string) => void): void {
    this.#text = listener;
  }
  onClose(listener: () => void): void {
    this.#close = listener;
  }
  close(): void {
    this.closed = true;
  }
  end(): void {
    this.#close();
  }
}

export let server: UiServer;
export const engine = {
  runs: true,
  /** Every connection to it: what a refused request must not make. */
  ports: [] as FakeEnginePort[],
};

export async function start(): Promise<void> {
  engine.runs = true;
  engine.ports = [];
  server = await serveUi({
    files,
    port: 0,
    token,
    connect: () => {
      if (!engine.runs) return null;
      const port = new FakeEnginePort();
      engine.ports.push(port);
      return port;
    },
  });
}

export const host = (port = server.port): string => `127.0.0.1:${port}`;
/** Of an upgrade that is let through. */
export const good = (port = server.port): HeaderList => [
  ['Host', host(port)],
  ['Origin', `http://${host(port)}`],
  ['Sec-WebSocket-Protocol', `hookbench, hookbench.${token}`],
];
