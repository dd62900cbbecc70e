/** `hookbench replay` on a running engine, over its local socket. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replayCommand } from '../../src/cli/replay.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { runCommand } from '../helpers/run-command.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

async function started() {
  const [crm, other] = [await startReceiver(), await startReceiver({ status: 422 })];
  onTestFinished(() => crm.close());
  onTestFinished(() => other.close());
  const config = configOf([{ name: 'CRM', url: crm.url }], { secret: 'a secret' });
  const engine = await startEngine({ config, controlSocket: true });
  for (const id of ['m-1', 'm-2']) {
    await engine.post('/v1/track', { userId: 'u', event: `Event ${id}`, messageId: id });
    await engine.final(id);
  }
  const before = crm.requests.length;
  const again = () => crm.requests.slice(before);
  const run = (...args: string[]) => runCommand(replayCommand, [...args, '--workspace', engine.workspace]);
  const rows = async (...args: string[]) => {
    const { code, text } = await run(...args, '--json');
    return {
      code,
      rows: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  };
  /** One after another, and then the last one for ever. */
  const answerWith = (...statuses: number[]) => {
    let n = -1;
    crm.setAnswer(() => {
      n = Math.min(n + 1, statuses.length - 1);
      return { status: statuses[n]! };
    });
  };
  return { other, again, run, rows, answerWith };
}

test('sends messages to every webhook that is on, in the order given, and prints a table', async () => {
  const { again, run } = await started();
  const { code, text } = await run('m-2', 'm-1', '--rate', '100');
  expect(code).toBe(0);
  expect(again().map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event)).toEqual([
    'Event m-2',
    'Event m-1',
  ]);
  const lines = text.trim().split('\n');
  expect(lines[0]).toMatch(/^MESSAGE ID +TARGET +OUTCOME +STATUS +MS +SENT$/);
  expect(lines.slice(1).map((line) => line.split(/\s+/).filter((_, i) => i !== 4))).toEqual([
    ['m-2', 'CRM', 'accepted', '200', 'delivered'],
    ['m-1', 'CRM', 'accepted', '200', 'delivered'],
  ]);
});

test('sends other bytes and headers to another URL; what is not accepted ends with exit code 1', async () => {
  const { other, again, rows } = await started();
  const file = join(tempWorkspace(), 'body.json');
  writeFileSync(file, '{ "n": 1.50 }');
  const sent = await rows('m-1', '--to', other.url, '--body', file, '--header', 'X-Try: two', '--unsigned');
  expect(sent.code).toBe(1);
  expect(sent.rows).toMatchObject([
    { message: 'm-1', url: other.url, outcome: 'declined', status: 422, sent: 'edited' },
  ]);
  expect(other.requests[0]!.body.toString()).toBe('{ "n": 1.50 }');
  expect(other.requests[0]!.headers).toMatchObject({ 'x-try': 'two' });
  expect(other.requests[0]!.headers['x-signature']).toBeUndefined();
  expect(again()).toHaveLength(0);
});

test('stops at the first success, which then is the exit code', async () => {
  const { other, again, rows } = await started();
  const sent = await rows('m-1', '--to', other.url, '--to', 'CRM', '--first-success');
  // Webhooks stand before other URLs.
  expect(sent).toMatchObject({ code: 0, rows: [{ webhookName: 'CRM', outcome: 'accepted' }] });
  expect([again().length, other.requests.length]).toEqual([1, 0]);
  expect((await rows('m-1', '--to', other.url, '--to', 'CRM')).code).toBe(1);
});

test('tries again what fails, and ends with how the last try went', async () => {
  const { again, rows, answerWith } = await started();
  answerWith(500, 200);
  const sent = await rows('m-1', '--retry');
  expect(sent).toMatchObject({ code: 0, rows: [{ outcome: 'failed' }, { outcome: 'accepted' }] });
  expect(again()).toHaveLength(2);
});

test('a dry run says what would be sent and sends nothing', async () => {
  const { again, rows, run } = await started();
  const dry = await rows('m-1', '--to', '1', '--dry-run');
  expect(dry).toMatchObject({ code: 0, rows: [{ message: 'm-1', sent: 'delivered', targets: ['CRM'] }] });
  expect(JSON.parse(String(dry.rows[0]!.body))).toMatchObject({ event: 'Event m-1' });
  expect((await run('m-1', '--dry-run')).text).toMatch(/^m-1: \d+ bytes, delivered, to CRM\n$/);
  expect(again()).toHaveLength(0);
});

test('a dry run refuses what a replay would refuse', async () => {
  const { again, run } = await started();
  for (const [code, ...args] of [
    ['invalid_url', '--to', 'http://'],
    ['invalid_url', '--to', 'http://ada:secret@127.0.0.1:1/x'],
    ['invalid_header', '--header', 'Host: other'],
    ['invalid_header', '--to', 'http://127.0.0.1:1/x', '--header', 'Bad Name: x'],
  ] as const) {
    await expect(run('m-1', ...args)).rejects.toMatchObject({ code });
    await expect(run('m-1', ...args, '--dry-run')).rejects.toMatchObject({ code });
  }
  expect(again()).toHaveLength(0);
});

test('a target that is named twice is one', async () => {
  const { other, rows } = await started();
  const dry = await rows('m-1', '--to', '1', '--to', 'CRM', '--to', other.url, '--to', other.url, '--dry-run');
  expect(dry.rows).toMatchObject([{ targets: ['CRM', other.url] }]);
});

test('an empty filter sends nothing, and says how to send everything', async () => {
  const { again, run } = await started();
  for (const filter of ['', '  '])
    await expect(run('--filter', filter)).rejects.toThrow(
      "every message. To send them all, give a time: --filter 'aft",
    );
  expect((await run('--filter', 'after:2000-01-01', '--rate', '100')).code).toBe(0);
  expect(again()).toHaveLength(2);
});

test('of a filter sends what matches, in the order received', async () => {
  const { again, run } = await started();
  expect((await run('--filter', 'type:track', '--rate', '100')).code).toBe(0);
  expect(again().map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event)).toEqual([
    'Event m-1',
    'Event m-2',
  ]);
  expect((await run('--filter', 'type:identify', '--json')).text).toBe('');
});

test('sends the newest first when asked, or sorts named messages', async () => {
  const { again, run } = await started();
  const events = () => again().map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event);
  await run('--filter', 'type:track', '--order', 'newest', '--rate', '100');
  expect(events()).toEqual(['Event m-2', 'Event m-1']);
  await run('m-2', 'm-1', '--order', 'oldest', '--rate', '100');
  expect(events().slice(2)).toEqual(['Event m-1', 'Event m-2']);
});

test.each([
  [['m-9'], 'There is no message with the messageId m-9.'],
  [[], 'Name the messages by their messageId, or with --filter.'],
  [['m-1', '--filter', 'type:track'], 'Name messages, or give --filter, not both.'],
  [['--filter', 'nosuch:1'], '--filter: '],
  [['m-1', '--to', 'nobody'], 'there is no webhook and no receiver of this name'],
  [['m-1', 'm-2', '--body', 'x'], '--body takes one message.'],
  [['m-1', '--rate', '0'], '--rate takes a number from 1 to 100'],
  [['m-1', '--order', 'random'], '--order takes oldest or newest'],
  [['m-1', '--header', 'x'], "--header takes 'Name: value'"],
  [['m-1', '--body', '/nowhere/at/all'], 'cannot be read'],
])('wrong words are refused and nothing is sent: %j', async (args, reason) => {
  const { again, run } = await started();
  await expect(run(...args)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(reason) });
  expect(again()).toHaveLength(0);
});
