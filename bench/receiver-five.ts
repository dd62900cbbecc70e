/**
 * Five webhooks in a process of their own: `/1` to `/5` tell when the first attempt of each message arrived. A path
 * answers 200, or 500 to the first attempt of each message, or not at all for 5 s.
 */
import { createServer, type ServerResponse } from 'node:http';

export type FiveAnswer = 'ok' | 'fails_first' | 'hangs';
export type ToFive =
  | { readonly type: 'begin'; readonly answers: readonly FiveAnswer[] }
  /** Arrivals of this path, from 1. */
  | { readonly type: 'read'; readonly path: number };
/** Epoch milliseconds with fractions, by the `n` property of each message. */
export interface FiveArrivals {
  readonly arrivals: ReadonlyArray<readonly [n: number, at: number]>;
}

const HANG_MS = 5_000;
let answers: readonly FiveAnswer[] = [];
let arrivals: Map<number, number>[] = [];

function answer(response: ServerResponse, how: FiveAnswer, isFirst: boolean): void {
  const send = (): void => void response.writeHead(how === 'fails_first' && isFirst ? 500 : 200).end('ok');
  if (how === 'hangs') setTimeout(send, HANG_MS + 500);
  else send();
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('error', () => {});
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    const path = Number(request.url?.slice(1));
    const n = Number(/"n":(\d+)/.exec(Buffer.concat(parts).toString('latin1'))?.[1]);
    const seen = arrivals[path - 1]!;
    const isFirst = !seen.has(n);
    if (isFirst) seen.set(n, at);
    answer(response, answers[path - 1]!, isFirst);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));

process.on('message', (message: ToFive) => {
  if (message.type === 'begin') {
    answers = message.answers;
    arrivals = answers.map(() => new Map());
    process.send!({ arrivals: [] });
  } else process.send!({ arrivals: [...arrivals[message.path - 1]!] });
});
process.on('disconnect', () => process.exit(0));
