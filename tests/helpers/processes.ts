/** Reads processes and listening sockets from /proc, for tests of leftovers. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const tryRead = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

/** An empty or short text would name processes of others, which a test may then kill. */
const LEAST_CHARACTERS = 10;

/** Processes whose command line holds this text, which must be long enough to be a test's own. */
export function processesWith(text: string): number[] {
  if (text.length < LEAST_CHARACTERS) throw new Error(`"${text}" is too short to name processes of one test.`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => tryRead(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').includes(text))
    .map(Number);
}

/** Ports that a process listens on, lowest first, without repeats. */
export function listeningPorts(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`)
      .map((handle) => tryRead(() => readlinkSync(`/proc/${pid}/fd/${handle}`), ''))
      .map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]),
  );
  const rows = ['tcp', 'tcp6']
    .flatMap((table) =>
      tryRead(() => readFileSync(`/proc/net/${table}`, 'utf8'), '')
        .split('\n')
        .slice(1),
    )
    .map((line) => line.trim().split(/\s+/));
  const ports = rows
    .filter((columns) => columns[3] === '0A' && inodes.has(columns[9]))
    .map((columns) => Number.parseInt(columns[1]?.split(':')[1] ?? '', 16));
  return [...new Set(ports)].sort((a, b) => a - b);
}
