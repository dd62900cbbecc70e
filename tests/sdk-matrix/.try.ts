import { startBench } from './bench.ts';
import { nodeClients, runNodeClient } from './node-clients.ts';
import { runReplays } from './replays.ts';
import { markdown, type Line } from './table.ts';
const bench = await startBench();
const lines: Line[] = [];
try {
for (const client of nodeClients) { try { lines.push(...(await runNodeClient(bench, client))); } catch (e) { console.log('FAIL', client.id, e); } }
try { lines.push(...(await runReplays(bench))); } catch (e) { console.log('FAIL', e); }
console.log(markdown(lines));
} finally { await bench.stop(); }
