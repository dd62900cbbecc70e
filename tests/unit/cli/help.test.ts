import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CliParts, Command } from '../../../src/cli/command.ts';
import { commands } from '../../../src/cli/commands.ts';
import { commandUsage, helpOf, optionUsage } from '../../../src/cli/help.ts';
import type { Options } from '../../../src/shell/option-table.ts';
import { desktopOptionTable } from '../../../src/shell/start-options.ts';

const PAGE = '../../../docs/cli.md';
const docs = readFileSync(new URL(PAGE, import.meta.url), 'utf8');
const parts = {} as CliParts;

/** The longest line of the options. */
const WIDTH = 104;

function linesOf(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.join('\n');
}

const optionWords = (options: Options): string[] =>
  Object.entries(options).map(([name, option]) => {
    const usage = optionUsage(name, option);
    return option.type === 'string' && option.required ? usage : `[${usage}]`;
  });

describe('docs/cli.md and the tables of options', () => {
  test('it has every option of the desktop app; -u writes them there', async () => {
    const options = linesOf(optionWords(desktopOptionTable));
    await expect(docs.replace(/```\n.*?\n```/s, () => `\`\`\`\n${options}\n\`\`\``)).toMatchFileSnapshot(PAGE);
  });

  test('it speaks of no option that is in no table', () => {
    const known = [...commands.map(({ options }) => options), desktopOptionTable].flatMap(Object.keys);
    const named = [...docs.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !known.includes(name) && !['version', 'help'].includes(name))).toEqual([]);
  });
});

describe('the help', () => {
  const help = helpOf(commands);

  test('it says for every command and option what it does', () => {
    const flat = help.replace(/\s+/g, ' ');
    for (const command of commands) {
      expect(flat).toContain(`${commandUsage(command)} ${command.summary}`);
      for (const [name, option] of Object.entries(command.options))
        expect(flat).toContain(`${optionUsage(name, option)} ${option.help}`);
    }
  });

  test('it fits a terminal of 100 columns', () => {
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('its second column begins at the same place in every line', () => {
    expect(help).toContain('\nhookbench doctor      Check whether the store is sound, while no instance runs on it.\n');
    expect(help).toContain('\n  --limit N           At most N messages (50; with --json all)\n');
    expect(help).toContain(
      '\n  --receivers-https-port N\n                      The port of receivers over https (8767); 0 takes any free one\n',
    );
  });
});

describe('what a command line may hold', () => {
  const named = (name: string) => commands.find((command) => command.name === name) as Command;
  const failureOf = async (name: string, ...args: string[]) => {
    try {
      await named(name).run(args, parts, {});
    } catch (error) {
      return error as { code: string; message: string };
    }
    throw new Error('It did not fail.');
  };

  test.each(commands.filter(({ name }) => name !== 'serve').map(({ name }) => name))(
    'hookbench %s refuses an option that its table does not have',
    async (name) => {
      expect(await failureOf(name, '--nothing')).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('--nothing'),
      });
    },
  );

  test('a command without words refuses one', async () => {
    expect(await failureOf('doctor', 'now')).toMatchObject({ code: 'usage', message: expect.stringContaining('now') });
  });

  test('a command with words takes one of them at most, and says which there are', async () => {
    expect(await failureOf('delivery', 'stop')).toMatchObject({
      code: 'usage',
      message: 'hookbench delivery takes pause or resume, not "stop".',
    });
    expect(await failureOf('clock', 'pause', '60')).toMatchObject({
      code: 'usage',
      message: 'hookbench clock takes 1, 10, 60, 240, pause, resume or step, not "pause 60".',
    });
  });

  test('a speed of the clock may be written with its sign', async () => {
    for (const speed of ['60', '60x', '60×'])
      expect(await failureOf('clock', speed, '--workspace', '/nowhere')).toMatchObject({ code: 'not_running' });
  });
});
