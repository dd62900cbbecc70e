/** The workspace as a file: `hookbench.json` (docs/config.md). All but names and keys is optional. */
import { z } from 'zod';
import { audiencesConfig, traitsConfig } from './audiences.ts';
import { exportSettings } from './exchange.ts';
import { faultRules } from './faults.ts';
import { MAX_EVENT_NAME, MAX_EVENTS_OFF, PROFILE_NAMES, WRITE_KEY_PATTERN } from './names.ts';
import { receiversConfig } from './receivers.ts';
import { rulesInput } from './rules.ts';
import { storageInput } from './storage.ts';

z.config({ jitless: true });

/**
 * The value of `$schema` in an exported file. `hookbench schema --out hookbench.schema.json` writes that file beside
 * it.
 */
export const CONFIG_SCHEMA_URL = './hookbench.schema.json';

const env = z.string().min(1);
/** A text or an environment variable. An object with `shown: true` has its value shown in clear. */
const headerValue = z.union([
  z.string(),
  z.strictObject({ env, shown: z.boolean().optional() }),
  z.strictObject({ value: z.string(), shown: z.boolean().optional() }),
]);
export type ConfigHeader = z.infer<typeof headerValue>;
const secret = z.union([z.string().min(1).max(1024), z.strictObject({ env })]);

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  sources: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(100),
        writeKey: z.string().max(200).regex(WRITE_KEY_PATTERN, 'no spaces, colons or control characters'),
        kind: z.enum(['server', 'web', 'mobile']).default('server'),
        enabled: z.boolean().default(true),
        webhooks: z.boolean().default(true),
        /** Replaces the stored list. */
        eventsOff: z.array(z.string().min(1).max(MAX_EVENT_NAME)).max(MAX_EVENTS_OFF).optional(),
      }),
    )
    .max(1000)
    .optional(),
  webhooks: z
    .strictObject({
      enabled: z.boolean().optional(),
      sharedSecret: secret.optional(),
      paused: z.boolean().optional(),
      /** Rules beside it win. */
      profile: z.enum(PROFILE_NAMES).optional(),
      ...rulesInput.shape,
      caFile: z.string().trim().min(1).max(4096).nullable().optional(),
      entries: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(100),
            url: z.string().min(1).max(4096),
            /** A list when the name repeats. */
            headers: z.record(z.string(), z.union([headerValue, z.array(headerValue).min(1).max(50)])).default({}),
            enabled: z.boolean().default(true),
          }),
        )
        .max(5)
        .optional(),
    })
    .optional(),
  ingest: z
    .strictObject({
      port: z.number().int().min(0).max(65535).optional(),
      mode: z.enum(['segment', 'strict']).optional(),
      acceptAnyKey: z.boolean().optional(),
      dedupe: z.boolean().optional(),
      correctEveryTimestamp: z.boolean().optional(),
      /** On from the start unless `faultsOn` is false; an empty list turns faults off. */
      faults: faultRules.optional(),
      faultsOn: z.boolean().optional(),
      faultSeed: z.number().int().min(0).max(0xffff_ffff).optional(),
      https: z
        .strictObject({ enabled: z.boolean().optional(), port: z.number().int().min(0).max(65535).optional() })
        .optional(),
      /** Folder of the browser library that pages load; null for the one installed beside Hookbench. */
      browserSdk: z.string().trim().min(1).max(4096).nullable().optional(),
    })
    .optional(),
  receivers: receiversConfig.optional(),
  audiences: audiencesConfig.optional(),
  traits: traitsConfig.optional(),
  storage: storageInput.optional(),
  /** `mask` replaces the stored list. */
  exports: exportSettings.optional(),
  clock: z
    .strictObject({
      speed: z.union([z.literal(1), z.literal(10), z.literal(60), z.literal(240)]).optional(),
      paused: z.boolean().optional(),
    })
    .optional(),
});

export type Config = z.infer<typeof configSchema>;

/** The JSON Schema of what the user writes. Fields with a default may be left out. */
export const configJsonSchema = (): object => z.toJSONSchema(configSchema, { io: 'input' });

export interface ConfigError {
  readonly code: 'config_invalid' | 'config_not_json';
  /** Path of the bad field, e.g. `webhooks.entries[0].url`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );

/** Parses the text of a config file. The error names the first bad field by its path. */
export function parseConfig(text: string): { ok: true; config: Config } | { ok: false; error: ConfigError } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, error: { code: 'config_not_json', path: '', message: (error as Error).message } };
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return { ok: true, config: parsed.data };
  return { ok: false, error: configErrorOf(parsed.error) };
}

/** The first bad field of a file, by its path. */
export function configErrorOf({ issues }: z.ZodError): ConfigError {
  const issue = issues[0];
  const extra = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? []);
  const message = issue?.code === 'unrecognized_keys' ? 'is not a known field' : (issue?.message ?? 'is not valid');
  return { code: 'config_invalid', path: pathText(extra), message };
}
