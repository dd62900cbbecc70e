/** Ingest faults: misbehaving towards SDKs on purpose, and what was measured of them (docs/faults.md). */
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
  /** Waits, then takes the request as always; with `store` only the answer is late. */
  z.strictObject({ kind: z.literal('delay'), ms: ms(FAULT_LIMITS.delayMs) }),
  /** Says nothing; closes the connection after `ms`. */
  z.strictObject({ kind: z.literal('stall'), ms: ms(FAULT_LIMITS.stallMs) }),
  /** Breaks the connection off before the body is read, or after it. */
  z.strictObject({ kind: z.literal('reset'), when: z.enum(['before', 'after']).default('after') }),
  /** 200 without a body. */
  z.strictObject({ kind: z.literal('empty') }),
  /** 200 that is no JSON: an HTML page as `text/html`, else the usual body under this type. */
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

/** Which of the requests that a rule is for it takes. */
export const faultWhen = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('rate'), percent: z.number().min(0).max(100) }),
  /** The first ones of each client since the rules were saved or turned on. */
  z.strictObject({ mode: z.literal('first'), requests: z.number().int().min(1).max(FAULT_LIMITS.requests) }),
  /** So many in a row, then so many not, and again. */
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
    /** Only requests to these paths; empty for all that bring calls. */
    paths: z.array(z.enum(faultPaths)).max(faultPaths.length).default([]),
    /** Takes the calls as always before it misbehaves: a lost answer. */
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
  /** Of the sequence in which rates are drawn; the same seed and requests give the same faults. */
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
  /** As the library names itself; the User-Agent without one. */
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
  /** Grows with everything that the report could say anew. */
  version: number;
}

/** How a try ended for the client. `client_left`: it closed the connection before it had the answer. */
export type TryEnding = 'answered' | 'reset' | 'closed' | 'client_left' | 'open';

/** One request as one of its messages saw it. */
export interface TryView {
  /** Wall time at which the request was whole. */
  at: number;
  /** Until the answer was out or the connection ended. */
  tookMs: number;
  ending: TryEnding;
  /** Null when no status line was sent. */
  status: number | null;
  /** What the rule did; null when there was none. */
  fault: FaultAction | null;
  /** X-Retry-Count as received. */
  retryCount: number | null;
  /** From the end of the try before to this one; null for the first. */
  waitMs: number | null;
  /** Whether its calls were taken. */
  taken: boolean;
}

/** `waiting`: a retry may still come. `lost`: it was never stored and no retry is to be expected. */
export type TriedState = 'stored' | 'waiting' | 'lost';

export interface TriedMessageView {
  messageId: string;
  state: TriedState;
  /** Rows of it in the store. */
  storedTimes: number;
  /** Oldest first, at most 50. */
  tries: TryView[];
  /** Tries that are not listed. */
  more: number;
}

/** `unseen`: nothing of it happened, or not enough. `no_policy`: no policy of this client is known. */
export type Verdict = 'ok' | 'differs' | 'unseen' | 'no_policy';

export interface ReportLine {
  what: string;
  measured: string;
  /** What its policy says, or null. */
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
  /** `exact` is false when it is about the nearest version of the same library; `caution`: who else goes by this name. */
  policy: {
    name: string;
    evidence: 'ran' | 'read';
    exact: boolean;
    caution: string | null;
    summary: string[];
  } | null;
  /** All of it, those that were not read and those whose calls have no messageId too. */
  requests: number;
  faulted: number;
  messages: number;
  stored: number;
  waiting: number;
  lost: number;
  /** Messages that came again after they had been taken. */
  repeated: number;
  /** Messages with more than one row in the store. */
  storedTwice: number;
  /** Requests of this client that were broken off before their body was read: in no message's tries. */
  unread: number;
  /** Calls without a messageId: their requests count, but no retry of them can be recognised. */
  nameless: { calls: number; taken: number };
  lines: ReportLine[];
  /** Those with a retry or without a row, newest first, at most 100. */
  tried: TriedMessageView[];
}

export interface FaultReport {
  /** Newest first. */
  clients: FaultClientView[];
  /** The one asked for, or the newest one that a fault met; null when there is none. */
  client: ClientReport | null;
}

const none = z.null().optional();
const wallTime = z.number().int().min(0);

/** Commands of ingest faults; part of `commands`. */
export const faultCommands = {
  'faults.get': command(none, gives<FaultsView>()),
  /** Rules given replace all. Saving rules or turning on starts sequences and counts of `when` again. Error `no_fault_rules`. */
  'faults.save': command(faultsInput, gives<FaultsView>()),
  /** Empties counts, tries and clients; the rules stay. */
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
