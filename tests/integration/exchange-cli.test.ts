/** `hookbench export` and `hookbench import` against running instances. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { exportCommand } from '../../src/cli/export.ts';
import { importCommand } from '../../src/cli/import.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { runCommand } from '../helpers/run-command.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const run = (command: Command, ...args: string[]) => runCommand(command, args);
const start = (): Promise<RunningEngine> => startEngine({ config: configOf([]), controlSocket: true });

test('what one instance exports, another one imports', async () => {
  const [here, there] = [await start(), await start()];
  await here.client.call('messages.sendSample');
  await here.client.call('messages.sendSample');
  const file = join(tempWorkspace(), 'calls.ndjson');

  const wrote = await run(exportCommand, '--workspace', here.workspace, '--out', file);
  expect(wrote).toEqual({ code: 0, text: `Wrote 2 messages to ${file}.\n` });
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ name }) => name)).toEqual(['Signed Up', 'Signed Up']);

  writeFileSync(file, `${readFileSync(file, 'utf8')}\n{"type":"track","userId":"\\u001b[2J"}\n`);
  const read = await run(importCommand, file, '--workspace', there.workspace);
  expect(read).toEqual({
    code: 1,
    text: '2 imported, 0 there already, 1 refused.\nline 4: A track call needs an event name.\n',
  });
  const again = await run(importCommand, file, '--json', '--workspace', there.workspace);
  expect(JSON.parse(again.text)).toMatchObject({ format: 'ndjson', read: 3, imported: 0, duplicates: 2, refused: 1 });
  const { rows } = await there.client.call('messages.list', { filter: {}, limit: 10 });
  expect(rows.map(({ origin, messageId }) => [origin, messageId])).toEqual(
    lines.map(({ messageId }) => ['import', messageId]).reverse(),
  );
});

test('an export of one message goes to standard output, with a field masked', async () => {
  const here = await start();
  const { messageId } = await here.client.call('messages.sendSample');
  await here.client.call('messages.sendSample');
  const row = (await here.message(messageId))!;
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const asked = ['--workspace', here.workspace, '--id', String(row.id), '--redact', 'userId', '--redact', 'nowhere'];
  const { text: out } = await run(exportCommand, ...asked);
  expect(errors.mock.calls.join()).toContain('nothing was masked at nowhere');
  errors.mockRestore();
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(out)).toMatchObject({ messageId, userId: '[masked]' });
  expect(out).not.toContain('user-42');
});

test('a path of --redact that no exported message has is told on standard error, and nothing else of it', async () => {
  const here = await start();
  await here.client.call('messages.sendSample');
  await here.client.call('messages.sendSample');
  await here.client.call('exports.save', { mask: ['traits.nowhere'] });
  const told = async (...more: string[]): Promise<{ code: number; errors: string[] }> => {
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const { code } = await run(exportCommand, '--workspace', here.workspace, ...more);
      return { code, errors: errors.mock.calls.map(([text]) => String(text)) };
    } finally {
      errors.mockRestore();
    }
  };
  const out = ['--out', join(tempWorkspace(), 'calls.ndjson')];
  const paths = ['userId', 'traits.emial', 'properties.\u001b'].flatMap((path) => ['--redact', path]);
  for (const way of [out, [...out, '--format', 'har']])
    expect(await told(...way, ...paths)).toEqual({
      code: 0,
      errors: [
        'hookbench: nothing was masked at traits.emial: no exported message has it.\n',
        'hookbench: nothing was masked at properties.\\u001b: no exported message has it.\n',
      ],
    });
  expect(await told(...out, '--redact', 'userId', '--redact', 'event')).toEqual({ code: 0, errors: [] });
  expect(await told(...out, '--redact', 'traits.emial', '--filter', 'absent')).toEqual({ code: 0, errors: [] });
});

test('the fields that the settings mask are masked beside those of --redact, and not with --unmasked', async () => {
  const here = await start();
  await here.client.call('messages.sendSample');
  await here.client.call('exports.save', { mask: ['userId'] });
  const exported = async (...more: string[]) =>
    JSON.parse((await run(exportCommand, '--workspace', here.workspace, ...more)).text) as Record<string, unknown>;
  expect(await exported()).toMatchObject({ userId: '[masked]', name: 'Signed Up' });
  expect(await exported('--redact', 'event')).toMatchObject({ userId: '[masked]', name: '[masked]' });
  expect(await exported('--unmasked')).toMatchObject({ userId: 'user-42', name: 'Signed Up' });
  expect(await exported('--unmasked', '--redact', 'event')).toMatchObject({ userId: 'user-42', name: '[masked]' });
});

test('an export with a filter has the messages that it selects', async () => {
  const here = await start();
  await here.client.call('messages.sendSample');
  const exported = (filter: string) => run(exportCommand, '--workspace', here.workspace, '--filter', filter);
  const all = await exported('type:track');
  const none = await exported('type:page');
  expect([all.text.split('\n').length - 1, none.text]).toEqual([1, '']);
  await expect(run(exportCommand, '--workspace', here.workspace, '--filter', 'type:nothing')).rejects.toThrow(
    '--filter',
  );
});

test('curl commands are written for the shell that was asked for, and sh runs its own', async () => {
  const here = await start();
  await here.client.call('messages.sendSample');
  const exported = async (...more: string[]) =>
    (await run(exportCommand, '--workspace', here.workspace, '--format', 'curl', ...more)).text;
  const sh = await exported('--shell', 'sh');
  const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  expect(sh.replaceAll(times, '')).toBe((await exported()).replaceAll(times, ''));
  const folder = tempWorkspace();
  writeFileSync(join(folder, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin`, WRITE_KEY: 'wk $(id)' };
  const sent = execFileSync('/bin/sh', ['-c', sh], { env, encoding: 'utf8' }).trimEnd().split('\n');
  expect(sent).toContain('wk $(id):');
  expect(JSON.parse(sent.at(-1)!)).toMatchObject({ event: 'Signed Up' });
  expect(() => execFileSync('/bin/sh', ['-c', sh], { env: { PATH: env.PATH }, stdio: 'pipe' })).toThrow('WRITE_KEY');
  expect(await exported('--shell', 'powershell')).toMatch(/^\ufeff# Calls .*\$env:WRITE_KEY[\s\S]*curl\.exe -K/);
  expect(await exported('--shell', 'cmd')).toMatch(/^@echo off\r\nrem Calls [\s\S]*certutil/);
});

test('a wrong format, a wrong id and a missing file are told before anything is done', async () => {
  await expect(run(exportCommand, '--format', 'xml')).rejects.toThrow('--format takes one of ndjson, har');
  await expect(run(exportCommand, '--shell', 'sh')).rejects.toThrow('--shell goes with --format curl.');
  await expect(run(exportCommand, '--format', 'curl', '--shell', 'fish')).rejects.toMatchObject({
    code: 'usage',
    message: '--shell takes one of sh, powershell, cmd, not "fish".',
  });
  await expect(run(exportCommand, '--id', '0')).rejects.toThrow('--id takes a row id');
  await expect(run(importCommand)).rejects.toThrow('takes one FILE');
  await expect(run(importCommand, '/nowhere/calls.ndjson')).rejects.toThrow('ENOENT');
});
