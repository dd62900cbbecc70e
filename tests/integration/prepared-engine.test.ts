/** An engine's thread that is started before its options are known. */
import { expect, onTestFinished, test } from 'vitest';
import { startEngineThread } from '../../src/core/engine/engine-thread.ts';
import { PreparedEngine } from '../../src/core/engine/prepared-engine.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const path = new URL('../../src/core/engine/engine-worker.ts', import.meta.url);
const options = () => ({
  workspace: tempWorkspace(),
  version: '1',
  shell: 'headless' as const,
  secretKeyBase64: Buffer.alloc(32, 7).toString('base64'),
  controlSocket: false,
  ingestPort: 0,
});

test('the prepared thread serves the first start, and a later start gets one of its own', async () => {
  const prepared = new PreparedEngine(path);
  for (let start = 0; start < 2; start += 1) {
    const engine = await startEngineThread(prepared, options());
    onTestFinished(() => engine.stop());
    const answer = await fetch(`http://127.0.0.1:${engine.info.listener.port}/health`);
    expect(answer.status).toBe(200);
    await engine.stop();
    expect(await engine.exited).toBeNull();
  }
}, 240_000);

test('a thread that cannot load its modules fails the start with its reason, and not before', async () => {
  const prepared = new PreparedEngine(new URL('./no-such-worker.ts', import.meta.url));
  const start = startEngineThread(prepared, options());
  await expect(start).rejects.toMatchObject({
    code: 'engine_failed',
    message: expect.stringContaining('no-such-worker'),
  });
}, 240_000);
