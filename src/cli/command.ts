/** What a command of the command line is, and how its words and options are parsed. */
import type { ServeParts } from '../headless/serve.ts';
import { type Options, parseOptions, parseWordsAndOptions, UsageError, type Values } from '../shell/option-table.ts';
import type { Environment } from '../shell/start-options.ts';
import type { Reader } from './query.ts';

/** What differs between the built program and the tests. */
export interface CliParts extends ServeParts {
  /** Opens the stored file read-only; throws an error with code `no_store` when there is none. */
  readonly openOffline: OpenOffline;
}

export type OpenOffline = (workspace: string) => Reader | Promise<Reader>;

/** One command of the command line. Its table of options drives the parsing and the help. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The words of which it takes one or none, such as `pause`. */
  readonly words?: readonly string[];
  /** What follows a word, or the name of a command without words, such as `NAME`. */
  readonly argument?: string;
  readonly options: Options;
  /** Gives the exit code, or nothing for 0. Throws a {@link UsageError} when the arguments are wrong. */
  readonly run: (args: readonly string[], parts: CliParts, env: Environment) => Promise<number> | Promise<void>;
}

interface Given<Table extends Options, Word> {
  readonly values: Values<Table>;
  /** Undefined when the command line has none. */
  readonly word: Word | undefined;
  readonly parts: CliParts;
  readonly env: Environment;
}

interface Definition<Table extends Options, Word extends string> extends Omit<Command, 'run'> {
  readonly words?: readonly Word[];
  /** Turns a word as people write it into one of `words`. */
  readonly spelling?: (word: string) => string;
  readonly options: Table;
  readonly run: (given: Given<Table, Word>) => Promise<number> | Promise<void>;
}

/** A command that is given its words and options parsed, with their types. */
export function defineCommand<const Table extends Options, const Word extends string = never>(
  definition: Definition<Table, Word>,
): Command {
  return {
    ...definition,
    run: (args, parts, env) => definition.run({ ...parseArguments(definition, args), parts, env }),
  };
}

function parseArguments<Table extends Options, Word extends string>(
  { name, words, spelling = (word) => word, options }: Omit<Definition<Table, Word>, 'run'>,
  args: readonly string[],
): Pick<Given<Table, Word>, 'values' | 'word'> {
  if (words === undefined) return { values: parseOptions(options, args), word: undefined };
  const given = parseWordsAndOptions(options, args);
  if (given.words.length === 0) return { values: given.values, word: undefined };
  const text = given.words.join(' ');
  const word = words.find((one) => one === spelling(text));
  if (word === undefined)
    throw new UsageError(`hookbench ${name} takes ${alternatives(words)}, not ${JSON.stringify(text)}.`);
  return { values: given.values, word };
}

const alternatives = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
