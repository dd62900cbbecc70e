/** What docs/sdks.md says of the clients is what a run gives now. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath } from '../../tools/chromium.mjs';
import { type Bench, startBench } from '../sdk-matrix/bench.ts';
import { runBrowserClients } from '../sdk-matrix/browser.ts';
import { nodeClients, runNodeClient } from '../sdk-matrix/node-clients.ts';
import { runReplays } from '../sdk-matrix/replays.ts';
import { documented, type Line, missingIn } from '../sdk-matrix/table.ts';

const docs = readFileSync(new URL('../../docs/sdks.md', import.meta.url), 'utf8');

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

const KINDS = ['identify', 'track', 'page', 'screen', 'group', 'alias'];
const kindsOf = (lines: readonly Line[]): string[] => lines.map(({ call }) => call);

test.each(nodeClients)('$client $version ($id): every kind of call arrives, as documented', async (client) => {
  const lines = await runNodeClient(bench, client);
  expect(kindsOf(lines)).toEqual(KINDS);
  expect(missingIn(docs, lines)).toEqual([]);
});

// Without Chromium the rows of the browser clients cannot be looked at.
test.skipIf(chromiumPath() === null)(
  'the browser libraries: every kind of call arrives with every setup, as documented',
  async () => {
    const lines = await runBrowserClients(bench);
    expect(lines).toHaveLength(6 * KINDS.length);
    expect(missingIn(docs, lines)).toEqual([]);
  },
);

test('the requests of clients that do not run here arrive, as documented', async () => {
  const lines = await runReplays(bench);
  expect(lines.length).toBeGreaterThan(80);
  expect(missingIn(docs, lines)).toEqual([]);
});

test('a row that no run gives is found', () => {
  const row = documented(docs)[0] as string;
  const [, client = '', version = '', , path = '', keyIn = ''] = row
    .split(' | ')
    .map((cell) => cell.replace(/^\| /, ''));
  const other = { client, version, call: 'track', path: path.replaceAll('`', ''), keyIn, arrivedAs: 'page', notes: '' };
  expect(missingIn(docs, [other])).toHaveLength(1);
});
