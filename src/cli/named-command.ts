/** A command that takes one of several words and, after it, a name: `hookbench audiences sync "VIP Customers"`. */
import { type Options, parseWordsAndOptions, UsageError, type Values } from '../shell/option-table.ts';
import type { Environment } from '../shell/start-options.ts';
import type { Command } from './command.ts';

interface Definition<Table extends Options, Word extends string> extends Omit<Command, 'run'> {
  readonly words: readonly Word[];
  /** What stands for the name in the help. */
  readonly argument: string;
  readonly options: Table;
  readonly run: (given: {
    readonly values: Values<Table>;
    readonly word: Word | undefined;
    readonly argument: string | undefined;
    readonly env: Environment;
  }) => Promise<number>;
}

/** Throws a {@link UsageError} for another word, or for more than one name. */
export function defineNamedCommand<const Table extends Options, const Word extends string>(
  definition: Definition<Table, Word>,
): Command {
  const { name, words, options } = definition;
  return {
    ...definition,
    run: (args, _parts, env) => {
      const { values, words: given } = parseWordsAndOptions(options, args);
      const [first, argument, ...more] = given;
      const word = words.find((one) => one === first);
      if (first !== undefined && word === undefined)
        throw new UsageError(`hookbench ${name} takes ${words.join(', ')}, not ${JSON.stringify(first)}.`);
      if (more.length > 0) throw new UsageError(`Write the name in quotes: "${[argument, ...more].join(' ')}".`);
      return definition.run({ values, word, argument, env });
    },
  };
}
