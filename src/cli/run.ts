/** The command line: which command, and what its errors mean to the shell that called it. */
import { reportFailure, type ServeParts, serve } from '../headless/serve.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { UsageError } from '../shell/start-options.ts';
import { version } from '../shell/version.ts';
import { printCertificate } from './certificate.ts';
import { examineStore } from './doctor.ts';
import { steerFaults } from './faults.ts';
import { help } from './help.ts';
import { listAttempts, listMessages } from './list.ts';
import type { Reader } from './query.ts';
import { receive } from './receive.ts';
import { steerClock, steerDelivery } from './steer.ts';

export interface CliParts extends ServeParts {
  /** Opens the stored file read-only; throws an error with code `no_store` when there is none. */
  readonly openOffline: (workspace: string) => Reader | Promise<Reader>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const say = (text: string): number => {
  process.stdout.write(text);
  return exitCodes.ok;
};

async function untilDone(run: () => Promise<unknown>, args: readonly string[]): Promise<number> {
  try {
    const exitCode = await run();
    return typeof exitCode === 'number' ? exitCode : exitCodes.ok;
  } catch (error) {
    return reportFailure(error, args.includes('--json'));
  }
}

/** Runs one command; gives the exit code. */
export async function runCli(
  argv: readonly string[],
  parts: CliParts,
  env: Environment = process.env,
): Promise<number> {
  const [command, ...args] = argv;
  if (args.includes('--help') || args.includes('-h')) return say(help);
  switch (command) {
    case 'serve':
      return serve(args, parts, env);
    case 'messages':
      return untilDone(() => listMessages(args, parts.openOffline, env), args);
    case 'attempts':
      return untilDone(() => listAttempts(args, parts.openOffline, env), args);
    case 'receive':
      return untilDone(() => receive(args, env), args);
    case 'clock':
      return untilDone(() => steerClock(args, env), args);
    case 'faults':
      return untilDone(() => steerFaults(args, env), args);
    case 'delivery':
      return untilDone(() => steerDelivery(args, env), args);
    case 'doctor':
      return untilDone(() => examineStore(args, env), args);
    case 'certificate':
      return untilDone(() => printCertificate(args, env), args);
    case 'help':
    case '--help':
    case '-h':
      return say(help);
    case 'version':
    case '--version':
      return say(`${version}\n`);
    case undefined:
      process.stderr.write(help);
      return exitCodes.usage;
    default:
      return reportFailure(
        new UsageError(`There is no command ${JSON.stringify(command)}; see hookbench help.`),
        false,
      );
  }
}
