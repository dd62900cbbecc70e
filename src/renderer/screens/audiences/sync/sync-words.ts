/** Texts of the page of a sync (design/ui, section 17). Pure. */
import type { AudienceKind, SyncCallRow, SyncDetail, SyncEvent, SyncRow } from '../../../../contract/audiences.ts';
import { MESSAGE_STATES } from '../../../../contract/names.ts';
import type { MessageStateName } from '../../../../contract/values.ts';
import { formatCount, formatDuration, plural } from '../../../lib/format.ts';
import { ATTEMPT_WORDS, type AttemptKind } from '../../../lib/words/attempts.ts';
import { STATE_WORDS } from '../../../lib/words/states.ts';
import { sentOf, waitText } from '../words.ts';

export type Noun = 'member' | 'user' | 'call';

/** What a sync counts: members of a first sync, users of a trait, calls where a user gets more than one. */
export function nounOf({ kind }: Pick<SyncRow, 'kind'>, of: { kind: AudienceKind; track: boolean }): Noun {
  if (of.track) return 'call';
  return kind === 'first' && of.kind === 'audience' ? 'member' : 'user';
}

export const settledOf = ({ ledger }: Pick<SyncRow, 'ledger'>): number => ledger.delivered + ledger.failed;

/** Real milliseconds until nothing waits; null when that cannot be said. */
export function leftMs(sync: SyncDetail): number | null {
  const { state, ledger, perSecond } = sync;
  // Nobody knows how long it still waits.
  if (state !== 'running' || waitText(sync) !== null) return null;
  return perSecond > 0 && ledger.waiting > 0 ? (ledger.waiting / perSecond) * 1_000 : null;
}

/** `612`, `4.2`: a rate under 10 has one decimal. */
export const rateText = (perSecond: number): string =>
  perSecond >= 10 || perSecond === 0 ? formatCount(Math.round(perSecond)) : perSecond.toFixed(1);

const BY: Record<NonNullable<SyncEvent['by']>, string> = {
  person: 'by you',
  change: 'by a change',
  clock: 'by the retry clock',
  restart: 'by a restart',
};

/** `Started by you, 100,000 members`, `Stopped by you at 16,418`, `Resumed with member 16,419`. */
export function eventText(event: SyncEvent, expected: number | null, noun: Noun): string {
  const { what, by, sent } = event;
  const who = by === null ? '' : ` ${BY[by]}`;
  switch (what) {
    case 'started':
      return `Started${who}${expected === null ? '' : `, ${plural(expected, noun)}`}`;
    case 'stopped':
      return `Stopped${who} at ${formatCount(sent ?? 0)}`;
    case 'resumed': {
      const alone = by === 'person' || by === null ? '' : who;
      return `Resumed${alone} with ${noun} ${formatCount((sent ?? 0) + 1)}`;
    }
    case 'left_out':
      return `${plural(event.calls, 'call')} left out: ${event.calls === 1 ? 'its user is' : 'their users are'} suppressed or erased`;
    case 'done':
      return 'Done';
  }
}

const isStatus = (reason: string): boolean => /^\d{3}$/.test(reason);
const isState = (reason: string): reason is MessageStateName => (MESSAGE_STATES as readonly string[]).includes(reason);
const isOutcome = (reason: string): reason is AttemptKind => Object.hasOwn(ATTEMPT_WORDS, reason);

/** `9 × 422`, `1 mixed`, `3 expired`. */
export function groupText({ reason, count }: { reason: string; count: number }): string {
  const n = formatCount(count);
  if (isStatus(reason)) return `${n} \u00d7 ${reason}`;
  return `${n} ${reasonWord(reason).toLowerCase()}`;
}

function reasonWord(reason: string): string {
  if (isState(reason)) return STATE_WORDS[reason].word;
  return isOutcome(reason) ? ATTEMPT_WORDS[reason].word : 'Mixed';
}

const ALL = ['', '', 'both', 'all three', 'all four', 'all five'];
const NOT_TRIED = new Set(['.', 'x', 'p', 'w']);

/** Why a call failed, in a red word and the rest: `Declined`, `422 from all three`. `cells` are those of its message. */
export function failedText(
  { reason }: Pick<SyncCallRow, 'reason'>,
  cells: string | null,
): [word: string, rest: string] {
  if (reason === null) return ['Failed', ''];
  const tried = [...(cells ?? '')].filter((cell) => !NOT_TRIED.has(cell)).length;
  const from = ALL[tried] === undefined || ALL[tried] === '' ? '' : ` from ${ALL[tried]}`;
  if (isStatus(reason)) return [statusWord(Number(reason)), `${reason}${from}`];
  if (isState(reason)) return [STATE_WORDS[reason].word, ''];
  if (isOutcome(reason)) return [ATTEMPT_WORDS[reason].word, from === '' ? '' : from.replace('from', 'at').trim()];
  return ['Failed', 'with different answers'];
}

function statusWord(status: number): string {
  if (status === 429) return ATTEMPT_WORDS.throttled.word;
  if (status >= 500) return ATTEMPT_WORDS.failed.word;
  return status < 400 ? ATTEMPT_WORDS.redirect.word : ATTEMPT_WORDS.declined.word;
}

/** The chart in words. */
export function courseSentence(
  sync: SyncDetail,
  noun: Noun,
  stops: ReadonlyArray<{ from: number; to: number }>,
): string {
  const first = sync.series[0];
  const last = sync.series.at(-1);
  if (first === undefined || last === undefined || last[0] <= first[0]) return 'No rate yet.';
  const stopped = stops.reduce((sum, { from, to }) => sum + (to - from), 0);
  const ran = last[0] - first[0] - stopped;
  const rate = ran <= 0 ? 0 : (settledOf(sync) / ran) * 1_000;
  const rest = leftMs(sync);
  return [
    `About ${rateText(rate)} ${noun}s per second for ${formatDuration(ran)}`,
    stopped > 0 ? `, with ${plural(stops.length, 'stop')} of ${formatDuration(stopped)}` : '',
    '.',
    rest === null ? '' : ` ${formatDuration(rest)} to go.`,
  ].join('');
}

/** `41,288 members sent, each in one message of its own; none twice` */
export function sentText(sync: SyncRow, noun: Noun): string {
  const sent = sentOf(sync);
  return sent === 0
    ? 'Nothing is sent so far'
    : `${plural(sent, noun)} sent, each in one message of its own; none twice`;
}
