/** Texts of the deletions screen (design/ui, section 17). Pure. */
import type {
  DeletionDetail,
  DeletionRow,
  DeletionsView,
  NearId,
  PreviewUser,
  SearchView,
} from '../../../contract/deletions.ts';
import type { MessageStateName } from '../../../contract/values.ts';
import type { GlyphName } from '../../components/glyphs.tsx';
import { formatClock, formatCount, formatDay, formatSize, plural, sameDay } from '../../lib/format.ts';
import { STATE_ORDER, STATE_WORDS } from '../../lib/words/states.ts';
import type { Tone } from '../../lib/words/tone.ts';

/** Why a source gets no notice about a user, and what a user reads of it. */
export const NO_NOTICE_WORDS = {
  does_not_know: 'does not know it',
  destination_off: 'destination off',
  no_webhook: 'no webhook',
  source_removed: 'source removed',
} as const;

export interface RequestWord {
  readonly word: string;
  readonly glyph: GlyphName;
  readonly tone: Tone;
  /** Retry-clock time of the next round, for a countdown after the word. */
  readonly nextDueAt: number | null;
}

/** The state of a request as a row shows it. An erase goes on while the notices still wait. */
export function requestWord({ state, phase, states, nextDueAt, notices }: DeletionRow): RequestWord {
  const plain = { nextDueAt: null };
  if (phase === 'erasing') return { word: 'Erasing', glyph: 'delivering', tone: 'accent', ...plain };
  if (phase === 'searching') return { word: 'Searching', glyph: 'delivering', tone: 'accent', ...plain };
  switch (state) {
    case 'pending':
      return states.paused === undefined
        ? { word: 'Pending', glyph: 'queued', tone: 'quiet', ...plain }
        : { word: 'Pending, paused', glyph: 'paused', tone: 'quiet', ...plain };
    case 'done':
      return { word: 'Done', glyph: 'delivered', tone: 'ok', ...plain };
    case 'partly_failed':
      return { word: 'Partly failed', glyph: 'failed', tone: 'bad', ...plain };
    case 'failed': {
      const [only, ...others] = (Object.keys(states) as MessageStateName[]).filter((one) => one !== 'delivered');
      if (only === undefined || only === 'failed' || others.length > 0)
        return { word: 'Failed', glyph: 'failed', tone: 'bad', ...plain };
      const { word, glyph } = STATE_WORDS[only];
      return { word: `Failed, ${word.toLowerCase()}`, glyph, tone: 'bad', ...plain };
    }
    case 'running':
      if (nextDueAt !== null && states.delivering === undefined && notices.waiting === (states.retrying ?? 0))
        return { word: 'Retrying', glyph: 'retrying', tone: 'warn', nextDueAt };
      return { word: 'Running', glyph: 'delivering', tone: 'accent', ...plain };
  }
}

/** From here on the numbers alone fill the column. */
const MANY_NOTICES = 10;

/** `4 of 5 sent`. */
export function sentText({ notices: { total, delivered } }: Pick<DeletionRow, 'notices'>): string {
  if (total === 0) return 'none to send';
  return `${formatCount(delivered)} of ${formatCount(total)}${total < MANY_NOTICES ? ' sent' : ''}`;
}

/** `14:34:12` today, else `19 Nov`. */
export const createdText = (at: number, now: number): string =>
  sameDay(at, now) ? formatClock(at) : formatDay(at).split(' ').slice(0, 2).join(' ');

export interface StatePart {
  readonly text: string;
  readonly isBad: boolean;
}

/** `4 delivered`, `1 expired`: how many notices are in each state; those not stored yet come last. */
export function stateParts({ states, notices }: Pick<DeletionRow, 'states' | 'notices'>): StatePart[] {
  const parts = [...STATE_ORDER].reverse().flatMap((state): StatePart[] => {
    const n = states[state] ?? 0;
    if (n === 0) return [];
    const { word, tone } = STATE_WORDS[state];
    return [{ text: `${formatCount(n)} ${word.toLowerCase()}`, isBad: tone === 'bad' }];
  });
  const stored = Object.values(states).reduce((sum, n) => sum + n, 0);
  const unsent = notices.total - stored;
  return unsent > 0 ? [...parts, { text: `${formatCount(unsent)} not sent yet`, isBad: false }] : parts;
}

/** `5 by this request, 1 by that of 10:15:00.` */
export function suppressedByText(
  { byRequest, users }: DeletionsView['suppressed'],
  shownId: number | null,
  now: number,
): string {
  const MOST = 3;
  const shown = byRequest.slice(0, MOST);
  const parts = shown.map(({ requestId, createdAt, users: n }) => {
    if (requestId === null) return `${formatCount(n)} without a request`;
    if (requestId === shownId) return `${formatCount(n)} by this request`;
    return `${formatCount(n)} by that of ${createdAt === null ? 'before' : createdText(createdAt, now)}`;
  });
  const rest = users - shown.reduce((sum, { users: n }) => sum + n, 0);
  if (rest > 0) parts.push(`${formatCount(rest)} by others`);
  return `${parts.join(', ')}.`;
}

/** What the search after an erase has shown; null while nothing can be said. */
export function searchText({ finishedAt, bytes, found, files }: SearchView, detail: DeletionDetail): string | null {
  if (finishedAt === null) return detail.phase === 'searching' ? 'Looking through the store.' : null;
  const looked = `Looked through ${formatSize(bytes)} afterwards:`;
  if (found > 0) {
    const rows = found === 1 ? '1 other row mentions' : `${formatCount(found)} other rows mention`;
    return `${looked} ${rows} one of the ids, for example a call of another user or an answer of a receiver. Nothing of them was changed.`;
  }
  if (detail.forgotten || detail.forget) return `${looked} no row mentions one of the ids.`;
  const places = ['in this request'];
  const { total } = detail.notices;
  if (total > 0) places.push(total === 1 ? 'its notice' : `its ${formatCount(total)} notices`);
  if (detail.suppress) places.push('the suppression list');
  const last = places.pop()!;
  const where = files === 'cleared' ? '' : 'among the rows, ';
  return `${looked} ${where}the ids are only ${places.length === 0 ? last : `${places.join(', ')} and ${last}`}.`;
}

const DIFFERENCES: Record<NearId['differsIn'], string> = {
  case: 'differs only in case from',
  spaces: 'differs only in spaces from',
  spaces_and_case: 'differs only in spaces and case from',
};
export const nearText = ({ differsIn }: NearId): string => DIFFERENCES[differsIn];

export const callsText = (n: number): string => plural(n, 'call');
export const noticesText = (n: number): string => plural(n, 'notice');

/** The mark of a line of the input, the first that applies. */
export type LineMark =
  | { readonly kind: 'known'; readonly calls: number | null }
  | { readonly kind: 'near'; readonly near: NearId }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'same'; readonly line: number };

export function markOf(user: Pick<PreviewUser, 'calls' | 'near'>): LineMark {
  if (user.calls > 0) return { kind: 'known', calls: user.calls };
  const [near] = user.near;
  return near === undefined ? { kind: 'unknown' } : { kind: 'near', near };
}
