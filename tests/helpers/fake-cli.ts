/** The command line beside the stand-in engine, run from its sources: what bin/hookbench.mjs starts, without a build. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../src/cli/run.ts';
import { removeAtExit } from '../../tools/remove-folder.mjs';
import { fakeAttempts, fakeMessages } from './fake-values.ts';

const rendererFolder = mkdtempSync(join(tmpdir(), 'hookbench-page-'));
removeAtExit(rendererFolder);
writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><meta name="csp-nonce" content="__NONCE__">');

process.exitCode = await runCli(process.argv.slice(2), {
  workerPath: new URL('./fake-engine-worker.ts', import.meta.url),
  rendererFolder,
  openOffline: (workspace) => {
    if (!workspace.includes('stored')) throw Object.assign(new Error('none'), { code: 'no_store' });
    return { listMessages: fakeMessages, listAttempts: fakeAttempts, listSources: () => [], close: () => {} };
  },
});
