/** The options with their defaults, checked in one place when the client is made. */
import { OptionError } from './errors.ts';
import { defaults, MAX_BATCH_CALLS, MAX_CALL_BYTES } from './limits.ts';
import type { ClientOptions } from './types.ts';

/** The options that are numbers and flags, complete. */
export interface Settings {
  /** As it was given. */
  readonly endpoint: string;
  /** The full address of the batch path. */
  readonly url: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  readonly size: number;
  readonly flushAfterMs: number;
  readonly maxQueuedMessages: number;
  readonly maxQueuedBytes: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly maxTries: number;
  readonly backoffMs: number;
  readonly backoffCapMs: number;
  readonly retryAfterCapMs: number;
  readonly allowAnonymousPages: boolean;
  readonly verbose: boolean;
}

const DAY_MS = 86_400_000;

type WholeNumbers = Omit<Settings, 'endpoint' | 'url' | 'authorization' | 'allowAnonymousPages' | 'verbose'>;

const RANGES: Readonly<Record<keyof WholeNumbers, readonly [least: number, most: number]>> = {
  size: [1, MAX_BATCH_CALLS],
  flushAfterMs: [1, DAY_MS],
  maxQueuedMessages: [1, Number.MAX_SAFE_INTEGER],
  maxQueuedBytes: [MAX_CALL_BYTES, Number.MAX_SAFE_INTEGER],
  concurrency: [1, 100],
  timeoutMs: [1, DAY_MS],
  maxTries: [1, 1_000],
  backoffMs: [1, DAY_MS],
  backoffCapMs: [1, DAY_MS],
  retryAfterCapMs: [0, DAY_MS],
};

const FUNCTIONS = ['onError', 'logger', 'fetch'] as const;
const PARTS = { clock: ['wall', 'mono'], timers: ['after'], ids: ['uuid'] } as const;
const FLAGS = ['allowAnonymousPages', 'verbose'] as const;
const KNOWN: ReadonlySet<string> = new Set([
  'endpoint',
  'flushAt',
  'flushAfter',
  ...Object.keys(RANGES),
  ...FLAGS,
  ...FUNCTIONS,
  ...Object.keys(PARTS),
]);

/** Throws an {@link OptionError} for the first option that cannot be used. */
export function settingsOf(writeKey: unknown, options: ClientOptions): Settings {
  if (typeof options !== 'object' || options === null) throw new OptionError('options', 'options must be an object.');
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) throw new OptionError(name, `There is no option ${JSON.stringify(name.slice(0, 40))}.`);
  }
  checkKinds(options);
  const endpoint = options.endpoint ?? defaults.endpoint;
  return {
    ...wholeNumbers(options),
    endpoint,
    url: batchUrl(endpoint),
    authorization: basicUser(writeKey),
    allowAnonymousPages: options.allowAnonymousPages ?? false,
    verbose: options.verbose ?? false,
  };
}

/** Options that can be set on an existing client (client specification, section 2.1); they apply from then on. */
export type Changeable = Pick<Settings, 'size' | 'flushAfterMs' | 'endpoint' | 'verbose'>;

/** Throws an {@link OptionError}, with nothing changed. `name` is the option that was set. */
export function withChange(settings: Settings, name: string, change: Partial<Changeable>): Settings {
  const [[field, value]] = Object.entries(change) as [[keyof Changeable, unknown]];
  if (value === undefined || value === null) throw new OptionError(name, `${name} is missing.`);
  const next = { ...settings, ...change };
  checkKinds({ verbose: next.verbose });
  return { ...next, ...wholeNumbers(next, { [field]: name }), url: batchUrl(next.endpoint) };
}

const CHANGEABLE: ReadonlySet<string> = new Set([
  'size',
  'flushAt',
  'flushAfterMs',
  'flushAfter',
  'endpoint',
  'verbose',
] as const);

/** Options that only the constructor takes. Setting one on a client throws, so that it is not lost in silence. */
export const FIXED_OPTIONS: readonly string[] = [...KNOWN].filter((name) => !CHANGEABLE.has(name));

function checkKinds(options: ClientOptions): void {
  for (const name of FLAGS) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'boolean')
      throw new OptionError(name, `${name} must be true or false.`);
  }
  for (const name of FUNCTIONS) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') throw new OptionError(name, `${name} must be a function.`);
  }
  for (const [name, methods] of Object.entries(PARTS)) {
    const part = options[name as keyof typeof PARTS] as Record<string, unknown> | undefined;
    if (part === undefined) continue;
    const missing = methods.find((method) => typeof part?.[method] !== 'function');
    if (missing !== undefined) throw new OptionError(name, `${name} must have a function ${missing}.`);
  }
}

/** `called` is the name that an error uses for an option given under its other name. */
function wholeNumbers(options: ClientOptions, called: Partial<Record<string, string>> = {}): WholeNumbers {
  const given: Partial<Record<keyof WholeNumbers, number>> = {
    ...options,
    size: oneOf(options, 'size', 'flushAt'),
    flushAfterMs: oneOf(options, 'flushAfterMs', 'flushAfter'),
  };
  const whole = (name: keyof WholeNumbers): number => {
    const value = given[name] ?? defaults[name];
    const [least, most] = RANGES[name];
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    const title = called[name] ?? name;
    throw new OptionError(title, `${title} must be a whole number ${range}.`);
  };
  const numbers = {
    size: whole('size'),
    flushAfterMs: whole('flushAfterMs'),
    maxQueuedMessages: whole('maxQueuedMessages'),
    maxQueuedBytes: whole('maxQueuedBytes'),
    concurrency: whole('concurrency'),
    timeoutMs: whole('timeoutMs'),
    maxTries: whole('maxTries'),
    backoffMs: whole('backoffMs'),
    backoffCapMs: whole('backoffCapMs'),
    retryAfterCapMs: whole('retryAfterCapMs'),
  };
  if (numbers.size > numbers.maxQueuedMessages) {
    const title = called.size ?? 'size';
    const text = `${title} is ${numbers.size}, more than maxQueuedMessages (${numbers.maxQueuedMessages}).`;
    throw new OptionError(title, text);
  }
  return numbers;
}

function oneOf(
  options: ClientOptions,
  name: 'size' | 'flushAfterMs',
  other: 'flushAt' | 'flushAfter',
): number | undefined {
  const [first, second] = [options[name], options[other]];
  if (first !== undefined && second !== undefined && first !== second) {
    throw new OptionError(other, `${name} and ${other} are the same option: give one of them.`);
  }
  return first ?? second;
}

/**
 * The endpoint as version 2 takes it, without the path; with one it is left as it is when it ends with a batch path.
 */
export function batchUrl(endpoint: string): string {
  const url = parsedUrl(endpoint);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OptionError('endpoint', 'endpoint must be an http or https address.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionError('endpoint', 'endpoint may not hold a user: the write key is sent as one.');
  }
  if (url.search !== '' || url.hash !== '') throw new OptionError('endpoint', 'endpoint may not hold ? or #.');
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/v1\/(?:batch|import|b)$/.test(path)) return `${url.origin}${path}`;
  return `${url.origin}${path}${path.endsWith('/v1') ? '' : '/v1'}/batch`;
}

function parsedUrl(text: unknown): URL | null {
  if (typeof text !== 'string') return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The write key as the Basic user name with an empty password. */
function basicUser(writeKey: unknown): string {
  if (typeof writeKey !== 'string' || writeKey === '') throw new OptionError('writeKey', 'The write key is missing.');
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(writeKey)) {
    throw new OptionError('writeKey', 'The write key may hold visible ASCII characters but the colon.');
  }
  return `Basic ${btoa(`${writeKey}:`)}`;
}
