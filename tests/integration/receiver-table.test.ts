/** The short form of `npm run receiver-table`: the same program, measured in a process of its own. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReceiverTable } from '../../bench/receiver-table.ts';
import { LIMIT_MS, type TableRow, tableKinds } from '../helpers/receiver-table.ts';

/** Every attempt ends this soon after its limit (reliability, goal 5), by the timers of a machine that may be busy. */
const GRACE_MS = 250;
const MAX_KEPT = 64 * 1024;

/** Of one attempt, or of 200 that hang, in the process of both sides, with room for a collection or a compilation. */
const MAX_CPU_MS = 400;
const MAX_PEAK_MB = 40;
const atMost = (most: number) => expect.toSatisfy((n: number) => n <= most, `at most ${most}`);

let table: ReceiverTable;
beforeAll(async () => {
  const script = new URL('../../bench/receiver-table.ts', import.meta.url).pathname;
  const args = [script, '--refusals', '500', '--hanging', '200', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  table = JSON.parse(stdout) as ReceiverTable;
});

const rowOf = (group: string, name: string): TableRow =>
  table.rows.find((row) => row.group === group && row.name === name)!;

describe('a receiver of every kind', () => {
  it.each(tableKinds)('$group: $name', ({ group, name, expected, endless, silent }) => {
    const row = rowOf(group, name);
    const { outcome, reason = null, status = null, cut = false } = expected;
    expect(row).toMatchObject({ outcome, reason, status, cut });
    if (expected.kept !== undefined) expect(row.kept).toBe(expected.kept);
    expect(row.kept).toBeLessThanOrEqual(MAX_KEPT);
    if (!endless) expect([row.cpuMs, row.peakMb]).toEqual([atMost(MAX_CPU_MS), atMost(MAX_PEAK_MB)]);
    expect(row.ms).toBeLessThanOrEqual((row.timerMs ?? LIMIT_MS) + GRACE_MS);
    if (endless) expect(row.sinceCallMs).toBeGreaterThanOrEqual(LIMIT_MS - 5);
    if (silent) expect(row.bytesToServer).toBe(0);
  });
});

it('the documents have these kinds, and say how many', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const documented = [...read('docs/receivers-table.md').matchAll(/^\| (.+?) \| \w+/gm)].map(([, name]) => name);
  expect(documented).toEqual(['kind', ...tableKinds.map(({ name }) => name)]);
  expect(read('README.md')).toContain(`${tableKinds.length} kinds of receivers`);
});

describe('all of them together', () => {
  it('leave at most 30 MB behind in the process that met them', () => {
    expect(table.rssGrowthMb).toBeLessThanOrEqual(30);
  });

  it('end at 5.00 to 5.25 s (p99) by the timers of the machine when 200 hang at once', () => {
    expect(table.hanging.least).toBeGreaterThanOrEqual(LIMIT_MS - 5);
    expect(table.hanging.p99Late).toBeLessThanOrEqual(GRACE_MS);
    // Work that held the timers up as well would be seen here.
    expect(table.hanging.cpuMs).toBeLessThanOrEqual(MAX_CPU_MS);
  });

  it.each(['refusedCertificates', 'refusedConnections'] as const)(
    'hold no memory and no connection: %s',
    (refusals) => {
      expect(table[refusals].attempts).toBe(500);
      expect(table[refusals].growthMb).toBeLessThanOrEqual(5);
      expect(table[refusals].connectionsLeft).toBe(0);
    },
  );
});
