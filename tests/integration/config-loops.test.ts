/** A config file whose webhook leads to Hookbench itself is refused before anything is taken over. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectContract } from '../../src/contract/channel.ts';
import { configSchema } from '../../src/contract/config.ts';
import { type HeadlessOptions, type HeadlessShell, startHeadless } from '../../src/headless/shell.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const workerPath = new URL('../../src/core/engine/engine-worker.ts', import.meta.url);

function start(config: object, options: Partial<HeadlessOptions> = {}): Promise<HeadlessShell> {
  const workspace = options.workspace ?? tempWorkspace();
  const rendererFolder = join(workspace, 'page');
  mkdirSync(rendererFolder, { recursive: true });
  writeFileSync(join(rendererFolder, 'index.html'), 'page');
  const ports = { ingestPort: 0, uiPort: 0 };
  const all = {
    workspace,
    workerPath,
    rendererFolder,
    ...ports,
    config: configSchema.parse(config),
    env: {},
    ...options,
  };
  return startHeadless(all).then((shell) => {
    onTestFinished(() => shell.stop());
    return shell;
  });
}

const to = (url: string, more: object = {}): object => ({ webhooks: { entries: [{ name: 'w', url }] }, ...more });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const refused = { code: 'config_invalid', message: expect.stringMatching(/^webhooks\.entries\[0\]\.url: .*itself/) };

describe('a webhook of the file may not lead to', () => {
  test.each<[string, object, Partial<HeadlessOptions>]>([
    ['the port for calls of the command line', to('http://localhost:45991/v1/track'), { ingestPort: 45_991 }],
    [
      'the port for calls of the file',
      to('http://127.0.0.1:45992/v1/track', { ingest: { port: 45_992 } }),
      { ingestPort: undefined },
    ],
    ['the port for calls by default', to('http://[::1]:8765/'), { ingestPort: undefined }],
    ['the port for calls over https of the command line', to('https://localhost:45993/'), { httpsPort: 45_993 }],
    [
      'the port for calls over https of the file',
      to('https://localhost:45994/', { ingest: { https: { enabled: true, port: 45_994 } } }),
      {},
    ],
    [
      'the default port for calls over https when the file turns it on',
      to('https://localhost:8768/', { ingest: { https: { enabled: true } } }),
      {},
    ],
  ])('%s', async (_title, config, options) => {
    await expect(start(config, options)).rejects.toMatchObject(refused);
  });

  test('the port of the interface, in the file or later', async () => {
    const uiPort = await freePort();
    await expect(start(to(`http://localhost:${uiPort}/x`), { uiPort })).rejects.toMatchObject(refused);
    const shell = await start({}, { uiPort });
    const port = shell.engine.connect()!;
    const client = connectContract(port, () => {});
    const webhook = { name: 'w', url: `http://127.0.0.1:${uiPort}/`, headers: [], enabled: true };
    await expect(client.call('webhooks.save', webhook)).rejects.toMatchObject({ code: 'loop_url', field: 'url' });
    port.close();
  });

  test('and nothing of such a file is taken over', async () => {
    const workspace = tempWorkspace();
    const config = to('http://localhost:45991/', { sources: [{ name: 'new', writeKey: 'wk_new' }] });
    await expect(start(config, { workspace, ingestPort: 45_991 })).rejects.toMatchObject(refused);
    const shell = await start({}, { workspace });
    const port = shell.engine.connect()!;
    const { sources, webhooks } = (await connectContract(port, () => {}).call('app.hello', {})).parts;
    expect([sources.map(({ name }) => name), webhooks]).toEqual([[expect.not.stringMatching('new')], []]);
    port.close();
  });
});

test('receivers, a https port that is off, and a port that the command line replaces are allowed', async () => {
  for (const url of ['http://localhost:8766/r/ok', 'https://localhost:8768/', 'http://localhost:8765/'])
    await (await start(to(url))).stop();
});
