/**
 * The engine in a process of its own, with a probe beside it: how long its event loop stood still, how much memory
 * it took, and whether anything it was sent has changed the built-in objects. Driven over the process channel.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { systemIds } from '../../src/core/adapters/ids.ts';
import { createSystemRandom } from '../../src/core/adapters/random.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import { openStores } from '../../src/core/store/stores.ts';
import type { EngineFacts, FromEngine, ToEngine } from './engine.ts';

const [workspace, configText] = process.argv.slice(2) as [string, string];
const send = (message: FromEngine): void => void process.send!(message);

const PROTOTYPES = [Object, Array, String, Number, Boolean, Function, Map, Set, Promise, Uint8Array, Buffer, Error];
/** What JSON from outside could add to or take from the built-in objects. */
const fingerprint = (): string =>
  JSON.stringify([
    ...PROTOTYPES.map((type) => Reflect.ownKeys(type.prototype).map(String)),
    Object.getPrototypeOf(Object.prototype),
    Reflect.ownKeys(JSON).map(String),
  ]);
const before = fingerprint();

let errors = 0;
let longestMs = 0;
let longestCpuMs = 0;
let lastAt = performance.now();
let lastCpu = process.threadCpuUsage();

/** A timer of 1 ms that comes late has waited for something; its own processor time tells work from a busy machine. */
function tick(): void {
  const at = performance.now();
  const cpu = process.threadCpuUsage();
  longestMs = Math.max(longestMs, at - lastAt);
  longestCpuMs = Math.max(longestCpuMs, (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / 1000);
  lastAt = at;
  lastCpu = cpu;
}

function statusMb(field: 'VmHWM' | 'VmRSS'): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss() / 2 ** 20;
  const kb = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kb) / 1024;
}

/** Blocks count anew after each call. */
function facts(): EngineFacts {
  tick();
  const longest = { longestMs, longestCpuMs };
  longestMs = 0;
  longestCpuMs = 0;
  return {
    ...longest,
    rssMb: statusMb('VmRSS'),
    peakMb: statusMb('VmHWM'),
    builtInsUntouched: fingerprint() === before && ({} as { polluted?: unknown }).polluted === undefined,
    errors,
  };
}

/** From here on peaks count anew. */
function reset(): void {
  globalThis.gc?.();
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
  longestMs = 0;
  longestCpuMs = 0;
  lastAt = performance.now();
  lastCpu = process.threadCpuUsage();
}

const engine = new Engine(
  {
    workspace,
    version: '0.0.0-corpus',
    shell: 'headless',
    config: JSON.parse(configText),
    ingestPort: 0,
    controlSocket: false,
  },
  {
    clock: systemClock,
    timers: systemTimers,
    random: createSystemRandom(),
    ids: systemIds,
    logger: {
      log: (level, event, fields = {}) => {
        if (level !== 'error') return;
        errors += 1;
        process.stderr.write(`${event} ${JSON.stringify(fields)}\n`);
      },
    },
    sealer: createSealer(Buffer.alloc(32, 7)),
    transport: ({ ownPorts, authorities }) =>
      createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
    readFile: readFileSync,
    openStore: openStores,
  },
);

process.on('message', (message: ToEngine) => {
  if (message === 'reset') reset();
  else if (message === 'stop') return void engine.stop().then(() => process.disconnect());
  send({ type: 'facts', facts: facts() });
});

const info = await engine.start();
setInterval(tick, 1).unref();
reset();
send({ type: 'ready', port: info.listener.port });
