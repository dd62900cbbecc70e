/** `hookbench doctor`: checks whether the store of a workspace is sound, and saves what it can of a damaged one. */

import { jsonText, terminalText } from '../contract/plain-text.ts';
import { EngineStartError } from '../core/engine/engine-thread.ts';
import type { Examined, Repaired } from '../core/store/doctor.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function tellExamined({ store, problems }: Examined): void {
  if (problems.length === 0) return say(terminalText(`${store} is sound.`));
  say(terminalText(`${store} is damaged:`));
  for (const problem of problems) say(terminalText(`  ${problem}`));
  say('hookbench doctor --repair puts what can be read into a new file and keeps this one aside.');
}

function tellRepaired({ store, aside, tables }: Repaired): void {
  say(terminalText(`${store} is a new file. The damaged one is ${aside}.`));
  for (const { table, kept, lost } of tables) {
    if (kept === 0 && lost === 0) continue;
    say(`  ${table}: ${kept} kept, ${lost === null ? 'an unknown number' : lost} lost`);
  }
}

/** Runs `run`. If an engine holds the workspace, it fails with the error and exit code of a second engine. */
function heldByNone<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'workspace_in_use') throw error;
    throw new EngineStartError('workspace_in_use', `${(error as Error).message} Stop it first.`);
  }
}

/** Ends with 1 when the store is damaged and stays so. Rejects with a `UsageError` or a `StoreOpenError`. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check whether the store is sound, while no instance runs on it.',
  options: {
    repair: { type: 'boolean', help: 'Copy what can be read into a new file and keep the damaged one aside' },
    workspace: workspaceOption,
    json: { type: 'boolean', help: 'Print one JSON object: problems, and rows kept and lost by table' },
  },
  run: async ({ values, env }) => {
    const workspace = workspaceFolder(values.workspace, env);
    // Loaded here alone: serving must not load SQLite into this thread.
    const { examine, repair } = await import('../core/store/doctor.ts');
    const examined = heldByNone(() => examine(workspace));
    const isSound = examined.problems.length === 0;
    if (isSound || values.repair !== true) {
      if (values.json === true) say(jsonText({ ...examined, sound: isSound }));
      else tellExamined(examined);
      return isSound ? exitCodes.ok : exitCodes.failed;
    }
    const repaired = repair(workspace, Date.now());
    if (values.json === true) say(jsonText({ ...examined, sound: true, repaired }));
    else tellRepaired(repaired);
    return exitCodes.ok;
  },
});
