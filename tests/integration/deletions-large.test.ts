/** Erasing from a store that is too large to be rewritten while it runs. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDeletionWorld } from '../helpers/deletion-world.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const CALL_BYTES = 31_000;
/** 80 requests of 15 calls: 37 MB. */
const REQUESTS = 80;

test('says that files may hold erased bytes until the next start has cleared them', async () => {
  const [folder, key] = [tempWorkspace(), randomBytes(32)];
  const world = await startDeletionWorld({ folder, key });
  for (let n = 0; n < REQUESTS; n++) {
    const filler = randomBytes(CALL_BYTES / 2).toString('hex');
    const batch = Array.from({ length: 15 }, () => ({
      type: 'track',
      event: 'E',
      userId: 'kept',
      properties: { filler },
    }));
    await world.post('/v1/batch', { batch }, 'wk_app');
  }
  await world.post('/v1/identify', { userId: 'gone', traits: { email: 'gone@example.test' } }, 'wk_app');
  await world.pass(50);
  const { id } = await world.call('deletions.create', { userIds: ['gone'], erase: true });
  const files = async (of: typeof world) => (await of.finished(id)).search!.files;
  expect(await files(world)).toBe('next_start');
  await world.until(world.engine.stop());

  const again = await startDeletionWorld({ folder, key });
  expect(await files(again)).toBe('cleared');
  await again.until(again.engine.stop());
  const found = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('gone@example.test'));
  expect(found).toEqual([]);
});
