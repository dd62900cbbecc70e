/** The receiver of a kill run, a separate process. It logs every arrival before it answers. Arguments: log file. */
import { createHmac } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import {
  arrivalLine,
  type FromReceiver,
  LIFE_HEADER,
  PATHS,
  plannedAnswer,
  REPLAY_PATH,
  SECRETS,
  type ToReceiver,
} from './messages.ts';

const SLOTS: readonly string[] = [...PATHS, REPLAY_PATH];
const log = createWriteStream(process.argv[2]!);
const tries = new Map<string, number>();
let badSignatures = 0;
let halfRequests = 0;

const say = (message: FromReceiver): void => void process.send!(message);

const isSigned = (body: Buffer, signature: unknown): boolean =>
  SECRETS.some((secret) => signature === createHmac('sha1', secret).update(body).digest('hex'));

function answer(response: ServerResponse, status: number): void {
  if (status === 0) response.socket?.resetAndDestroy();
  else response.writeHead(status, { 'content-length': '2' }).end('ok');
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('error', () => {});
  request.on('close', () => {
    if (!request.complete) halfRequests += 1;
  });
  request.on('end', () => {
    const body = Buffer.concat(parts);
    if (!isSigned(body, request.headers['x-signature'])) badSignatures += 1;
    const { properties } = JSON.parse(body.toString()) as { properties: { id: string } };
    const slot = SLOTS.indexOf(request.url ?? '') + 1;
    const key = `${slot} ${properties.id}`;
    const n = (tries.get(key) ?? 0) + 1;
    tries.set(key, n);
    const { status, delayMs } = plannedAnswer(properties.id, slot, n);
    const life = Number(request.headers[LIFE_HEADER.toLowerCase()]);
    log.write(arrivalLine({ life, slot, messageId: properties.id, status, bytes: crc32(body) }));
    if (delayMs === 0) answer(response, status);
    else setTimeout(() => answer(response, status), delayMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => say({ type: 'port', port: (server.address() as AddressInfo).port }));

process.on('message', (message: ToReceiver) => {
  if (message.type === 'stop') log.end(() => say({ type: 'done', badSignatures, halfRequests }));
});
process.on('disconnect', () => process.exit(0));
