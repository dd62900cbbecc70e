/** An ingest in a process of its own that only counts: answers 200, also to pages, and tells when all have come. */
import { createServer } from 'node:http';

const MARK = Buffer.from('"type":"track"');
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, content-type, x-retry-count',
  'Access-Control-Max-Age': '600',
};

let messages = 0;
let requests = 0;
let expected = Number.POSITIVE_INFINITY;

function countIn(body: Buffer): number {
  let count = 0;
  for (let at = body.indexOf(MARK); at >= 0; at = body.indexOf(MARK, at + MARK.length)) count += 1;
  return count;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(200, { ...CORS, 'Content-Type': 'application/json', 'Content-Length': '16' });
    response.end('{"success":true}');
    if (request.method !== 'POST') return;
    requests += 1;
    messages += countIn(Buffer.concat(parts));
    if (messages < expected) return;
    expected = Number.POSITIVE_INFINITY;
    process.send!({ type: 'all', at: performance.timeOrigin + performance.now(), messages, requests });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ type: 'port', port: (server.address() as { port: number }).port }));

process.on('message', ({ n }: { n: number }) => {
  messages = 0;
  requests = 0;
  expected = n;
  process.send!({ type: 'ready' });
});
process.on('disconnect', () => process.exit(0));
