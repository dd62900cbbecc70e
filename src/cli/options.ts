/** What every command does with its options. */
import { resolve } from 'node:path';
import { defaultWorkspace, UsageError } from '../headless/serve.ts';

/** Turns what `parseArgs` throws into a usage error. */
export const parseOrUsage = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

export const workspaceOf = (given: string | undefined, env: Readonly<Record<string, string | undefined>>): string =>
  given === undefined ? defaultWorkspace(env) : resolve(given);
