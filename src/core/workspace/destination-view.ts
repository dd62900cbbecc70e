/** The destination as clients see it, and schedules: that of the rules and that of a message. */

import type { DrawnRoundView, ScheduleView } from '../../contract/rules.ts';
import type { AttemptView, DestinationView, MessageRow } from '../../contract/values.ts';
import type { DestinationSettings } from '../model/records.ts';
import { profileOf, type RetryRules, rulesOf } from '../model/rules.ts';
import { type DrawnRound, plannedRounds, windowEnd } from '../model/schedule.ts';
import { DUE_STATES } from '../model/vocabulary.ts';

/** How many rounds are listed at most. The default rules give 18. */
const MAX_ROUNDS = 100;

export function destinationView(
  settings: DestinationSettings,
  caFile: DestinationView['caFile'],
  secret: DestinationView['secret'],
): DestinationView {
  const { enabled, paused } = settings;
  const { retry, retryOn, ...rules } = rulesOf(settings);
  const { waitsMs, ...exponential } = retry;
  return {
    ...rules,
    retry: { ...exponential, ...(waitsMs && { waitsMs: [...waitsMs] }) },
    retryOn: [...retryOn],
    enabled,
    paused,
    profile: profileOf(settings),
    schedule: nominalSchedule(retry),
    caFile,
    secret,
  };
}

/** The schedule of the rules alone: times count from the first attempt, without jitter and Retry-After. */
export function nominalSchedule(retry: RetryRules): ScheduleView {
  const rounds = plannedRounds(retry, { messageRow: null, firstAttemptAt: 0, limit: MAX_ROUNDS + 1 });
  return listed(rounds, windowEnd(retry, 0), () => null);
}

type Tried = Pick<AttemptView, 'round' | 'clockAt' | 'startedAt'>;

/**
 * A message's rounds: past, due and planned, in retry-clock and wall time. `wallOf` converts retry-clock time to wall
 * time; null while the clock is paused. The result is null for a message that has no round and will have none.
 */
export function messageSchedule(
  retry: RetryRules,
  message: Pick<MessageRow, 'id' | 'state' | 'nextDueAt' | 'firstAttemptAt' | 'windowEndsAt'>,
  attempts: readonly Tried[],
  now: number,
  wallOf: (at: number) => number | null,
): ScheduleView | null {
  const waits = DUE_STATES.has(message.state);
  const starts = roundStarts(attempts);
  if (starts.length === 0 && !waits) return null;
  const firstAttemptAt = message.firstAttemptAt ?? message.nextDueAt ?? now;
  const windowEndsAt = message.windowEndsAt ?? windowEnd(retry, firstAttemptAt);
  const rounds = plannedRounds(retry, {
    messageRow: message.id,
    firstAttemptAt,
    windowEndsAt,
    startedAt: starts.map(({ clockAt }) => clockAt),
    dueAt: message.state === 'retrying' ? message.nextDueAt : null,
    limit: MAX_ROUNDS + 1,
  });
  const kept = waits ? rounds : rounds.filter(({ kind }) => kind === 'past');
  return listed(kept, windowEndsAt, ({ kind, round, at }) =>
    kind === 'past' ? (starts[round - 1]?.startedAt ?? null) : wallOf(at),
  );
}

/** The first attempt of each round. */
function roundStarts(attempts: readonly Tried[]): Tried[] {
  const first = new Map<number, Tried>();
  for (const attempt of attempts) {
    const known = first.get(attempt.round);
    if (known === undefined || attempt.clockAt < known.clockAt) first.set(attempt.round, attempt);
  }
  return [...first.values()].sort((a, b) => a.round - b.round);
}

function listed(
  rounds: readonly DrawnRound[],
  windowEndsAt: number,
  wallOf: (round: DrawnRound) => number | null,
): ScheduleView {
  const views: DrawnRoundView[] = rounds
    .slice(0, MAX_ROUNDS)
    .map(({ round, kind, at }) => ({ round, kind, at: Math.round(at), wallAt: wallOf({ round, kind, at }) }));
  return { rounds: views, windowEndsAt, more: rounds.length > MAX_ROUNDS };
}
