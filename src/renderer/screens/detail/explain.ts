/**
 * Explains the message's state in a title and one sentence: what happened, why, and what to do next (design/ui,
 * sections 6 and 11). Pure.
 */
import { FINAL_STATES } from '../../../contract/names.ts';
import { type NotSendingReasonName, notSendingWords } from '../../../contract/not-sending.ts';
import type { RetryView, RulesView } from '../../../contract/rules.ts';
import type { AttemptView, MessageRow, WebhookView } from '../../../contract/values.ts';
import { formatDuration, formatSpan, plural } from '../../lib/format.ts';
import { attemptSentence, limitOf, type Policy } from '../../lib/words/attempt-sentence.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { notSelectedText } from '../../lib/words/selection.ts';
import { ownAttempts } from '../../message/attempts.ts';
import { declinedWebhooks } from './lanes.ts';

export interface Situation {
  readonly message: MessageRow;
  readonly attempts: readonly AttemptView[];
  readonly webhooks: readonly Pick<WebhookView, 'id' | 'slot' | 'name' | 'enabled'>[];
  /** The current delivery rules, which decide the message's future. */
  readonly rules: Pick<RulesView, 'retry' | 'timeoutMs' | keyof Policy>;
  /** The most pressing reason why nothing at all is sent, or null. */
  readonly standstill: NotSendingReasonName | null;
  readonly sourceName: string | null;
}

export interface Explanation {
  readonly title: string;
  /** Retry-clock time that the title counts down to, or null. */
  readonly countdownTo: number | null;
  readonly sentence: string;
}

const NUMBERS = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
];

/** `One round`, `Seven rounds`, `31 rounds`: to begin a sentence with. */
export const roundsInWords = (n: number): string => `${NUMBERS[n] ?? n} ${n === 1 ? 'round' : 'rounds'}`;

/** `a`, `a and b`, `a, b and c`. */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

type HasState = Pick<MessageRow, 'state'>;
export const isFinal = (message: HasState): boolean => FINAL_STATES.has(message.state);

/** Retry now makes a waiting message due. In any other state the engine refuses it. */
export const canRetryNow = (message: HasState): boolean => message.state === 'retrying';
/** Any message that is still to be tried can be stopped. */
export const canStop = (message: HasState): boolean => !isFinal(message);

/** The length of the retry window: the message's own once it was tried, otherwise that of the rules. */
export const windowOf = (message: MessageRow, rules: RetryView): number =>
  message.windowEndsAt !== null && message.firstAttemptAt !== null
    ? message.windowEndsAt - message.firstAttemptAt
    : rules.windowMs;

const STILL_REPLAYABLE = 'You can still replay it.';

/** The state line of the Attempts tab. */
export function explain(situation: Situation): Explanation {
  const { message, sourceName } = situation;
  switch (message.state) {
    case 'rejected':
      return still(rejectText(message.reason, message.reasonDetail), 'It is kept here and was never delivered.');
    case 'not_selected':
      return still(notSelectedText(message.reason, sourceName, message.notes), `Nothing was sent. ${STILL_REPLAYABLE}`);
    case 'queued':
      return queued(situation);
    case 'delivering':
      return delivering(situation);
    case 'waiting':
      return still('Waiting for a sender', 'Every sender of the webhooks still to be tried is busy.');
    case 'retrying':
      return retrying(situation);
    case 'delivered':
      return delivered(situation);
    case 'failed':
      return failed(situation);
    case 'expired': {
      const span = formatSpan(windowOf(message, situation.rules.retry));
      const after = `${span}, ${plural(message.round, 'round')}`;
      return still(`Expired after ${after}`, `No webhook accepted this message within ${span}. ${STILL_REPLAYABLE}`);
    }
    case 'stopped':
      return still(
        'Stopped',
        message.round === 0
          ? `You stopped it before the first round. ${STILL_REPLAYABLE}`
          : `You stopped the retries after ${plural(message.round, 'round')}. ${STILL_REPLAYABLE}`,
      );
    case 'paused':
      return paused(situation);
  }
}

const still = (title: string, sentence: string): Explanation => ({ title, countdownTo: null, sentence });

function queued({ message, standstill }: Situation): Explanation {
  const title = message.round > 0 ? `Queued for round ${message.round + 1}` : 'Not tried yet';
  return still(title, pauseReason(standstill) || 'Its turn has not come yet.');
}

function delivering({ message, attempts, rules }: Situation): Explanation {
  const open = ownAttempts(attempts).filter((attempt) => attempt.outcome === null).length;
  return still(
    open > 0 ? `Delivering, ${plural(open, 'request')} open` : 'Delivering',
    `Round ${Math.max(1, message.round)} is under way. Each webhook has ${formatSpan(rules.timeoutMs)} to answer.`,
  );
}

function retrying({ message, attempts, rules, standstill }: Situation): Explanation {
  const own = ownAttempts(attempts);
  const interrupted = own.some((attempt) => attempt.outcome === 'interrupted' && attempt.round === message.round);
  const past = interrupted
    ? `Hookbench stopped during round ${message.round}, so its result is not known.`
    : message.round > 0
      ? `${roundsInWords(message.round)} failed on every webhook.`
      : '';
  const ahead = pauseReason(standstill) || `Expires at ${formatSpan(windowOf(message, rules.retry))} if none succeeds.`;
  return {
    title: `Retrying. Round ${message.round + 1}`,
    countdownTo: message.nextDueAt,
    sentence: sentences(past, rules.retryOn.includes('declined') ? '' : leftOut(own), ahead),
  };
}

/** Says which webhooks declined. Later rounds leave them out. */
function leftOut(own: readonly AttemptView[]): string {
  const declined = declinedWebhooks(own);
  if (declined.size === 0) return '';
  const names = new Map(
    own.filter((one) => declined.has(one.webhookId)).map((one) => [one.webhookId, one.webhookName]),
  );
  return `${listed([...names.values()])} declined and ${names.size === 1 ? 'is' : 'are'} not tried again.`;
}

function delivered({ message, attempts }: Situation): Explanation {
  if (message.reason === 'every_webhook_left_out')
    return still(
      'Counted as delivered',
      `Every webhook was left out after repeated errors, so none was tried. The delivery rules count that as delivered. ${STILL_REPLAYABLE}`,
    );
  const own = ownAttempts(attempts);
  const winners = own.filter((attempt) => attempt.outcome === 'accepted');
  const by = winners.length > 2 ? plural(winners.length, 'webhook') : listed(winners.map((one) => one.webhookName));
  const after = message.finishedAt === null ? null : Math.max(0, message.finishedAt - message.receivedAt);
  const others = new Set(own.map((attempt) => attempt.webhookId)).size > winners.length;
  return still(
    `Delivered${by === '' ? '' : ` by ${by}`} in round ${winners[0]?.round ?? message.round}`,
    sentences(
      after === null ? '' : `Accepted ${formatDuration(after)} after it was received.`,
      others ? 'The other webhooks are not tried again.' : '',
    ),
  );
}

function failed({ message, attempts, rules }: Situation): Explanation {
  if (message.reason === 'body_damaged')
    return still('Failed', 'The stored body does not match its checksum, so it is not sent.');
  const last = [...new Map(ownAttempts(attempts).map((attempt) => [attempt.webhookId, attempt])).values()];
  const only = last.length === 1 ? last[0] : undefined;
  const why =
    only === undefined
      ? 'Every webhook gave an answer that is not retried.'
      : attemptSentence(only, limitOf(only, rules.timeoutMs), rules);
  return still('Failed', `${why} ${STILL_REPLAYABLE}`);
}

function paused({ standstill, webhooks }: Situation): Explanation {
  const off =
    webhooks.length === 0
      ? 'No webhook is set up. Add one in Webhooks.'
      : webhooks.some((webhook) => webhook.enabled)
        ? 'Only webhooks that are off would be tried again. Turn one of them on in Webhooks.'
        : 'Every webhook is off. Turn one on in Webhooks.';
  return still('Paused', pauseReason(standstill) || off);
}

function pauseReason(reason: NotSendingReasonName | null): string {
  if (reason === null) return '';
  if (reason === 'by_person') return 'Delivery is paused by you. Resume it to go on.';
  const { clause, remedy } = notSendingWords[reason];
  return `Nothing is sent: ${clause}. ${remedy}`;
}
