/** The three ways to the engine's contract, each as a line that the other end may close at any time. */
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import type { HeadlessShell } from '../../src/headless/shell.ts';
import { type PagePort, relay } from '../../src/main/relay.ts';

export interface Line {
  /** `isBinary` is for the way that knows bytes beside texts. */
  send(text: string, isBinary?: boolean): void;
  /** One listener at a time. */
  onText(listener: (text: string) => void): void;
  readonly closed: Promise<void>;
  close(): void;
}
export type Dial = (shell: HeadlessShell) => Promise<Line>;

const localSocket: Dial = async (shell) => {
  const socket = connect(controlSocketPath(shell.workspace));
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.setEncoding('utf8');
  let rest = '';
  let hear = (_line: string): void => {};
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
  return {
    send: (text) => void socket.write(`${text}\n`),
    onText: (listener) => {
      hear = listener;
    },
    closed: new Promise((done) => socket.once('close', () => done())),
    close: () => socket.destroy(),
  };
};

const webSocket: Dial = async (shell) => {
  const { host, origin, hash } = new URL(shell.uiUrl);
  const offers = ['hookbench', `hookbench.${hash.replace('#token=', '')}`];
  const socket = new WebSocket(`ws://${host}/contract`, offers, { origin });
  await once(socket, 'open');
  socket.on('error', () => {});
  return {
    send: (text, isBinary = false) => socket.send(isBinary ? Buffer.from(text) : text),
    onText: (listener) => void socket.removeAllListeners('message').on('message', (data) => listener(String(data))),
    closed: new Promise((done) => socket.once('close', () => done())),
    close: () => socket.terminate(),
  };
};

class Page extends EventEmitter implements PagePort {
  start(): void {}
  postMessage(message: unknown): void {
    this.emit('posted', message);
  }
  close(): void {
    this.emit('ended');
  }
}

/** The desktop's, between a page's port and the engine's. */
const desktopRelay: Dial = async (shell) => {
  const engine = shell.engine.connect();
  if (engine === null) throw new Error('no engine runs');
  const page = new Page();
  const closed = new Promise<void>((done) => page.once('ended', done));
  const close = relay(page, engine);
  return {
    send: (text) => void page.emit('message', { data: text }),
    onText: (listener) => void page.removeAllListeners('posted').on('posted', listener),
    closed,
    close,
  };
};

export const dials: Readonly<Record<string, Dial>> = {
  'local socket': localSocket,
  WebSocket: webSocket,
  'desktop relay': desktopRelay,
};
