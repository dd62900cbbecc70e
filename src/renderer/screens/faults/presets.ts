/** Sets of rules for real-world conditions. */
import type { FaultAction, FaultKind, FaultRuleInput } from '../../../contract/faults.ts';

export interface FaultPreset {
  readonly name: string;
  readonly about: string;
  readonly rules: readonly FaultRuleInput[];
}

export const FAULT_PRESETS: readonly FaultPreset[] = [
  {
    name: 'Rate limited',
    about: 'The first 2 requests of each client get 429 with Retry-After 2.',
    rules: [{ action: { kind: 'status', status: 429, retryAfter: 2 }, when: { mode: 'first', requests: 2 } }],
  },
  {
    name: 'Outage',
    about: '3 of every 6 requests, in a row, get 503.',
    rules: [{ action: { kind: 'status', status: 503 }, when: { mode: 'burst', fail: 3, pass: 3 } }],
  },
  {
    name: 'Flaky network',
    about: '20 % of requests are reset.',
    rules: [{ action: { kind: 'reset', when: 'after' }, when: { mode: 'rate', percent: 20 } }],
  },
  { name: 'Slow', about: 'Every request waits 3 s.', rules: [{ action: { kind: 'delay', ms: 3_000 } }] },
  {
    name: 'Lost answers',
    about: 'The calls are stored, then half of the requests are reset: clients send them again.',
    rules: [{ action: { kind: 'reset', when: 'after' }, when: { mode: 'rate', percent: 50 }, store: true }],
  },
  {
    name: 'Empty 200',
    about: 'The calls are stored and answered with 200 without a body.',
    rules: [{ action: { kind: 'empty' }, store: true }],
  },
];

/** The initial values when the user chooses another kind. */
export const NEW_ACTIONS: Readonly<Record<FaultKind, FaultAction>> = {
  status: { kind: 'status', status: 503, retryAfter: null, retryAfterForm: 'seconds' },
  delay: { kind: 'delay', ms: 3_000 },
  stall: { kind: 'stall', ms: 30_000 },
  reset: { kind: 'reset', when: 'after' },
  empty: { kind: 'empty' },
  content_type: { kind: 'content_type', contentType: 'text/html' },
  drip: { kind: 'drip', bytesPerSecond: 2 },
};

export const ACTION_NAMES: Readonly<Record<FaultKind, string>> = {
  status: 'a status',
  delay: 'a delay',
  stall: 'no answer',
  reset: 'a reset',
  empty: 'an empty 200',
  content_type: 'another content type',
  drip: 'a slow answer',
};
