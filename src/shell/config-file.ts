/** Reads a config file and puts the values of its environment variables in place. */
import { readFileSync } from 'node:fs';
import { type Config, type ConfigHeader, parseConfig } from '../contract/config.ts';

export type ConfigFileErrorCode = 'config_unreadable' | 'config_not_json' | 'config_invalid' | 'config_env_missing';

/** Why a config file was not taken; `path` names the bad field, e.g. `webhooks.entries[0].url`. */
export class ConfigFileError extends Error {
  readonly code: ConfigFileErrorCode;
  readonly path: string;
  constructor(code: ConfigFileErrorCode, path: string, message: string) {
    super(message);
    this.name = 'ConfigFileError';
    this.code = code;
    this.path = path;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Value = string | { env: string };

function filledIn(value: Value, path: string, env: Environment): string {
  if (typeof value === 'string') return value;
  const found = env[value.env];
  if (found === undefined || found === '')
    throw new ConfigFileError('config_env_missing', path, `the environment variable ${value.env} is not set`);
  return found;
}

type Headers = NonNullable<NonNullable<Config['webhooks']>['entries']>[number]['headers'];

function filledHeaders(headers: Headers, path: string, env: Environment): Headers {
  const filled = Object.entries(headers).map(([name, value]) => {
    const at = `${path}.${name}`;
    return [name, Array.isArray(value) ? value.map((one) => filledHeader(one, at, env)) : filledHeader(value, at, env)];
  });
  return Object.fromEntries(filled);
}

function filledHeader(header: ConfigHeader, path: string, env: Environment): ConfigHeader {
  if (typeof header === 'string' || 'value' in header) return header;
  return { value: filledIn(header, path, env), shown: header.shown };
}

/** Every `{env}` replaced by its value. Throws a {@link ConfigFileError}. */
export function resolveConfig(config: Config, env: Environment): Config {
  if (config.webhooks === undefined) return config;
  const { sharedSecret, entries } = config.webhooks;
  return {
    ...config,
    webhooks: {
      ...config.webhooks,
      ...(sharedSecret === undefined ? {} : { sharedSecret: filledIn(sharedSecret, 'webhooks.sharedSecret', env) }),
      ...(entries === undefined
        ? {}
        : {
            entries: entries.map((entry, n) => ({
              ...entry,
              headers: filledHeaders(entry.headers, `webhooks.entries[${n}].headers`, env),
            })),
          }),
    },
  };
}

/** Reads, checks and resolves a config file. Throws a {@link ConfigFileError}. */
export function readConfigFile(file: string, env: Environment = process.env): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigFileError('config_unreadable', '', (error as Error).message);
  }
  const parsed = parseConfig(text.replace(/^\uFEFF/, ''));
  if (!parsed.ok) throw new ConfigFileError(parsed.error.code, parsed.error.path, parsed.error.message);
  return resolveConfig(parsed.config, env);
}
