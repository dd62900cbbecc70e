/**
 * Many clients at once: each opens a connection of its own and makes one call; how long the slowest waits for its
 * answer, from the moment the connection was asked for (docs/benchmarks.md). Prints one JSON line; exit code 1 when
 * one waits over a second or is not answered 200.
 *
 *   node bench/connections.ts [--sockets 2000] [--base DIR]
 *
 * `--base DIR` measures the engine whose `core` folder this is: before and after.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { sockets: { type: 'string', default: '2000' }, base: { type: 'string' } } });
const SOCKETS = Number(values.sockets);
const GOAL_MS = 1_000;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function requestOf(n: number, host: string): string {
  const body = JSON.stringify({ messageId: `c-${host}-${n}`, userId: 'u', event: 'E' });
  const lines = [
    'POST /v1/track HTTP/1.1',
    'Host: localhost',
    `Authorization: Basic ${Buffer.from('bench:').toString('base64')}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Milliseconds to the answer; null when there was none, or another than 200. */
function callOnce(port: number, host: string, n: number): Promise<number | null> {
  const from = performance.now();
  return new Promise((done) => {
    let status = '';
    let took: number | null = null;
    const socket = connect({ port, host }, () => socket.write(requestOf(n, host)));
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      status += text;
      took ??= performance.now() - from;
    });
    socket.on('error', () => {});
    socket.on('close', () => done(status.startsWith('HTTP/1.1 200') ? took : null));
  });
}

/** Connections of the whole system that found a full queue since it started; null where Linux does not say. */
function overflows(): number | null {
  try {
    const [names = '', counts = ''] = readFileSync('/proc/net/netstat', 'utf8')
      .split('\n')
      .filter((text) => text.startsWith('TcpExt:'));
    return Number(counts.split(' ')[names.split(' ').indexOf('ListenOverflows')]);
  } catch {
    return null;
  }
}

async function measure(port: number, host: string) {
  const before = overflows();
  const all = await Promise.all(Array.from({ length: SOCKETS }, (_, n) => callOnce(port, host, n)));
  const after = overflows();
  const times = all.filter((one) => one !== null).sort((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
  return {
    host,
    answered: times.length,
    medianMs: at(0.5),
    slowestMs: at(1),
    overASecond: times.filter((ms) => ms > GOAL_MS).length,
    overflows: before === null || after === null ? null : after - before,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'hookbench-connections-'));
const engine = spawn(
  process.execPath,
  [here('ingest-engine.ts'), folder, resolve(values.base ?? here('../src/core'))],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = (await once(createInterface({ input: engine.stdout }), 'line')) as [string];
const { port } = JSON.parse(line) as { port: number };
// An engine that has just started is slow at everything.
await measure(port, 'localhost');
const results = [await measure(port, '127.0.0.1'), await measure(port, '::1')];
engine.kill('SIGTERM');
await once(engine, 'exit');
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ sockets: SOCKETS, results }));
if (results.some(({ answered, overASecond }) => answered < SOCKETS || overASecond > 0)) process.exitCode = 1;
