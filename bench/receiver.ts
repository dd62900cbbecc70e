/** Webhooks in a process of their own, one for each path. They answer 200 and tell when a message came to the first of them. */
import { createServer } from 'node:http';

/** Arrival times in epoch milliseconds with fractions, by the `n` property of each message. */
let arrivals = new Map<number, number>();
/** The messages that came to each path. */
let seen = new Map<string, Set<number>>();
let expected = 0;
let sends = 0;
let repeats = 0;

function arrived(path: string, n: number, at: number): void {
  sends += 1;
  const here = seen.get(path) ?? new Set<number>();
  seen.set(path, here);
  if (here.has(n)) repeats += 1;
  here.add(n);
  if (arrivals.has(n)) return;
  arrivals.set(n, at);
  if (arrivals.size === expected) process.send!({ type: 'all' });
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    response.writeHead(200, { 'content-length': '2' });
    response.end('ok');
    arrived(request.url!, Number(/"n":(\d+)/.exec(Buffer.concat(parts).toString('latin1'))?.[1]), at);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ type: 'port', port: (server.address() as { port: number }).port }));

process.on('message', (message: { type: 'expect'; n: number } | { type: 'read' }) => {
  if (message.type === 'expect') {
    arrivals = new Map();
    seen = new Map();
    expected = message.n;
    sends = 0;
    repeats = 0;
    process.send!({ type: 'ready' });
  } else process.send!({ type: 'arrivals', arrivals: [...arrivals], sends, repeats });
});
process.on('disconnect', () => process.exit(0));
