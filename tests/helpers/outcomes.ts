import type { Outcome } from '../../src/core/model/attempt.ts';

/** Every outcome of an attempt. */
export const OUTCOMES: readonly Outcome[] = [
  'accepted',
  'failed',
  'timed_out',
  'no_connection',
  'refused_certificate',
  'declined',
  'throttled',
  'interrupted',
];
