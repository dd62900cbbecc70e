/** Ingest faults: Hookbench misbehaves towards SDKs on purpose and measures what they do (docs/faults.md). */
import { z } from 'zod';
import { command, gives } from './command.ts';
import { CONTENT_TYPE_PATTERN, FAULT_LIMITS, faultPaths } from './fault-limits.ts';

export { FAULT_LIMITS, type FaultPath, faultPaths } from './fault-limits.ts';

z.config({ jitless: true });

const ms = (max: number) => z.number().int().min(1).max(max);

/** What is done to a request. */
export const faultAction = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(200).max(599),
    /** Seconds of the Retry-After header; null for none. */
    retryAfter: z.number().int().min(0).max(FAULT_LIMITS.retryAfterSeconds).nullable().default(null),
    /** How the header says it. */
    retryAfterForm: z.enum(['seconds', 'date']).default('seconds'),
  }),
  /** Waits, then accepts the request as usual. With `store`, only the answer is late. */
  z.strictObject({ kind: z.literal('delay'), ms: ms(FAULT_LIMITS.delayMs) }),
  /** Sends nothing and closes the connection after `ms`. */
  z.strictObject({ kind: z.literal('stall'), ms: ms(FAULT_LIMITS.stallMs) }),
  /** Resets the connection before or after reading the body. */
  z.strictObject({ kind: z.literal('reset'), when: z.enum(['before', 'after']).default('after') }),
  /** 200 without a body. */
  z.strictObject({ kind: z.literal('empty') }),
  /** 200 without JSON: an HTML page for `text/html`, otherwise the usual body with this type. */
  z.strictObject({
    kind: z.literal('content_type'),
    contentType: z
      .string()
      .trim()
      .regex(CONTENT_TYPE_PATTERN, 'Enter a content type such as text/html.')
      .max(100)
      .default('text/html'),
  }),
  /** The usual answer, byte after byte. */
  z.strictObject({ kind: z.literal('drip'), bytesPerSecond: z.number().int().min(1).max(FAULT_LIMITS.bytesPerSecond) }),
]);
export type FaultAction = z.output<typeof faultAction>;
export type FaultKind = FaultAction['kind'];

/** Which of the matching requests a rule takes. */
export const faultWhen = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('rate'), percent: z.number().min(0).max(100) }),
  /** The first requests of each client since the rules were saved or turned on. */
  z.strictObject({ mode: z.literal('first'), requests: z.number().int().min(1).max(FAULT_LIMITS.requests) }),
  /** Takes some requests in a row, then lets some pass, and so on. */
  z.strictObject({
    mode: z.literal('burst'),
    fail: z.number().int().min(1).max(FAULT_LIMITS.requests),
    pass: z.number().int().min(1).max(FAULT_LIMITS.requests),
  }),
]);
export type FaultWhen = z.output<typeof faultWhen>;

export const faultRule = z
  .strictObject({
    /** Made when absent. */
    id: z.number().int().positive().optional(),
    on: z.boolean().default(true),
    when: faultWhen.default({ mode: 'rate', percent: 100 }),
    action: faultAction,
    /** Only requests with this write key; null for all. */
    writeKey: z.string().min(1).max(200).nullable().default(null),
    /** Only requests to these paths; empty for all paths that accept calls. */
    paths: z.array(z.enum(faultPaths)).max(faultPaths.length).default([]),
    /** Stores the calls as usual before it misbehaves, as if the answer were lost. */
    store: z.boolean().default(false),
  })
  .refine(({ action, store }) => !(store && action.kind === 'reset' && action.when === 'before'), {
    path: ['store'],
    message: 'A request that is reset before it is read cannot be stored.',
  });
export type FaultRuleInput = z.input<typeof faultRule>;
export type FaultRule = z.output<typeof faultRule>;

const idsDiffer = (rules: ReadonlyArray<{ readonly id?: number | undefined }>): boolean => {
  const ids = rules.flatMap(({ id }) => id ?? []);
  return new Set(ids).size === ids.length;
};

/** The `ingest.faults` key of the config file. The first rule that takes a request decides. */
export const faultRules = z
  .array(faultRule)
  .max(FAULT_LIMITS.rules, `At most ${FAULT_LIMITS.rules} rules.`)
  .refine(idsDiffer, 'Two rules have the same id.');

export const faultsInput = z.strictObject({
  on: z.boolean().optional(),
  rules: faultRules.optional(),
  /** Seed of the random sequence for rates. The same seed and requests give the same faults. */
  seed: z.number().int().min(0).max(0xffff_ffff).optional(),
});

export interface FaultRuleView extends FaultRule {
  id: number;
  /** How often it took a request since the start or the last clear. */
  hits: number;
}

/** What was done to one client by one rule. */
export interface FaultDoneView {
  ruleId: number;
  /** The library's own name, or the User-Agent when it gives none. */
  client: string;
  writeKey: string | null;
  count: number;
  /** Wall time of the newest. */
  lastAt: number;
}

export interface FaultsView {
  on: boolean;
  /** True while a request could be taken: on, with a rule that is on. */
  active: boolean;
  seed: number;
  rules: FaultRuleView[];
  /** Newest first, at most 50. */
  done: FaultDoneView[];
  /** Requests that a rule took since the start or the last clear. */
  hits: number;
  /** Increases with everything that could change the report. */
  version: number;
}

/** How a try ended for the client. `client_left`: the client closed the connection before it had the answer. */
export type TryEnding = 'answered' | 'reset' | 'closed' | 'client_left' | 'open';

/** One request as one of its messages saw it. */
export interface TryView {
  /** Wall time at which the whole request had arrived. */
  at: number;
  /** Time until the answer was sent or the connection ended. */
  tookMs: number;
  ending: TryEnding;
  /** Null when no status line was sent. */
  status: number | null;
  /** What the rule did; null when there was none. */
  fault: FaultAction | null;
  /** X-Retry-Count as received. */
  retryCount: number | null;
  /** Time from the end of the previous try; null for the first. */
  waitMs: number | null;
  /** Whether its calls were stored. */
  taken: boolean;
}

/** `waiting`: a retry may still come. `lost`: it was never stored and no retry is expected. */
export type TriedState = 'stored' | 'waiting' | 'lost';

export interface TriedMessageView {
  messageId: string;
  state: TriedState;
  /** How many rows of it are in the store. */
  storedTimes: number;
  /** Oldest first, at most 50. */
  tries: TryView[];
  /** Tries that are not listed. */
  more: number;
}

/** `unseen`: it did not happen, or not often enough. `no_policy`: no policy of this client is known. */
export type Verdict = 'ok' | 'differs' | 'unseen' | 'no_policy';

export interface ReportLine {
  what: string;
  measured: string;
  /** What the client's policy says, or null. */
  policy: string | null;
  verdict: Verdict;
}

export interface FaultClientView {
  key: string;
  library: string;
  version: string;
  userAgent: string;
  writeKey: string | null;
  requests: number;
  /** Requests that a rule took, or that were answered with an error. */
  failed: number;
  unread: number;
  firstAt: number;
  lastAt: number;
}

export interface ClientReport {
  client: FaultClientView;
  /** Wall times of the first and last try in it. */
  from: number;
  to: number;
  /**
   * `exact` is false when the policy is of the nearest version of the library. `caution` says which other clients use
   * this name.
   */
  policy: {
    name: string;
    evidence: 'ran' | 'read';
    exact: boolean;
    caution: string | null;
    summary: string[];
  } | null;
  /** All requests, including unread ones and those whose calls have no messageId. */
  requests: number;
  faulted: number;
  messages: number;
  stored: number;
  waiting: number;
  lost: number;
  /** Messages that came again after they had been stored. */
  repeated: number;
  /** Messages with more than one row in the store. */
  storedTwice: number;
  /** Requests of this client that were reset before their body was read. They are in no message's tries. */
  unread: number;
  /** Calls without a messageId. Their requests count, but their retries cannot be recognised. */
  nameless: { calls: number; taken: number };
  lines: ReportLine[];
  /** Those with a retry or without a row, newest first, at most 100. */
  tried: TriedMessageView[];
}

export interface FaultReport {
  /** Newest first. */
  clients: FaultClientView[];
  /** The requested client, or the newest one that a fault hit; null when there is none. */
  client: ClientReport | null;
}

const none = z.null().optional();
const wallTime = z.number().int().min(0);

/** Commands of ingest faults; part of `commands`. */
export const faultCommands = {
  'faults.get': command(none, gives<FaultsView>()),
  /**
   * Given rules replace all rules. Saving rules or turning faults on restarts sequences and counts of `when`. Error
   * `no_fault_rules`.
   */
  'faults.save': command(faultsInput, gives<FaultsView>()),
  /** Clears counts, tries and clients. The rules stay. */
  'faults.clear': command(none, gives<FaultsView>()),
  /** Error `fault_client_not_found`. */
  'faults.report': command(
    z.strictObject({
      client: z.string().max(1_000).optional(),
      from: wallTime.optional(),
      to: wallTime.optional(),
    }),
    gives<FaultReport>(),
  ),
} as const;
