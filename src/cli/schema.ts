/** `hookbench schema`: the JSON Schema of hookbench.json, for editors. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configJsonSchema } from '../contract/config.ts';
import { terminalText } from '../contract/plain-text.ts';
import { defineCommand } from './command.ts';

export const schemaCommand = defineCommand({
  name: 'schema',
  summary: 'Print the JSON Schema of hookbench.json.',
  options: { out: { type: 'string', value: 'FILE', help: 'Write it to this file instead' } },
  run: async ({ values }) => {
    const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
    if (values.out === undefined) return void process.stdout.write(text);
    const file = resolve(values.out);
    writeFileSync(file, text);
    process.stdout.write(`Wrote ${terminalText(file)}.\n`);
  },
});
