/** The command line: which command, and what its errors mean to the shell that called it. */
import { reportFailure } from '../headless/serve.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { UsageError } from '../shell/option-table.ts';
import type { Environment } from '../shell/start-options.ts';
import { version } from '../shell/version.ts';
import type { CliParts, Command } from './command.ts';
import { commands } from './commands.ts';
import { commandHelp, helpOf } from './help.ts';

const HELP = ['help', '--help', '-h'];

const named = (name: string | undefined): Command | undefined => commands.find((one) => one.name === name);

/** Help on one command, or on all when there is none of that name. */
function helpOn(name: string | undefined): string {
  const command = named(name);
  return command === undefined ? helpOf(commands) : `${commandHelp(command)}\n`;
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.ok;
}

/** Runs one command; gives the exit code. */
export async function runCli(
  argv: readonly string[],
  parts: CliParts,
  env: Environment = process.env,
): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined) {
    process.stderr.write(helpOf(commands));
    return exitCodes.usage;
  }
  if (HELP.includes(name)) return print(helpOn(args[0]));
  if (args.some((arg) => ['--help', '-h'].includes(arg))) return print(helpOn(name));
  if (['version', '--version'].includes(name)) return print(`${version}\n`);
  const command = named(name);
  try {
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}; see hookbench help.`);
    return (await command.run(args, parts, env)) ?? exitCodes.ok;
  } catch (error) {
    return reportFailure(error, command !== undefined && args.includes('--json'));
  }
}
