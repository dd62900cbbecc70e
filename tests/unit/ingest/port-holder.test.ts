/** Which program listens on a port, read from a folder that looks like /proc. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findPortHolder } from '../../../src/core/ingest/port-holder.ts';

const lists = vi.hoisted(() => ({ fail: false }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readdir = (path: string) => (lists.fail ? Promise.reject(new Error('EACCES')) : real.readdir(path));
  return { ...real, readdir };
});

let proc = '';
beforeEach(() => {
  lists.fail = false;
  proc = mkdtempSync(join(tmpdir(), 'hookbench-proc-'));
  mkdirSync(join(proc, 'net'));
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (address: string, state: string, inode: string) =>
  `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1\n`;
const table = (name: 'tcp' | 'tcp6', ...lines: string[]) =>
  writeFileSync(join(proc, 'net', name), HEAD + lines.join(''));

/** A process with open sockets; `program` as in its command line, null without one. */
function holds(pid: string, inodes: readonly string[], program: string | null, thread = 'MainThread\n'): void {
  mkdirSync(join(proc, pid, 'fd'), { recursive: true });
  symlinkSync('/dev/null', join(proc, pid, 'fd', '0'));
  for (const [at, inode] of inodes.entries()) symlinkSync(`socket:[${inode}]`, join(proc, pid, 'fd', String(at + 3)));
  writeFileSync(join(proc, pid, 'comm'), thread);
  if (program !== null) writeFileSync(join(proc, pid, 'cmdline'), program);
}
/** 8765 */
const IPV4 = '0100007F:223D';
const IPV6 = '00000000000000000000000001000000:223D';

describe('the holder of a port', () => {
  it.each([
    ['tcp', IPV4, '/usr/bin/node\0server.js\0', 'node'],
    ['tcp6', IPV6, 'nginx: master\0', 'nginx: master'],
    ['tcp', IPV4, null, 'MainThread'],
    ['tcp', IPV4, '', 'MainThread'],
  ] as const)('is found in %s at %s and named by its program %j: %s', async (name, address, program, shown) => {
    table(name, line(address, '0A', '22'));
    holds('48213', ['1', '22'], program);
    expect(await findPortHolder(8765, proc)).toEqual({ name: shown, pid: 48213 });
  });

  it('of a small port is found by its four digits', async () => {
    table('tcp', line('0100007F:0050', '0A', '22'));
    holds('7', ['22'], 'httpd\0');
    expect(await findPortHolder(80, proc)).toEqual({ name: 'httpd', pid: 7 });
  });

  it.each([
    ['is only connected', line(IPV4, '01', '22'), ['22']],
    ['has another port', line('0100007F:223E', '0A', '22'), ['22']],
    ['has it at the other end', line('0100007F:1111', '0A', '22').replace('00000000:0000', IPV4), ['22']],
    ['holds another socket', line(IPV4, '0A', '22'), ['220', '2']],
    ['is not told of', '', ['22']],
    ['is cut off in its line', '   0: 0100007F:223D 00000000:0000 0A', ['undefined']],
  ])('is nobody where the program %s', async (_title, text, inodes) => {
    table('tcp', text);
    holds('48213', inodes, 'node\0');
    expect(await findPortHolder(8765, proc)).toBeNull();
  });

  it('is found past processes that nobody may look into, and past what is no process', async () => {
    table('tcp', line(IPV4, '0A', '22'));
    for (const name of ['1', 'self2', '2x']) mkdirSync(join(proc, name));
    holds('0sys', ['22'], 'no process\0');
    holds('sys0', ['22'], 'no process\0');
    writeFileSync(join(proc, '3'), '');
    holds('9', ['22'], 'node\0');
    expect(await findPortHolder(8765, proc)).toEqual({ name: 'node', pid: 9 });
  });

  it('is nobody where only something that is no process has the socket', async () => {
    table('tcp', line(IPV4, '0A', '22'));
    holds('0sys', ['22'], 'no process\0');
    holds('sys0', ['22'], 'no process\0');
    expect(await findPortHolder(8765, proc)).toBeNull();
  });

  it('is nobody where the processes cannot be listed', async () => {
    table('tcp', line(IPV4, '0A', '22'));
    lists.fail = true;
    expect(await findPortHolder(8765, proc)).toBeNull();
  });

  it('is nobody on a system without /proc', async () => {
    expect(await findPortHolder(8765, join(proc, 'none'))).toBeNull();
    rmSync(join(proc, 'net'), { recursive: true });
    expect(await findPortHolder(8765, proc)).toBeNull();
  });
});
