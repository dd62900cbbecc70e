import { expect, test } from 'vitest';
import { startEngine } from '../helpers/engine-fixture.ts';
import { filterOf } from '../helpers/filters.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

test('saved filters are there after a restart, and a source that is gone stays in them by its id', async () => {
  const setup = { workspace: tempWorkspace(), key: Buffer.alloc(32, 7) };
  const all = {
    filters: [
      { name: 'Big orders', filter: filterOf('properties.total>100 -type:page') },
      { name: 'Of a source', filter: filterOf('source:#99') },
    ],
    hidden: ['replays' as const],
  };
  const before = await startEngine(setup);
  expect((await before.client.call('app.hello', {})).parts.savedFilters).toEqual({ filters: [], hidden: [] });
  expect(await before.client.call('filters.save', all)).toEqual(all);
  await before.stop();
  const after = await startEngine(setup);
  expect((await after.client.call('app.hello', {})).parts.savedFilters).toEqual(all);
});

test('a list with a filter that the engine cannot read is refused whole', async () => {
  const { client } = await startEngine();
  const odd = { filters: [{ name: 'x', filter: { states: ['failed'] } as never }], hidden: [] };
  await expect(client.call('filters.save', odd)).rejects.toMatchObject({ code: 'invalid_argument' });
});
