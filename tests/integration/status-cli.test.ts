/** `hookbench status`, and the count of lost moves in it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CliParts } from '../../src/cli/command.ts';
import { runCli } from '../../src/cli/run.ts';
import { statusCommand, statusLines } from '../../src/cli/status.ts';
import { connectContract } from '../../src/contract/channel.ts';
import type { ChangeBatch } from '../../src/contract/live.ts';
import type { StatusView } from '../../src/contract/values.ts';
import { expire } from '../../src/core/model/moves.ts';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import { serveControlSocket } from '../../src/core/serving/control-socket.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { runCommand } from '../helpers/run-command.ts';
import { startSimEngine } from '../helpers/sim-engine.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

async function engineWithSocket(...config: Parameters<typeof configOf>): Promise<RunningEngine> {
  const engine = await startEngine({ config: configOf(...config) });
  const socket = await serveControlSocket(controlSocketPath(engine.workspace), (channel) =>
    channel.onClose(engine.engine.connect(channel)),
  );
  onTestFinished(() => socket.close());
  return engine;
}

const status = async ({ workspace }: RunningEngine, ...args: string[]): Promise<string> =>
  (await runCommand(statusCommand, [...args, '--workspace', workspace])).text;

test('says where it listens, whether it delivers, and what it holds by state', async () => {
  const engine = await engineWithSocket([]);
  const nothing = ['Nothing is sent: no webhook is set up.', 'No messages.', ''];
  expect((await status(engine)).split('\n')).toEqual([`Hookbench listens for calls on ${engine.ingest}.`, ...nothing]);
  await engine.post('/v1/track', { userId: 'u', event: 'E' });
  await engine.post('/v1/track', { userId: 'u' });
  expect(await status(engine)).toMatch(/\n2 messages: 1 rejected, 1 not selected\.\n$/);
});

test('a move that found its message elsewhere is counted, and said only then', async () => {
  const receiver = await startReceiver({ status: 500 });
  // No second round begins while the test looks.
  const engine = await engineWithSocket([receiver.url], { speed: 1 });
  const before = JSON.parse(await status(engine, '--json')) as StatusView;
  expect([before.lostMoves, await status(engine)]).toEqual([0, expect.not.stringContaining('lost')]);
  await engine.post('/v1/track', { userId: 'u', event: 'E', messageId: 'm' });
  const { id } = await engine.messageWhen('m', ({ state }) => state === 'retrying');
  // Both look at the message before either is committed, so that one move finds it elsewhere.
  const { dispatcher } = engine.engine.parts;
  expect(await Promise.all([dispatcher.stopMessage(id), dispatcher.stopMessage(id)])).toEqual([true, false]);
  const after = JSON.parse(await status(engine, '--json')) as StatusView;
  expect(after.lostMoves).toBe(1);
  expect(await status(engine)).toContain(
    '\n1 message: 1 stopped.\n' +
      '1 move was lost since the start, because its message was no longer in the expected state. ' +
      'The log has it as move_lost.\n',
  );
  expect(statusLines({ ...after, lostMoves: 2 }).at(-1)).toMatch(/^2 moves were lost since the start, because their/);
});

test('clients hear of a lost move though no commit comes with it', async () => {
  const { engine, open, pass } = await startSimEngine();
  const batches: ChangeBatch[] = [];
  const client = connectContract(open(), (batch) => void batches.push(batch));
  onTestFinished(() => client.close());
  const hello = client.call('app.hello', {});
  await pass(2_000);
  expect((await hello).parts.status.lostMoves).toBe(0);
  batches.length = 0;
  const from = { id: 1, state: 'queued', round: 0, cells: '.....', nextDueAt: 1 } as const;
  engine.parts.dispatcher.lostMoves.add(expire({ ...from, firstAttemptAt: null, windowEndsAt: null }, 1));
  await pass(2_000);
  expect(batches.flatMap(({ parts }) => parts.status?.lostMoves ?? [])).toEqual([1]);
});

test('without an instance it says so and ends with 1', async () => {
  const errors: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => errors.push(String(chunk)) > 0);
  onTestFinished(() => write.mockRestore());
  expect(await runCli(['status'], {} as CliParts, { HOOKBENCH_WORKSPACE: tempWorkspace() })).toBe(1);
  expect(errors.join('')).toContain('not_running');
});
