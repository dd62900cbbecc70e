/** The command line: which command, and what its errors mean to the shell that called it. */
import { reportFailure } from '../headless/serve.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { UsageError } from '../shell/option-table.ts';
import type { Environment } from '../shell/start-options.ts';
import { version } from '../shell/version.ts';
import type { CliParts, Command } from './command.ts';

const HELP = ['help', '--help', '-h'];

const everyCommand = async (): Promise<readonly Command[]> => (await import('./commands.ts')).commands;

/** Loads all commands, except for `serve`, whose start should be short. */
async function named(name: string): Promise<Command | undefined> {
  if (name === 'serve') return (await import('./serve.ts')).serveCommand;
  return (await everyCommand()).find((one) => one.name === name);
}

/** Help on one command, or on all when there is none of that name. */
async function helpOn(name: string | undefined): Promise<string> {
  const { commandHelp, helpOf } = await import('./help.ts');
  const commands = await everyCommand();
  const command = commands.find((one) => one.name === name);
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
    process.stderr.write(await helpOn(undefined));
    return exitCodes.usage;
  }
  if (HELP.includes(name)) return print(await helpOn(args[0]));
  if (args.some((arg) => ['--help', '-h'].includes(arg))) return print(await helpOn(name));
  if (['version', '--version'].includes(name)) return print(`${version}\n`);
  const command = await named(name);
  try {
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}; see hookbench help.`);
    return (await command.run(args, parts, env)) ?? exitCodes.ok;
  } catch (error) {
    return reportFailure(error, command !== undefined && args.includes('--json'));
  }
}
