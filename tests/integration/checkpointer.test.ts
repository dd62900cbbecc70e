/** The part of the background thread that moves the store's log into its main file. */
import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { backgroundThread } from '../../src/core/engine/background.ts';
import { checkpointer } from '../../src/core/engine/checkpointer.ts';
import { openStore, storePath } from '../../src/core/store/database.ts';
import type { CheckpointPass } from '../../src/core/store/ports/store.ts';
import { BACKGROUND_WORKER, startEngine } from '../helpers/engine-fixture.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

test('moves the log, and closes the file before its stop resolves', async () => {
  const workspace = tempWorkspace();
  const db = openStore(workspace);
  const state = () => (db.pragma('wal_checkpoint(NOOP)') as Array<{ log: number; checkpointed: number }>)[0]!;
  let passed: (pass: CheckpointPass | null) => void = () => {};
  let hasEnded = false;
  const thread = checkpointer(
    backgroundThread(BACKGROUND_WORKER),
    workspace,
  )({
    passed: (pass) => passed(pass),
    ended: () => {
      hasEnded = true;
    },
  });
  db.prepare("INSERT INTO settings (key, value) VALUES ('filler', ?)").run('x'.repeat(200_000));
  const { log } = state();
  const pass = new Promise<CheckpointPass | null>((resolve) => {
    passed = resolve;
  });
  thread.pass();
  expect(await pass).toEqual({ log, moved: log });
  expect(state().checkpointed).toBe(log);
  await thread.stop();
  db.close();
  // The last handle that closes deletes the log.
  expect([hasEnded, existsSync(`${storePath(workspace)}-wal`)]).toEqual([false, false]);
});

test('works while calls arrive, and ends before the store is closed', async () => {
  const engine = await startEngine({ backgroundThread: true });
  const track = (note: string) => ({ type: 'track', event: 'Big', userId: 'u', properties: { note } });
  const batch = Array.from({ length: 15 }, () => track('x'.repeat(30_000)));
  for (let n = 0; n < 12; n += 1) expect(await engine.post('/v1/batch', { batch })).toBe(200);
  const file = storePath(engine.workspace);
  // Each small call keeps the store from being idle, and the log is far from the 40 MB at which a commit would move it.
  while (statSync(file).size < 4_000_000) expect(await engine.post('/v1/track', track('x'))).toBe(200);
  expect(statSync(`${file}-wal`).size).toBeLessThan(30_000_000);
  await engine.stop();
  expect(existsSync(`${file}-wal`)).toBe(false);
});
