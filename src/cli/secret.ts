/** A secret comes from the environment: command lines are kept in the history of shells. */
import { UsageError } from '../shell/option-table.ts';
import type { Environment } from '../shell/start-options.ts';

/** The value of the variable that `--secret-env` names; null without the option. Throws a {@link UsageError}. */
export function secretFrom(name: string | undefined, env: Environment): string | null {
  if (name === undefined) return null;
  const value = env[name];
  if (value === undefined || value === '')
    throw new UsageError(`--secret-env: the environment variable ${name} is not set.`);
  return value;
}
