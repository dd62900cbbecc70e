/**
 * Kill runs (reliability, K1 and K2) with three processes: a producer, `hookbench serve` and a receiver. `serve` is
 * killed at random times or ends itself at named failpoints, and starts again on the same workspace. The run is judged
 * by the logs of the producer and the receiver.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../tools/remove-folder.mjs';
import { Killer } from './killer.ts';
import type { FromProducer, FromReceiver } from './messages.ts';
import { randomOf, reaches } from './plan.ts';
import { freePort, startChild, stopChild } from './processes.ts';
import { type KillOptions, type KillReport, reportOf } from './report.ts';
import { workspaceOf } from './serve.ts';

/** Runs everything and cleans up. A run without violations proves the judge's rules. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const random = randomOf(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-kill-'));
  const logs = { acknowledged: join(folder, 'acknowledged.log'), arrivals: join(folder, 'arrivals.log') };
  const children: ChildProcess[] = [];
  let killer: Killer | null = null;
  try {
    const receiver = await startChild<Extract<FromReceiver, { type: 'port' }>>('receiver.ts', [logs.arrivals]);
    children.push(receiver.child);
    const setup = {
      cli: options.cli,
      folder,
      ingestPort: await freePort(),
      receiverPort: receiver.first.port,
      withReplays: reaches(options.plan, 'replay_written'),
    };
    const producer = await startChild<FromProducer>('producer.ts', [
      logs.acknowledged,
      String(setup.ingestPort),
      String(options.perSecond),
    ]);
    children.push(producer.child);
    const startedAt = performance.now();
    killer = new Killer(options, setup, random);
    const last = await killer.killAll();
    const loadSeconds = (performance.now() - startedAt) / 1000;
    const produced = await stopChild<Extract<FromProducer, { type: 'done' }>>(producer.child);
    const seconds = (performance.now() - startedAt) / 1000;
    const settledMs = await killer.settle();
    await killer.stop(last);
    const received = await stopChild<Extract<FromReceiver, { type: 'done' }>>(receiver.child);
    const load = { seconds, loadSeconds, settledMs, produced, received, logs };
    return await reportOf(options, workspaceOf(folder), killer.seen(), load);
  } finally {
    killer?.abandon();
    for (const child of children) if (child.connected) child.disconnect();
    await removeFolder(folder);
  }
}
