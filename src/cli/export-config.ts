/** `hookbench export-config`: the settings of a running instance as a config file, without secrets. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { terminalText } from '../contract/plain-text.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { withRunning } from './running.ts';

/** Prints the file, or writes it and says so. Standard error says which variables stand for secrets in it. */
export const exportConfigCommand = defineCommand({
  name: 'export-config',
  summary: 'Print the settings of a running instance as a hookbench.json, without secrets.',
  options: {
    out: { type: 'string', value: 'FILE', help: 'Write it to this file instead' },
    workspace: workspaceOption,
  },
  run: async ({ values, env }) => {
    const workspace = workspaceFolder(values.workspace, env);
    const { text, variables } = await withRunning(workspace, ({ call }) => call('config.export'));
    if (values.out === undefined) process.stdout.write(terminalLines(text));
    else {
      const file = resolve(values.out);
      writeFileSync(file, text);
      process.stdout.write(`Wrote ${terminalText(file)}.\n`);
    }
    if (variables.length > 0) process.stderr.write(`Set before a start with it: ${variables.join(', ')}.\n`);
  },
});

/** A parser reads the same values, and a terminal obeys nothing in them. */
const terminalLines = (text: string): string => text.split('\n').map(terminalText).join('\n');
