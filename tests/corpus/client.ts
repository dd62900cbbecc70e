/** A kept connection that sends bytes as they are given and reads one answer at a time. */
import { connect, type Socket } from 'node:net';

export interface Answer {
  /** 0 when the connection ended without one. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Bytes that came after the answer, though nothing more was asked. */
  readonly surplus: number;
}

/** An answer that takes longer than this never comes. */
const GUARD_MS = 8_000;

export class WireClient {
  readonly #port: number;
  #socket: Socket | null = null;
  #received = Buffer.alloc(0);
  #ended = true;
  #wake = (): void => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** `bodiless`: the answer has no body whatever its length says (HEAD). */
  async exchange(bytes: Uint8Array, bodiless: boolean): Promise<Answer> {
    if (this.#ended) this.#open();
    this.#received = Buffer.alloc(0);
    this.#socket!.write(bytes);
    let end = -1;
    while (end === -1) {
      end = answerEnd(this.#received, bodiless);
      if (end !== -1 || this.#ended) break;
      await this.#more();
    }
    const all = this.#received;
    return end === -1 ? NO_ANSWER : { ...parsed(all.subarray(0, end)), surplus: all.length - end };
  }

  /** Whether the server ended the connection: waits for it when that is expected, or when the answer announced it. */
  async hasEnded(answer: Answer, expected: boolean): Promise<boolean> {
    const willEnd = expected || answer.headers.connection === 'close';
    while (willEnd && !this.#ended) await this.#more();
    return this.#ended;
  }

  close(): void {
    this.#socket?.destroy();
    this.#ended = true;
  }

  #open(): void {
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    socket.setNoDelay(true);
    this.#ended = false;
    this.#socket = socket;
    const over = (): void => {
      if (this.#socket !== socket) return;
      this.#ended = true;
      this.#wake();
    };
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('end', over);
    socket.on('close', over);
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const guard = setTimeout(() => {
        this.close();
        reject(new Error(`no answer within ${GUARD_MS} ms`));
      }, GUARD_MS);
      this.#wake = () => {
        clearTimeout(guard);
        resolve();
      };
    });
  }
}

const NO_ANSWER: Answer = { status: 0, headers: {}, body: Buffer.alloc(0), surplus: 0 };

/** Where the final answer ends; -1 while it is not whole. */
function answerEnd(received: Buffer, bodiless: boolean): number {
  const start = finalStart(received);
  const headEnd = received.indexOf('\r\n\r\n', start);
  if (headEnd === -1) return -1;
  const head = received.subarray(start, headEnd + 2).toString('latin1');
  const status = Number(head.slice(9, 12));
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
  const end = headEnd + 4 + (bodiless || status === 204 ? 0 : length);
  return received.length >= end ? end : -1;
}

/** Past interim answers. */
function finalStart(received: Buffer): number {
  let start = 0;
  while (received.subarray(start, start + 10).toString('latin1') === 'HTTP/1.1 1') {
    const end = received.indexOf('\r\n\r\n', start);
    if (end === -1) break;
    start = end + 4;
  }
  return start;
}

function parsed(whole: Buffer): Omit<Answer, 'surplus'> {
  const start = finalStart(whole);
  const headEnd = whole.indexOf('\r\n\r\n', start);
  const [first = '', ...lines] = whole.subarray(start, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.slice(9, 12)), headers, body: whole.subarray(headEnd + 4) };
}
