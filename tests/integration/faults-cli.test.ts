/** `hookbench faults` on a running engine, over its local socket; and the same rules over https. */
import { request } from 'node:https';
import { expect, onTestFinished, test, vi } from 'vitest';
import { faultsCommand } from '../../src/cli/faults.ts';
import { runCli } from '../../src/cli/run.ts';
import type { FaultRuleInput } from '../../src/contract/faults.ts';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import { serveControlSocket } from '../../src/core/serving/control-socket.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { sendTo } from '../helpers/fault-client.ts';
import { runCommand } from '../helpers/run-command.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

async function engineWithSocket(): Promise<RunningEngine> {
  const engine = await startEngine({ config: configOf([]) });
  const socket = await serveControlSocket(controlSocketPath(engine.workspace), (channel) =>
    channel.onClose(engine.engine.connect(channel)),
  );
  onTestFinished(() => socket.close());
  return engine;
}

const RATE_LIMITED: FaultRuleInput = {
  action: { kind: 'status', status: 429, retryAfter: 2 },
  when: { mode: 'first', requests: 1 },
};

test('the command line tells how faults stand, turns them off and on, and prints the report', async () => {
  const engine = await engineWithSocket();
  const faults = async (...args: string[]) =>
    (await runCommand(faultsCommand, [...args, '--workspace', engine.workspace])).text;
  expect(await faults()).toBe('Ingest faults are off.\n');
  await expect(faults('on')).rejects.toMatchObject({
    code: 'no_fault_rules',
  });
  await engine.client.call('faults.save', {
    on: true,
    rules: [RATE_LIMITED, { action: { kind: 'empty' }, on: false }],
  });
  expect((await sendTo(engine.ingest, { messageIds: ['m|1'] })).status).toBe(429);
  expect(await faults()).toBe(
    "Ingest faults are on:\n  The first of each client's requests gets 429 with Retry-After 2. 1 time so far.\n",
  );
  expect(await faults('report')).toContain('## plain 1.0');
  const isTTY = process.stdout.isTTY;
  process.stdout.isTTY = true;
  try {
    expect(await faults('report')).toMatch(/^plain 1\.0\n.*\n[^|#\\]*$/);
  } finally {
    process.stdout.isTTY = isTTY;
  }
  expect(JSON.parse(await faults('report', '--json'))).toMatchObject([{ messages: 1, faulted: 1 }]);
  expect(await faults('off')).toBe('Ingest faults are off.\n');
  expect((await sendTo(engine.ingest)).status).toBe(200);
  expect(JSON.parse(await faults('on', '--json'))).toMatchObject({ on: true, active: true });
});

test('a word that it does not know is a wrong command line; without an instance it says so', async () => {
  const env = { HOOKBENCH_WORKSPACE: tempWorkspace() };
  const errors: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => errors.push(String(chunk)) > 0);
  onTestFinished(() => write.mockRestore());
  const parts = {} as Parameters<typeof runCli>[1];
  expect(await runCli(['faults', 'maybe'], parts, env)).toBe(2);
  expect(await runCli(['faults', 'on', 'off'], parts, env)).toBe(2);
  expect(await runCli(['faults'], parts, env)).toBe(1);
  expect(errors.join('')).toContain('No instance runs on');
});

test.each<[string, FaultRuleInput, Partial<{ status: number; error: string }>]>([
  ['a status', { action: { kind: 'status', status: 503 } }, { status: 503 }],
  ['a reset before reading', { action: { kind: 'reset', when: 'before' } }, { status: 0, error: 'ECONNRESET' }],
  ['a reset after reading', { action: { kind: 'reset', when: 'after' } }, { status: 0, error: 'ECONNRESET' }],
  ['a stall', { action: { kind: 'stall', ms: 50 } }, { status: 0, error: 'ECONNRESET' }],
  ['a slow answer', { action: { kind: 'drip', bytesPerSecond: 200 } }, { status: 200 }],
])('over https too, %s is what a client gets', async (_, rule, expected) => {
  const engine = await startEngine({ config: configOf([]) });
  const { port } = await engine.client.call('ingest.https', { enabled: true, port: 0 });
  const ca = (await engine.client.call('ingest.authority')).pem;
  await engine.client.call('faults.save', { on: true, rules: [rule] });
  const ended = await new Promise<{ status: number; error?: string }>((resolve) => {
    const sent = request(
      { host: 'localhost', port, path: '/v1/track', method: 'POST', ca, agent: false, auth: `${WRITE_KEY}:` },
      (answer) => answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0 })),
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ status: 0, error: error.code ?? error.message }));
    sent.end(JSON.stringify({ userId: 'u', event: 'E', messageId: 'm' }));
  });
  expect(ended).toMatchObject(expected);
  expect((await engine.client.call('faults.get')).hits).toBe(1);
});

test('calls without a messageId count as requests in the report', async () => {
  const engine = await engineWithSocket();
  await engine.client.call('faults.save', { on: true, rules: [{ action: { kind: 'status', status: 503 } }] });
  const call = { type: 'track', userId: 'u', event: 'E' };
  expect(await engine.post('/v1/batch', { batch: [call, { ...call, messageId: 'named' }] })).toBe(503);
  expect(await engine.post('/v1/track', call)).toBe(503);
  const { client } = await engine.client.call('faults.report', {});
  expect(client).toMatchObject({ requests: 2, faulted: 2, messages: 1, nameless: { calls: 2, taken: 0 } });
});
