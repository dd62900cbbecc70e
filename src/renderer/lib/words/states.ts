/** The states of a message in words (design/ui, sections 6 and 11). */
import type { MessageRow, MessageStateName } from '../../../contract/values.ts';
import type { GlyphName } from '../../components/glyphs.tsx';
import { formatClock, formatSpan, plural } from '../format.ts';
import { reasonWords, rejectShort, rejectWords } from './rejections.ts';
import type { Tone } from './tone.ts';

export interface StateWord {
  word: string;
  glyph: GlyphName;
  tone: Tone;
  /** One line for legends and tooltips. */
  about: string;
}

export const STATE_WORDS: Record<MessageStateName, StateWord> = {
  rejected: {
    word: 'Rejected',
    glyph: 'rejected',
    tone: 'bad',
    about: 'Refused at ingest. Kept here, never delivered.',
  },
  not_selected: {
    word: 'Not selected',
    glyph: 'not_selected',
    tone: 'quiet',
    about: 'Turned off by integrations, or the event, the source or the destination is off.',
  },
  queued: { word: 'Queued', glyph: 'queued', tone: 'quiet', about: 'Its next round has not begun.' },
  delivering: { word: 'Delivering', glyph: 'delivering', tone: 'accent', about: 'At least one request is open.' },
  waiting: {
    word: 'Waiting',
    glyph: 'waiting',
    tone: 'quiet',
    about: 'Its round has begun. Every sender of the webhooks still to be tried is busy.',
  },
  delivered: { word: 'Delivered', glyph: 'delivered', tone: 'ok', about: 'One webhook answered 2xx. Final.' },
  retrying: {
    word: 'Retrying',
    glyph: 'retrying',
    tone: 'warn',
    about: 'No webhook has accepted it yet. Counts down to the next round.',
  },
  failed: {
    word: 'Failed',
    glyph: 'failed',
    tone: 'bad',
    about: 'Every webhook gave an answer that is not retried. Final.',
  },
  expired: { word: 'Expired', glyph: 'expired', tone: 'bad', about: 'No success within the retry window. Final.' },
  stopped: {
    word: 'Stopped',
    glyph: 'stopped',
    tone: 'quiet',
    about: 'You stopped the retries. Final until replayed.',
  },
  paused: { word: 'Paused', glyph: 'paused', tone: 'quiet', about: 'Delivery or every webhook is paused.' },
};

/** The order in which states are listed: those that need a decision first. */
export const STATE_ORDER: readonly MessageStateName[] = [
  'retrying',
  'delivering',
  'waiting',
  'queued',
  'paused',
  'failed',
  'expired',
  'rejected',
  'not_selected',
  'stopped',
  'delivered',
];

/** The text after the state word in a row, apart from the countdown: `41.2 KB`, `4 h`. May be empty. */
export function stateExtra(row: MessageRow): string {
  if (row.state === 'waiting') return 'for a sender';
  if (row.state === 'rejected') return rejectShort(row.reason, row.reasonDetail);
  if (row.state === 'expired' && row.firstAttemptAt !== null && row.windowEndsAt !== null)
    return formatSpan(row.windowEndsAt - row.firstAttemptAt);
  return '';
}

/** As {@link stateExtra} where there is room for a sentence. */
export const stateExtraInFull = (row: MessageRow): string =>
  row.state === 'rejected' ? rejectWords(row.reason, row.reasonDetail) : stateExtra(row);

/** As {@link stateExtraInFull}, without the details of this call. */
export const stateExtraOfReason = (row: MessageRow): string =>
  row.state === 'rejected' && row.reason !== null ? reasonWords(row.reason) : stateExtra(row);

/**
 * The state for a screen reader. `nextRoundAt` is the wall time of the next round, Infinity while the clock is paused.
 */
export function stateSentence(row: MessageRow, nextRoundAt: number | null = null): string {
  switch (row.state) {
    case 'rejected':
      return `rejected at ingest, ${rejectWords(row.reason, row.reasonDetail)}`;
    case 'not_selected':
      return `not selected${row.reason?.startsWith('integrations') ? ' by integrations' : ''}`;
    case 'queued':
      return 'queued';
    case 'delivering':
      return `delivering, ${plural(count(row.cells, 's'), 'request')} open`;
    case 'waiting':
      return 'waiting for a sender';
    case 'delivered':
      return row.reason === 'every_webhook_left_out'
        ? 'counted as delivered, every webhook was left out'
        : `delivered in round ${row.round}`;
    case 'retrying':
      if (nextRoundAt === null) return 'retrying';
      return Number.isFinite(nextRoundAt)
        ? `retrying, next round at ${formatClock(nextRoundAt)}`
        : 'retrying, clock paused';
    case 'failed':
      return 'failed, no retry for these answers';
    case 'expired':
      return `expired${stateExtra(row) === '' ? '' : ` after ${stateExtra(row)}`}, ${plural(row.round, 'round')}`;
    case 'stopped':
      return 'retries stopped by you';
    case 'paused':
      return 'delivery paused';
  }
}

const count = (text: string, character: string): number => text.split(character).length - 1;
