/** Each setting has one owner. Start and export loop over the owners. */
import type { Config } from '../../contract/config.ts';

/** A value of the config file that passes the schema but breaks a rule. `path` names it. */
export class ConfigValueError extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

/** Names the environment variables that stand for secrets in an exported file. Each name is unique. */
export interface VariableNames {
  /** A name made of these words, such as `CRM_AUTHORIZATION`. */
  of(...words: readonly string[]): string;
}

/** The owner of a part of the config file. */
export interface SettingsOwner {
  /**
   * Throws a {@link ConfigValueError}. Takes nothing over yet. `plannedPorts` are the ports that Hookbench is about to
   * listen on.
   */
  check?(config: Config, plannedPorts: readonly number[]): void;
  /** Takes over its part, which has passed `check`. What the file leaves out stays as it is. */
  take(config: Config): Promise<unknown>;
  /** Its part in full, without secrets. {@link take} in a new workspace gives the same settings. */
  give(variables: VariableNames): Config;
}

/**
 * All owners check their parts before any takes its part over. All write in the same turn, which makes one transaction.
 */
export async function takeConfig(
  owners: readonly SettingsOwner[],
  config: Config,
  plannedPorts: readonly number[] = [],
): Promise<void> {
  for (const owner of owners) owner.check?.(config, plannedPorts);
  await Promise.all(owners.map((owner) => owner.take(config)));
}
