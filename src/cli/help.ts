/** The help, made from the tables of the commands. */
import type { Options, Switch, TextOption } from '../shell/option-table.ts';
import type { Command } from './command.ts';

/** Where the second column begins, and where it ends. */
const COLUMN = 22;
const WIDTH = 100;

/** The text cut between words into lines that fit the second column. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && COLUMN + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A term and what it means; a term that is too long for its column has a line of its own. */
function entry(term: string, meaning: string): string {
  const lines = wrapped(meaning);
  const first = term.length < COLUMN ? `${term.padEnd(COLUMN)}${lines.shift()}` : term;
  return [first, ...lines.map((line) => `${' '.repeat(COLUMN)}${line}`)].join('\n');
}

/** `--name VALUE`, or `--name` for a switch. */
export const optionUsage = (name: string, option: Switch | TextOption): string =>
  option.type === 'boolean' ? `--${name}` : `--${name} ${option.value}`;

const optionEntries = (options: Options): string[] =>
  Object.entries(options).map(([name, option]) => entry(`  ${optionUsage(name, option)}`, option.help));

export const commandUsage = ({ name, words, argument }: Command): string => {
  if (words === undefined) return argument === undefined ? `hookbench ${name}` : `hookbench ${name} ${argument}`;
  return `hookbench ${name} [${words.join(' | ')}${argument === undefined ? '' : ` ${argument}`}]`;
};

/** One command with its options. */
export const commandHelp = (command: Command): string =>
  [entry(commandUsage(command), command.summary), ...optionEntries(command.options)].join('\n');

export const helpOf = (commands: readonly Command[]): string => `Hookbench: the Segment pipeline on your desk.

${commands.map(commandHelp).join('\n\n')}

hookbench help NAME   Show one command.
hookbench --version

Exit codes: 0 done, 1 failed, 2 wrong command line or config file, 3 a port is in use,
4 another instance has the workspace.
`;
