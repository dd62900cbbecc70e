/** A message's recorded history under another profile, as clients see it. */
import type { ProfileComparison } from '../../contract/values.ts';
import { parseRetryAfter } from '../model/backoff.ts';
import { compared, type RecordedAttempt, requestDifferences } from '../model/compare.ts';
import { type DeliveryRules, PROFILES } from '../model/rules.ts';
import type { MessageRecord } from '../model/stored.ts';
import type { ProfileName } from '../model/vocabulary.ts';
import type { DetailStore } from '../store/ports/details.ts';
import { nominalSchedule } from '../workspace/destination-view.ts';
import { attemptView } from './views.ts';

/** `now` are the rules that hold now. */
export function comparison(
  details: Pick<DetailStore, 'attemptsOf'>,
  now: DeliveryRules,
  message: MessageRecord,
  profile: ProfileName,
): ProfileComparison {
  const rules = { ...PROFILES[profile], retry: { ...PROFILES[profile].retry, seed: now.retry.seed } };
  const attempts = details.attemptsOf(message.id).map(attemptView);
  const own = attempts.filter(({ replayId, outcome }) => replayId === null && outcome !== null);
  const recorded: RecordedAttempt[] = own.map((attempt) => ({
    id: attempt.id,
    round: attempt.round,
    webhookId: attempt.webhookId,
    outcome: attempt.outcome!,
    status: attempt.status,
    durationMs: attempt.durationMs ?? 0,
    clockAt: attempt.clockAt,
    retryAfterMs: retryAfterOf(attempt.responseHeaders, attempt.startedAt),
  }));
  const { judgements, partsAfterRound, verdict } = compared(
    { messageRow: message.id, state: message.state, attempts: recorded },
    rules,
  );
  return {
    profile,
    requests: requestDifferences(now, rules),
    attempts: own.map(({ id, round, slot, outcome }, i) => ({
      attemptId: id,
      round,
      slot,
      recorded: outcome!,
      under: judgements[i]!.under,
      why: judgements[i]!.why,
    })),
    partsAfterRound,
    verdict,
    schedule: nominalSchedule(rules.retry),
  };
}

function retryAfterOf(headers: ReadonlyArray<{ name: string; value?: string }>, at: number): number | null {
  const header = headers.find(({ name }) => name.toLowerCase() === 'retry-after');
  return parseRetryAfter(header?.value, at);
}
