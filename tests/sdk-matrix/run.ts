/**
 * `npm run sdk-matrix`: every client that can run here against the real engine, the others as replays, and the table
 * of what arrived. With `--write` the table takes its place in docs/sdks.md. Ends with 1 when a call was lost.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromiumPath } from '../../tools/chromium.mjs';
import { startBench } from './bench.ts';
import { runBrowserClients } from './browser.ts';
import { nodeClients, runNodeClient } from './node-clients.ts';
import { runReplays } from './replays.ts';
import { type Line, markdown, withTable } from './table.ts';

const docs = new URL('../../docs/sdks.md', import.meta.url);
const write = process.argv.includes('--write');

const bench = await startBench();
try {
  const lines: Line[] = [];
  for (const client of nodeClients) lines.push(...(await runNodeClient(bench, client)));
  if (chromiumPath() !== null) lines.push(...(await runBrowserClients(bench)));
  else if (write) throw new Error('There is no Chromium: the table would lose the browser clients.');
  else process.stderr.write('There is no Chromium, so the browser clients are left out.\n');
  lines.push(...(await runReplays(bench)));
  const table = markdown(lines);
  process.stdout.write(`${table}\n`);
  if (write) writeFileSync(docs, withTable(readFileSync(docs, 'utf8'), table));
} finally {
  await bench.stop();
}
