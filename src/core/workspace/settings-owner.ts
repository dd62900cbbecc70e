/** Settings have one owner each. Start and export are loops over the owners. */
import type { Config } from '../../contract/config.ts';

/** A value of the config file that passes its schema but not a rule; `path` names it. */
export class ConfigValueError extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

/** Names the environment variables that stand for secrets in an exported file. No two are the same. */
export interface VariableNames {
  /** A name made of these words, such as `CRM_AUTHORIZATION`. */
  of(...words: readonly string[]): string;
}

/** The owner of a part of what a config file says. */
export interface SettingsOwner {
  /**
   * Throws a {@link ConfigValueError}; nothing is taken over yet. `plannedPorts` are the ports that will be Hookbench's
   * own in a moment.
   */
  check?(config: Config, plannedPorts: readonly number[]): void;
  /** Takes over its part; what the file leaves out stays as it is. It has passed `check`. */
  take(config: Config): Promise<unknown>;
  /** Its part in full, such that {@link take} in a new workspace gives the same settings. No secrets. */
  give(variables: VariableNames): Config;
}

/** Each owner checks its part before any takes its own over. All ask to write in the same turn: one transaction. */
export async function takeConfig(
  owners: readonly SettingsOwner[],
  config: Config,
  plannedPorts: readonly number[] = [],
): Promise<void> {
  for (const owner of owners) owner.check?.(config, plannedPorts);
  await Promise.all(owners.map((owner) => owner.take(config)));
}
