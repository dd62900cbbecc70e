/** The command line with the real engine, run from its sources: what bin/hookbench.mjs starts, without a build. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../src/cli/run.ts';
import { removeAtExit } from '../../tools/remove-folder.mjs';

const rendererFolder = mkdtempSync(join(tmpdir(), 'hookbench-page-'));
removeAtExit(rendererFolder);
writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><meta name="csp-nonce" content="__NONCE__">');

const receiversWorker = join(import.meta.dirname, '../../src/core/receivers/receivers-worker.ts');

process.exitCode = await runCli(process.argv.slice(2), {
  workerPath: new URL('../../src/core/engine/engine-worker.ts', import.meta.url),
  // Only a demo takes free ports for its receivers.
  receiversWorker: process.argv[2] === 'demo' || process.env.HOOKBENCH_DEMO_WORKSPACE ? receiversWorker : undefined,
  rendererFolder,
  openOffline: async (workspace) => (await import('../../src/core/engine/offline.ts')).openOffline(workspace),
});
