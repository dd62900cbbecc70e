/** Processor time of a program with every process that it has started. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its own and that of its ended children, in ticks. */
  readonly ticks: number;
}

function processOf(pid: number): Process | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    // It has ended since the folder was read.
    return null;
  }
}

/** In seconds, so far. PostgreSQL has a process for each connection. */
export function cpuSeconds(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)))
    .filter((one) => one !== null);
  const ticksBelow = (pid: number): number =>
    all.filter(({ parent }) => parent === pid).reduce((sum, one) => sum + one.ticks + ticksBelow(one.pid), 0);
  return ((all.find(({ pid }) => pid === root)?.ticks ?? 0) + ticksBelow(root)) / TICKS_A_SECOND;
}
