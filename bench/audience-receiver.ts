/** A webhook in a process of its own: answers 200 and keeps the user and messageId of each arrival. */
import { createServer } from 'node:http';

interface Arrival {
  readonly messageId: string;
  readonly userId: string;
  readonly traits: Readonly<Record<string, unknown>>;
}

let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(200, { 'content-length': '2' });
    response.end('ok');
    arrivals.push(JSON.parse(Buffer.concat(parts).toString()) as Arrival);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));

/** What arrived since the last question, as a receiver with these rules judges it. */
process.on('message', (message: 'read' | 'count') => {
  if (message === 'count') return process.send!({ count: arrivals.length });
  const messages = new Map(arrivals.map(({ messageId, userId }) => [messageId, userId]));
  const told = arrivals.map(({ userId, traits }) => `${userId} ${String(Object.values(traits)[0])}`);
  process.send!({
    arrivals: arrivals.length,
    messages: messages.size,
    users: new Set(messages.values()).size,
    told: arrivals.length <= 5_000 ? told : [],
  });
  arrivals = [];
});
process.on('disconnect', () => process.exit(0));
