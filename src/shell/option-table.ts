/** Tables of command-line options. One table drives both the parsing and the help. */
import { parseArgs } from 'node:util';

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
}

interface Described {
  /** What the help says of the option. */
  readonly help: string;
}

export interface Switch extends Described {
  readonly type: 'boolean';
}

export interface TextOption extends Described {
  readonly type: 'string';
  /** What stands for the value in the help, such as `DIR`. */
  readonly value: string;
  /** True: the command line may repeat the option. */
  readonly multiple?: true;
  readonly required?: true;
}

export type Options = Readonly<Record<string, Switch | TextOption>>;

/** What the command line gave for each option; undefined when it gave nothing. */
export type Values<Table extends Options> = {
  readonly [Name in keyof Table]?: Table[Name] extends Switch
    ? boolean
    : Table[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string;
};

/** Throws a {@link UsageError} for an option or a word that the table does not have. */
export function parseOptions<Table extends Options>(options: Table, args: readonly string[]): Values<Table> {
  return parseCommandLine(options, args, false).values;
}

/** As {@link parseOptions}, with the words between the options. */
export function parseWordsAndOptions<Table extends Options>(
  options: Table,
  args: readonly string[],
): { readonly values: Values<Table>; readonly words: readonly string[] } {
  return parseCommandLine(options, args, true);
}

function parseCommandLine<Table extends Options>(options: Table, args: readonly string[], allowPositionals: boolean) {
  try {
    const { values, positionals } = parseArgs({ args: withValues(options, args), options, allowPositionals });
    return { values: values as Values<Table>, words: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** No option has one letter alone, so what begins with one dash can be a value: `--filter -status:delivered`. */
function withValues(options: Options, args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const takesIt = before.startsWith('--') && options[before.slice(2)]?.type === 'string' && /^-[^-]/.test(arg);
    if (takesIt && !joined.includes('--')) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}
