/** `hookbench audiences` on a running engine, over its local socket. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audiencesCommand } from '../../src/cli/audiences.ts';
import type { Command } from '../../src/cli/command.ts';
import { traitsCommand } from '../../src/cli/traits.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { runCommand } from '../helpers/run-command.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

async function started(status = 200) {
  const receiver = await startReceiver({ status });
  const engine = await startEngine({ config: configOf([receiver.url]), controlSocket: true });
  const runOf =
    (command: Command) =>
    (...args: string[]) =>
      runCommand(command, [...args, '--workspace', engine.workspace]);
  return { engine, receiver, run: runOf(audiencesCommand), traits: runOf(traitsCommand) };
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

function jsonFile(value: unknown): string {
  const file = join(tempWorkspace(), 'definition.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

test('adds an audience by the rule of a file, and syncs it', async () => {
  const { engine, receiver, run } = await started();
  await engine.post('/v1/identify', { userId: 'a', traits: { plan: 'pro' } });
  await engine.post('/v1/identify', { userId: 'b', traits: { plan: 'free' } });
  const rule = { match: 'all', of: [{ kind: 'trait', path: 'plan', test: { op: 'is', value: 'pro' } }] };
  expect((await run('add', 'Pro', '--rule', jsonFile(rule))).text).toMatch(
    /^Added Pro {2}pro {2}(1 member|not counted yet), not synced/,
  );
  expect((await run('sync', 'Pro', '--wait')).text).toBe('Done: 1 delivered, 0 failed, 0 waiting.\n');
  const told = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as { userId: string; traits: object });
  expect(told.filter(({ traits }) => 'pro' in traits)).toMatchObject([{ userId: 'a', traits: { pro: true } }]);
  const wrong = { match: 'all', of: [{ kind: 'trait', path: '', test: { op: 'exists' } }] };
  await expect(run('add', 'Wrong', '--rule', jsonFile(wrong))).rejects.toThrow('of.0.path');
  await expect(run('add', 'Wrong', '--rule', jsonFile('[]'))).rejects.toThrow('no JSON object');
  await expect(run('add', 'Wrong', '--rule', jsonFile(rule), '--user', 'a')).rejects.toThrow('--rule, or from --user');
});

test('adds a computed trait, shows what a sync sends, syncs it and removes it', async () => {
  const { engine, receiver, traits } = await started();
  expect((await traits()).text).toBe('No trait yet.\n');
  for (const total of [1.5, 2, '9']) await engine.track('Order Completed', { userId: 'a', properties: { total } });
  await engine.track('Order Started', { userId: 'b', properties: { total: 7 } });
  const sum = ['--sum', 'properties.total', '--event', 'Order Completed', '--days', '90'];
  expect((await traits('add', 'Lifetime value', ...sum)).text).toMatch(
    /^Added Lifetime value {2}lifetime_value {2}([1-9] values?|not counted yet)/,
  );
  const dry = await traits('sync', 'Lifetime value', '--dry-run');
  expect(dry.text).toMatch(/^The first sync sends 1 call\. Nothing is sent yet\.\n\{.*"lifetime_value": ?3\.5/);
  expect((await traits('sync', 'Lifetime value', '--wait')).text).toBe('Done: 1 delivered, 0 failed, 0 waiting.\n');
  expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()))).toContainEqual(
    expect.objectContaining({ type: 'identify', userId: 'a', traits: { lifetime_value: 3.5 } }),
  );
  expect((await traits('sync', 'Lifetime value')).text).toBe('Nothing to send.\n');
  expect((await traits()).text).toBe('Lifetime value  lifetime_value  1 value, in sync\n');
  expect(JSON.parse((await traits('--json')).text)).toMatchObject([{ kind: 'trait', computes: 'sum' }]);
  expect((await traits('remove', 'Lifetime value')).text).toContain('Removed Lifetime value.');
});

test.each([
  [['--count'], { kind: 'count', event: null, path: null, withinMs: null }],
  [['--first-seen', '--event', 'E'], { kind: 'first_seen', event: 'E', path: null }],
  [['--last', 'properties.a'], { kind: 'last', path: 'properties.a' }],
  [['--most-frequent', 'properties.a', '--days', '2'], { kind: 'most_frequent', withinMs: 172_800_000 }],
  [['--unique-list', 'properties.a', '--property', 'all_a'], { kind: 'unique_list' }],
])('adds a trait by options: %j', async (given, definition) => {
  const { engine, traits } = await started();
  const { id, property } = JSON.parse((await traits('add', 'T', ...given, '--json')).text) as {
    id: number;
    property: string;
  };
  expect(property).toBe(given.includes('--property') ? 'all_a' : 't');
  const { source } = await engine.client.call('audiences.get', { id });
  expect(source).toMatchObject({ by: 'computed', definition });
});

test('a trait takes one definition, from a file or by options', async () => {
  const { traits } = await started();
  const file = jsonFile({ kind: 'count', where: [{ path: 'properties.a', test: { op: 'is', value: 1 } }] });
  expect((await traits('add', 'T', '--definition', file)).text).toContain('Added T');
  await expect(traits('add', 'U')).rejects.toThrow('takes one of');
  await expect(traits('add', 'U', '--count', '--sum', 'properties.a')).rejects.toThrow('takes one of');
  await expect(traits('add', 'U', '--definition', file, '--days', '3')).rejects.toThrow('--definition, or');
  await expect(traits('add', 'U', '--count', '--days', '0')).rejects.toThrow('whole number of days');
  await expect(traits('sync', 'U')).rejects.toThrow('There is no trait "U".');
});
