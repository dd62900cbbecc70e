/** A webhook receiver in a process of its own: answers 200 and tells when each message arrived. */
import { createServer } from 'node:http';

/** Arrival times in epoch milliseconds with fractions, by the `n` property of each message. */
let arrivals = new Map<number, number>();
let expected = 0;
let repeats = 0;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    response.writeHead(200, { 'content-length': '2' });
    response.end('ok');
    const n = Number(/"n":(\d+)/.exec(Buffer.concat(parts).toString('latin1'))?.[1]);
    if (arrivals.has(n)) repeats += 1;
    else arrivals.set(n, at);
    if (arrivals.size === expected) process.send!({ type: 'all' });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ type: 'port', port: (server.address() as { port: number }).port }));

process.on('message', (message: { type: 'expect'; n: number } | { type: 'read' }) => {
  if (message.type === 'expect') {
    arrivals = new Map();
    repeats = 0;
    expected = message.n;
    process.send!({ type: 'ready' });
  } else process.send!({ type: 'arrivals', arrivals: [...arrivals], repeats });
});
process.on('disconnect', () => process.exit(0));
