/**
 * The reference for ingest: bare node:http, one JSON.parse a request, and one grouped insert a turn of the event loop at
 * synchronous=FULL of the request, its messages and their bodies. No limits, no validation, no interface.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const [folder] = process.argv.slice(2) as [string];

const db = new Database(join(folder, 'reference.sqlite'));
db.pragma('page_size = 4096');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma('wal_autocheckpoint = 10000');
db.exec(`
  CREATE TABLE requests (id INTEGER PRIMARY KEY, received_at INTEGER, headers TEXT, body BLOB) STRICT;
  CREATE TABLE messages (id INTEGER PRIMARY KEY, request_id INTEGER, message_id TEXT, type TEXT, name TEXT, user_id TEXT, state TEXT, received_at INTEGER) STRICT;
  CREATE UNIQUE INDEX messages_message_id ON messages (message_id);
  CREATE TABLE bodies (id INTEGER PRIMARY KEY, wire BLOB) STRICT;
`);
const insertRequest = db.prepare('INSERT INTO requests (received_at, headers, body) VALUES (?, ?, ?)');
const insertMessage = db.prepare(
  "INSERT INTO messages (request_id, message_id, type, name, user_id, state, received_at) VALUES (?, ?, ?, ?, ?, 'stored', ?)",
);
const insertBody = db.prepare('INSERT INTO bodies (id, wire) VALUES (?, ?)');
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');

let jobs: Array<() => () => void> = [];
function write(job: () => () => void): void {
  if (jobs.push(job) > 1) return;
  setImmediate(() => {
    const group = jobs;
    jobs = [];
    begin.run();
    const after = group.map((run) => run());
    commit.run();
    for (const then of after) then();
  });
}

interface Call {
  type: string;
  messageId: string;
  event: string;
  userId: string;
  timestamp: string;
  properties: unknown;
  context: unknown;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const raw = Buffer.concat(parts);
    const { batch } = JSON.parse(raw.toString()) as { batch: Call[] };
    const wires = batch.map(({ event, userId, timestamp, properties, context }) =>
      Buffer.from(JSON.stringify({ type: 'track', userId, timestamp, event, properties, context, version: 1 })),
    );
    write(() => {
      const now = Date.now();
      const requestId = insertRequest.run(now, JSON.stringify(request.rawHeaders), raw).lastInsertRowid;
      for (const [i, { messageId, type, event, userId }] of batch.entries()) {
        const { lastInsertRowid } = insertMessage.run(requestId, messageId, type, event, userId, now);
        insertBody.run(lastInsertRowid, wires[i]);
      }
      return () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"success":true}');
      };
    });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as { port: number }).port })));
process.on('SIGTERM', () => process.exit(0));
