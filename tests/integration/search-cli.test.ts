/** `hookbench search` on a running engine, over its local socket. */
import { expect, test } from 'vitest';
import { searchCommand, searchText } from '../../src/cli/search.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { runCommand } from '../helpers/run-command.ts';

const said = async (...args: string[]): Promise<string> => (await runCommand(searchCommand, args)).text;

test('the command line shows the index, makes it again and turns it off and on', async () => {
  const engine = await startEngine({ config: configOf([]), controlSocket: true, searchFrom: 1 });
  const workspace = ['--workspace', engine.workspace];
  const batch = Array.from({ length: 200 }, (_, n) => ({ type: 'track', event: `Event ${n}`, userId: 'usr_a' }));
  await engine.post('/v1/batch', { batch });
  const indexed = () =>
    engine.until(async () => {
      const view = await engine.client.call('search.get');
      return view.state === 'ready' && view.indexed === 191 ? view : undefined;
    });
  const { bytes } = await indexed();
  const line = `The search index has 191 of 200 messages, in ${(bytes / 1024 / 1024).toFixed(1)} MB.\n`;
  expect(await said(...workspace)).toBe(line);
  expect(JSON.parse(await said('rebuild', '--json', ...workspace))).toMatchObject({ total: 200, message: null });
  await indexed();
  expect(await said('off', ...workspace)).toBe('The search index is off: a search reads every message.\n');
  await said('on', ...workspace);
  await indexed();
});

test('an index that is not whole says how far it is, and one that failed says why', () => {
  const view = { state: 'building', indexed: 450, total: 1_000, bytes: 0, message: null } as const;
  expect(searchText(view)).toBe('The search index has 450 of 1000 messages (45 %). A search reads the others.');
  expect(searchText({ ...view, state: 'failed', message: 'disk full' })).toContain('failed: disk full.');
  expect(searchText({ ...view, state: 'small', total: 0 })).toContain('reads every message');
});
