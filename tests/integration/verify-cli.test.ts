/** `hookbench verify --message`: a digest of what a running instance sent. */
import { expect, test } from 'vitest';
import { verifyCommand } from '../../src/cli/verify.ts';
import { signatureOf } from '../../src/core/model/signature.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { runCommand } from '../helpers/run-command.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const SECRET = 'first secret';

async function engineWithMessage(secret?: string) {
  const receiver = await startReceiver({ status: 200 });
  const engine = await startEngine({ config: configOf([receiver.url], { secret }), controlSocket: true });
  await engine.post('/v1/track', { userId: 'u', event: 'A & B', messageId: 'm' });
  await engine.messageWhen('m', ({ state }) => state === 'delivered');
  return { engine, body: receiver.requests[0]!.body, header: receiver.requests[0]!.headers['x-signature'] };
}

/** What the command prints, as JSON, and its exit code. */
async function verify({ workspace }: Pick<RunningEngine, 'workspace'>, signature: string, message = 'm') {
  const args = ['--message', message, '--signature', signature, '--workspace', workspace, '--json'];
  const { code, text } = await runCommand(verifyCommand, args);
  return { code, said: JSON.parse(text) as Record<string, unknown> };
}

test('the X-Signature of an attempt matches, and another digest of its body is explained', async () => {
  const { engine, body, header } = await engineWithMessage(SECRET);
  expect(await verify(engine, String(header))).toMatchObject({
    code: 0,
    said: { kind: 'match', hasOtherSecret: false },
  });
  const escaped = signatureOf(SECRET, Buffer.from(body.toString().replace('&', '\\u0026')));
  expect(await verify(engine, escaped)).toMatchObject({
    code: 1,
    said: { kind: 'explained', changes: ['html'], hashed: { difference: { field: 'event' } } },
  });
});

test('after the secret has changed it says so', async () => {
  const { engine, body, header } = await engineWithMessage(SECRET);
  await engine.client.call('destination.setSecret', { secret: 'second secret' });
  const { code, said } = await verify(engine, String(header));
  expect([code, said.kind, said.hasOtherSecret, said.text]).toEqual([
    1,
    'unexplained',
    true,
    expect.stringContaining('The shared secret has changed since this attempt'),
  ]);
  expect(await verify(engine, signatureOf('second secret', body))).toMatchObject({
    code: 0,
    said: { hasOtherSecret: true },
  });
});

test('what cannot be verified is named', async () => {
  const { engine } = await engineWithMessage();
  await expect(verify(engine, '00')).rejects.toMatchObject({ code: 'no_secret' });
  await expect(verify(engine, '00', 'other')).rejects.toThrow(
    'No attempt was made for a message with the messageId other.',
  );
  await expect(engine.client.call('signature.explain', { attemptId: 999, digest: '' })).rejects.toMatchObject({
    code: 'attempt_not_found',
  });
  await expect(verify({ workspace: tempWorkspace() }, '00')).rejects.toMatchObject({ code: 'not_running' });
});
