/**
 * The reference: the shortest program that does the same durable work as Hookbench, with none of its features.
 * Ingest, one row a request, a message and its delivered bytes, an attempt row committed before the send, its result
 * and the message's state after it, all at synchronous=FULL with one commit a turn of the event loop; signed POSTs
 * by undici's dispatch with 16 connections to each webhook and a 5 s timer each. Its backlog is in memory; it has no
 * limits, no duplicates, no retries, no interface. A message that one of several webhooks accepted goes to no further
 * one.
 *
 * As `once` it stores each call once, as it is delivered, and no request: a program that cannot show what it received.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'undici';

const [folder, mode, ...receivers] = process.argv.slice(2) as [string, 'straight-line' | 'once', ...string[]];
const SECRET = 'bench-secret';
const CONNECTIONS = 16;

const db = new Database(join(folder, 'straight-line.sqlite'));
db.pragma('page_size = 4096');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma('wal_autocheckpoint = 10000');
db.exec(`
  CREATE TABLE requests (id INTEGER PRIMARY KEY, received_at INTEGER, headers TEXT, body BLOB) STRICT;
  CREATE TABLE messages (id INTEGER PRIMARY KEY, request_id INTEGER, message_id TEXT, type TEXT, name TEXT, user_id TEXT, state TEXT, received_at INTEGER) STRICT;
  CREATE UNIQUE INDEX messages_message_id ON messages (message_id);
  CREATE TABLE bodies (id INTEGER PRIMARY KEY, wire BLOB) STRICT;
  CREATE TABLE attempts (id INTEGER PRIMARY KEY, message_id INTEGER, started_at INTEGER, status INTEGER, ms REAL, result TEXT, body BLOB) STRICT;
  CREATE INDEX attempts_message ON attempts (message_id);
`);
const insertRequest = db.prepare('INSERT INTO requests (received_at, headers, body) VALUES (?, ?, ?)');
const insertMessage = db.prepare(
  "INSERT INTO messages (request_id, message_id, type, name, user_id, state, received_at) VALUES (?, ?, ?, ?, ?, 'queued', ?)",
);
const insertBody = db.prepare('INSERT INTO bodies (id, wire) VALUES (?, ?)');
const insertAttempt = db.prepare('INSERT INTO attempts (message_id, started_at) VALUES (?, ?)');
const finishAttempt = db.prepare('UPDATE attempts SET status = ?, ms = ?, result = ?, body = ? WHERE id = ?');
const setState = db.prepare('UPDATE messages SET state = ? WHERE id = ?');
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

interface Message {
  readonly id: number;
  readonly wire: Buffer;
  isBegun: boolean;
  ended: number;
  isDelivered: boolean;
}

interface Webhook {
  readonly path: string;
  readonly free: Client[];
  readonly backlog: Message[];
}

const webhooks = receivers.map((receiver): Webhook => {
  const { origin, pathname } = new URL(receiver);
  return { path: pathname, free: Array.from({ length: CONNECTIONS }, () => new Client(origin)), backlog: [] };
});

function pump(webhook: Webhook): void {
  const { free, backlog } = webhook;
  while (free.length > 0 && backlog.length > 0) {
    const message = backlog.shift()!;
    if (message.isDelivered) continue;
    const client = free.pop()!;
    write(() => {
      const attempt = Number(insertAttempt.run(message.id, Date.now()).lastInsertRowid);
      if (!message.isBegun) setState.run('delivering', message.id);
      message.isBegun = true;
      return () => send(webhook, client, attempt, message);
    });
  }
}

function send(webhook: Webhook, client: Client, attempt: number, message: Message): void {
  const { wire } = message;
  const headers = {
    'User-Agent': 'Hookbench/1.0',
    'Content-Type': 'application/json',
    'X-Signature': createHmac('sha1', SECRET).update(wire).digest('hex'),
  };
  const startedAt = performance.now();
  const timer = setTimeout(() => client.destroy(), 5000);
  let status = 0;
  let answerHeaders: unknown = null;
  const parts: Buffer[] = [];
  const done = (): void => {
    clearTimeout(timer);
    webhook.free.push(client);
    const ms = performance.now() - startedAt;
    write(() => {
      finishAttempt.run(status, ms, JSON.stringify({ headers, answerHeaders }), Buffer.concat(parts), attempt);
      message.ended += 1;
      if (message.isDelivered) return () => {};
      message.isDelivered = status === 200;
      if (message.isDelivered || message.ended === webhooks.length)
        setState.run(status === 200 ? 'delivered' : 'failed', message.id);
      return () => {};
    });
    pump(webhook);
  };
  client.dispatch(
    { path: webhook.path, method: 'POST', headers, body: wire },
    {
      onRequestStart: () => {},
      onResponseStart: (_controller, code, received) => {
        status = code;
        answerHeaders = received;
      },
      onResponseData: (_controller, chunk) => void parts.push(chunk),
      onResponseEnd: done,
      onResponseError: done,
    },
  );
}

interface Call {
  type: string;
  messageId: string;
  event?: string;
  name?: string;
  userId: string;
  timestamp: string;
  properties?: unknown;
  context: unknown;
}

function wireOf(call: Call): Buffer {
  const { type, event, userId, timestamp, properties, context } = call;
  if (type === 'track')
    return Buffer.from(JSON.stringify({ type, userId, timestamp, event, properties, context, version: 1 }));
  const { messageId, ...rest } = call;
  return Buffer.from(JSON.stringify({ ...rest, version: 1 }));
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const raw = Buffer.concat(parts);
    const { batch } = JSON.parse(raw.toString()) as { batch: Call[] };
    const wires = batch.map(wireOf);
    write(() => {
      const now = Date.now();
      const requestId =
        mode === 'once' ? null : insertRequest.run(now, JSON.stringify(request.rawHeaders), raw).lastInsertRowid;
      const ids = batch.map((call, i) => {
        const id = Number(
          insertMessage.run(requestId, call.messageId, call.type, call.event ?? call.name ?? '', call.userId, now)
            .lastInsertRowid,
        );
        insertBody.run(id, wires[i]);
        return id;
      });
      return () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"success":true}');
        const messages = ids.map(
          (id, i): Message => ({ id, wire: wires[i]!, isBegun: false, ended: 0, isDelivered: false }),
        );
        for (const webhook of webhooks) {
          webhook.backlog.push(...messages);
          pump(webhook);
        }
      };
    });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  console.log(
    JSON.stringify({ ready: true, ingest: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
  ),
);
process.on('SIGTERM', () => process.exit(0));
