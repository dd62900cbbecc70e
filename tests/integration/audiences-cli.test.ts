/** `hookbench audiences` on a running engine, over its local socket. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { audiencesCommand } from '../../src/cli/audiences.ts';
import type { CliParts } from '../../src/cli/command.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

async function started(status = 200) {
  const receiver = await startReceiver({ status });
  const engine = await startEngine({ config: configOf([receiver.url]), controlSocket: true });
  const run = async (...args: string[]): Promise<{ text: string; code: number | undefined }> => {
    let text = '';
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      text += String(chunk);
      return true;
    });
    onTestFinished(() => write.mockRestore());
    try {
      const given = [...args, '--workspace', engine.workspace];
      return { code: (await audiencesCommand.run(given, {} as CliParts, {})) ?? undefined, text };
    } finally {
      write.mockRestore();
    }
  };
  return { engine, receiver, run };
}

test('adds an audience, edits its members, shows what a sync sends, syncs it and removes it', async () => {
  const { receiver, run } = await started();
  expect((await run()).text).toBe('No audience yet.\n');
  expect((await run('add', 'VIP (EU)', '--user', 'a', '--user', 'b')).text).toBe(
    'Added VIP (EU)  vip_eu  2 members, not synced yet.\n',
  );
  const file = join(tempWorkspace(), 'more.csv');
  writeFileSync(file, 'user_id,email\nc,c@test\n,d@test\na,a@test\n');
  expect((await run('members', 'VIP (EU)', '--remove', 'b', '--file', file)).text).toBe(
    'VIP (EU): 1 added, 1 removed, 2 members now.\nline 3: user_id is empty\n',
  );
  const dry = JSON.parse((await run('sync', 'VIP (EU)', '--dry-run', '--json')).text) as { bodies: unknown[] };
  expect(dry.bodies).toMatchObject([
    { type: 'identify', userId: 'a', traits: { vip_eu: true } },
    { type: 'identify', userId: 'c', traits: { vip_eu: true } },
  ]);
  expect(receiver.requests).toHaveLength(0);
  expect(await run('sync', 'VIP (EU)', '--wait')).toEqual({
    text: 'Done: 2 delivered, 0 failed, 0 waiting.\n',
    code: 0,
  });
  expect(await run('sync', 'VIP (EU)', '--wait')).toEqual({ text: 'Nothing to send.\n', code: 0 });
  expect(JSON.parse((await run('--json')).text)).toMatchObject([
    { name: 'VIP (EU)', counts: { members: 2, toAdd: 0 } },
  ]);
  expect((await run('remove', 'VIP (EU)')).text).toContain('Removed VIP (EU).');
  expect((await run()).text).toBe('No audience yet.\n');
});

test('a sync with a failed call ends with exit code 1', async () => {
  const { run } = await started(422);
  await run('add', 'A', '--user', 'a');
  expect(await run('sync', 'A', '--wait')).toEqual({ text: 'Done: 0 delivered, 1 failed, 0 waiting.\n', code: 1 });
});

test('names what is missing', async () => {
  const { run } = await started();
  await expect(run('sync')).rejects.toThrow('takes the NAME of an audience');
  await expect(run('sync', 'two', 'words')).rejects.toThrow('"two words"');
  await expect(run('grow', 'A')).rejects.toThrow('not "grow"');
  await expect(run('sync', 'None')).rejects.toThrow('There is no audience "None".');
});
