/** The settings of a workspace as the text of a config file, without secrets. */
import type { Config } from '../../contract/config.ts';
import { CONFIG_SCHEMA_URL } from '../../contract/config.ts';
import type { SettingsOwner, VariableNames } from './settings-owner.ts';

export interface ExportedConfig {
  /** The text of the file. */
  text: string;
  /** The environment variables that stand for secrets, in the order of the file. */
  variables: string[];
}

/** Merges the parts of all owners into one file. Two owners share `webhooks`, four share `ingest`. */
export function exportedConfig(owners: readonly SettingsOwner[]): ExportedConfig {
  const variables = new UsedNames();
  const config = owners.map((owner) => owner.give(variables)).reduce(merged, { $schema: CONFIG_SCHEMA_URL });
  return { text: `${JSON.stringify(config, null, 2)}\n`, variables: variables.all() };
}

const merged = (one: Config, other: Config): Config => ({
  ...one,
  ...other,
  ...((one.webhooks ?? other.webhooks) && { webhooks: { ...one.webhooks, ...other.webhooks } }),
  ...((one.ingest ?? other.ingest) && { ingest: { ...one.ingest, ...other.ingest } }),
});

/** A number keeps names apart that would otherwise be the same. */
class UsedNames implements VariableNames {
  readonly #used = new Set<string>();

  of(...words: readonly string[]): string {
    const name = variableName(words.join('_'));
    let free = name;
    for (let n = 2; this.#used.has(free); n++) free = `${name}_${n}`;
    this.#used.add(free);
    return free;
  }

  all(): string[] {
    return [...this.#used];
  }
}

/** Capital letters, digits and underscores, not starting with a digit: every shell accepts such a name. */
function variableName(text: string): string {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[A-Z]/.test(name) ? name : `HOOKBENCH_${name}`;
}
