/**
 * Delivery rules: every choice that the delivery specification leaves open, as a value (decisions, Delivery), and the
 * named sets of them.
 */
import {
  DEFAULT_RETRY,
  type Outcome,
  PROFILE_NAMES,
  type ProfileName,
  RETRYABLE,
  type Retryable,
} from './vocabulary.ts';

export type BodyShape = 'documented' | 'pass-through';

/** When the next round follows. Milliseconds of the retry clock. */
export interface RetryRules {
  readonly baseMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** No attempt starts later than this after the first one. */
  readonly windowMs: number;
  /** 0.2 means plus or minus 20 %. */
  readonly jitter: number;
  readonly seed: number;
  /** The waits after round 1, 2, …, in place of `baseMs x factor^n`; no round follows the last one. */
  readonly waitsMs?: readonly number[];
}

/** When to leave a failing webhook out for a while. */
export interface BreakerRules {
  /** How many failed attempts it takes until the webhook is left out. */
  readonly errors: number;
  /** How long after the last failure the count starts again; milliseconds of the retry clock. */
  readonly forgetMs: number;
}

export interface DeliveryRules {
  readonly body: BodyShape;
  readonly userAgent: string;
  /**
   * `x-signature`: delivery specification, section 5. `standard-webhooks`: webhook-id, webhook-timestamp,
   * webhook-signature.
   */
  readonly signature: 'x-signature' | 'standard-webhooks';
  /** Real milliseconds for one attempt. */
  readonly timeoutMs: number;
  readonly retry: RetryRules;
  readonly retryOn: readonly Retryable[];
  /** Whether a Retry-After header may lengthen a wait. */
  readonly retryAfter: boolean;
  readonly redirects: 'decline' | 'follow';
  readonly breaker: BreakerRules | null;
}

const DOCUMENTED: DeliveryRules = {
  body: 'documented',
  userAgent: 'Hookbench/1.0',
  signature: 'x-signature',
  timeoutMs: 5_000,
  retry: DEFAULT_RETRY,
  retryOn: ['failed', 'timed_out', 'no_connection', 'throttled'],
  retryAfter: true,
  redirects: 'decline',
  breaker: null,
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The profiles. `classic` and `actions` do what the code of the two real destinations was seen to do, not what
 * their pages say; `standard-webhooks` is the open specification of that name with its example schedule.
 */
export const PROFILES = {
  documented: DOCUMENTED,
  classic: {
    ...DOCUMENTED,
    body: 'pass-through',
    userAgent: 'Segment.io/1.0',
    timeoutMs: 3_000,
    retryOn: [...RETRYABLE],
    retryAfter: false,
    breaker: { errors: 25, forgetMs: 3 * MINUTE },
  },
  actions: {
    ...DOCUMENTED,
    body: 'pass-through',
    userAgent: 'Segment (Actions)',
    timeoutMs: 10_000,
    retryAfter: false,
    redirects: 'follow',
  },
  'standard-webhooks': {
    ...DOCUMENTED,
    signature: 'standard-webhooks',
    timeoutMs: 20_000,
    retry: {
      ...DEFAULT_RETRY,
      windowMs: 100 * HOUR,
      waitsMs: [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
    },
    retryOn: [...RETRYABLE],
  },
} as const satisfies Record<ProfileName, DeliveryRules>;

const RULE_NAMES = Object.keys(DOCUMENTED) as ReadonlyArray<keyof DeliveryRules>;

/** Picks the rules from a value that holds more. */
export const rulesOf = (value: DeliveryRules): DeliveryRules =>
  Object.fromEntries(RULE_NAMES.map((name) => [name, value[name]])) as unknown as DeliveryRules;

/** The profile that has these rules, or `own`. The seed of the jitter does not count. */
export function profileOf(rules: DeliveryRules): ProfileName | 'own' {
  const text = comparable(rules);
  return PROFILE_NAMES.find((name) => comparable(PROFILES[name]) === text) ?? 'own';
}

function comparable(rules: DeliveryRules): string {
  const { retry, retryOn, ...rest } = rulesOf(rules);
  const { seed: _, ...waits } = retry;
  const given = Object.entries(waits).filter(([, value]) => value !== undefined);
  return JSON.stringify([rest, RETRYABLE.filter((outcome) => retryOn.includes(outcome)), given.sort()]);
}

/** Whether an outcome makes another round worthwhile (decisions, Delivery). */
export function asksForAnotherRound({ retryOn }: Pick<DeliveryRules, 'retryOn'>, outcome: Outcome): boolean {
  return outcome === 'interrupted' || (retryOn as readonly Outcome[]).includes(outcome);
}

/** Whether a webhook with this outcome is left out of the later rounds of its message. */
export function isLeftOut(rules: Pick<DeliveryRules, 'retryOn'>, outcome: Outcome): boolean {
  return outcome === 'declined' && !asksForAnotherRound(rules, outcome);
}
