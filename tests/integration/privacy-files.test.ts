/** What Settings, Privacy says of the folder and the key, beside what a started shell has in its folder. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectContract } from '../../src/contract/channel.ts';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import { connectControlSocket } from '../../src/core/serving/control-socket.ts';
import { startHeadless } from '../../src/headless/shell.ts';
import { filesOf } from '../../src/renderer/screens/settings/privacy/files.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const workerPath = new URL('../../src/core/engine/engine-worker.ts', import.meta.url);

/** What SQLite and the engine keep beside a file while it is open, and locks and sockets. */
const PASSING = /-(wal|shm|journal)$|^lock\.sqlite$|^control\.sock$/;

async function startIn(workspace: string, env: Record<string, string>) {
  const rendererFolder = join(workspace, '..', 'page');
  mkdirSync(rendererFolder, { recursive: true });
  writeFileSync(join(rendererFolder, 'index.html'), 'page');
  const shell = await startHeadless({ workspace, workerPath, rendererFolder, ingestPort: 0, uiPort: 0, env });
  onTestFinished(() => shell.stop());
  const client = connectContract(await connectControlSocket(controlSocketPath(workspace)), () => {});
  return { client, hello: await client.call('app.hello', {}) };
}

test.each([
  ['file', {}],
  ['environment', { HOOKBENCH_KEY: randomBytes(32).toString('base64') }],
] as const)('with the key in the %s, the folder has the files that are named and no others', async (storage, env) => {
  const workspace = join(tempWorkspace(), 'w');
  const { client, hello } = await startIn(workspace, env);
  expect(hello.workspace.keyStorage).toBe(storage);
  await client.call('ingest.authority');
  const named = filesOf({ ...hello.workspace, hasAuthority: true, hasIndex: false }).map(({ name }) => name);
  const there = readdirSync(workspace).filter((name) => !PASSING.test(name));
  expect([...named].sort()).toEqual(there.sort());
  expect(statSync(workspace).mode & 0o777).toBe(0o700);
  for (const name of there) expect([name, statSync(join(workspace, name)).mode & 0o077]).toEqual([name, 0]);
});
