/** Delivery rules: one schema for the contract and config files. */
import { z } from 'zod';

import { DEFAULT_RETRY, RETRYABLE } from '../core/model/vocabulary.ts';

export type { ProfileName as ProfileNameView } from '../core/model/vocabulary.ts';

const DAY_MS = 86_400_000;
const waitMs = z.number().int().min(1).max(DAY_MS);

/** When the next round follows; milliseconds of the retry clock. */
export const retryInput = z.strictObject({
  baseMs: waitMs.default(DEFAULT_RETRY.baseMs),
  factor: z.number().min(1).max(100).default(DEFAULT_RETRY.factor),
  maxMs: waitMs.default(DEFAULT_RETRY.maxMs),
  windowMs: z
    .number()
    .int()
    .min(0)
    .max(7 * DAY_MS)
    .default(DEFAULT_RETRY.windowMs),
  jitter: z.number().min(0).max(1).default(DEFAULT_RETRY.jitter),
  seed: z.number().int().default(DEFAULT_RETRY.seed),
  /** The waits after round 1, 2, …, in place of base, factor and longest. No round follows the last wait's round. */
  waitsMs: z.array(z.number().int().min(0).max(DAY_MS)).max(100).optional(),
});

export const rulesInput = z.strictObject({
  body: z.enum(['documented', 'pass-through']).optional(),
  userAgent: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[\x20-\x7e]+$/, 'only printable ASCII')
    .optional(),
  signature: z.enum(['x-signature', 'standard-webhooks']).optional(),
  /** Real milliseconds for one attempt. */
  timeoutMs: z.number().int().min(1_000).max(30_000).optional(),
  retry: retryInput.optional(),
  retryOn: z.array(z.enum(RETRYABLE)).max(RETRYABLE.length).optional(),
  retryAfter: z.boolean().optional(),
  redirects: z.enum(['decline', 'follow']).optional(),
  breaker: z
    .strictObject({ errors: z.number().int().min(1).max(10_000), forgetMs: z.number().int().min(1).max(DAY_MS) })
    .nullable()
    .optional(),
});

export type RetryView = z.output<typeof retryInput>;
export type RulesView = Required<z.output<typeof rulesInput>>;

/** One round as the schedule draws it. */
export interface DrawnRoundView {
  /** From 1. */
  round: number;
  /** `past` has started, `due` is the one that the message waits for, `planned` would follow if all fail. */
  kind: 'past' | 'due' | 'planned';
  /** Retry-clock time of its start. In the schedule of the rules alone, counted from the first attempt. */
  at: number;
  /**
   * Wall time at which it started, or will start at the current speed. Null while the clock is paused, and in the
   * schedule of the rules alone.
   */
  wallAt: number | null;
}

export interface ScheduleView {
  rounds: DrawnRoundView[];
  /** Retry-clock time after which no attempt starts. */
  windowEndsAt: number;
  /** True when more rounds would follow than are listed. */
  more: boolean;
}
