/** Texts of the audiences screen (design/ui, section 17). Pure. */
import type {
  AudienceCounts,
  AudienceRow,
  DryRun,
  PropertyView,
  SyncPlan,
  SyncRow,
} from '../../../contract/audiences.ts';
import { notSendingWords } from '../../../contract/not-sending.ts';
import { formatClock, formatCount, formatDay, formatPercent, plural, sameDay, upperFirst } from '../../lib/format.ts';
import { formatRoute } from '../../stores/route.ts';

const MINUS = '\u2212';

/** How many users the next sync sends. */
export const pendingCount = ({ toAdd, toRemove, toChange }: AudienceCounts): number => toAdd + toRemove + toChange;

type Counted = Pick<AudienceRow, 'isCounted' | 'counts'>;

/** 0 is no number of members while they are counted for the first time. */
export const knowsMembers = ({ isCounted, counts }: Counted): boolean => isCounted || counts.members > 0;

export const membersText = (row: Counted): string =>
  knowsMembers(row) ? formatCount(row.counts.members) : 'Not counted yet';

export const isRunning = (sync: SyncRow | null): sync is SyncRow =>
  sync !== null && (sync.state === 'preparing' || sync.state === 'running');

export const isStopped = (sync: SyncRow | null): sync is SyncRow => sync?.state === 'stopped';

/** How many calls of a sync were handed to delivery. */
export const sentOf = ({ ledger }: SyncRow): number => (ledger.expected ?? 0) - ledger.unsent;

const settledOf = ({ ledger }: SyncRow): number => ledger.delivered + ledger.failed;

/** `+3 −2`; a part that is 0 is left out. */
export function changesText(added: number, removed: number, changed = 0): string {
  const parts = [
    added > 0 ? `+${formatCount(added)}` : '',
    removed > 0 ? `${MINUS}${formatCount(removed)}` : '',
    changed > 0 ? `~${formatCount(changed)}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** The second line of an entry in the list. */
export function stateText({ kind, lastSync, counts }: AudienceRow): string {
  if (isRunning(lastSync)) {
    const { expected } = lastSync.ledger;
    return expected === null ? 'Preparing' : `Syncing ${formatPercent(settledOf(lastSync), expected)}`;
  }
  if (isStopped(lastSync)) return `Stopped at ${formatCount(sentOf(lastSync))}`;
  if (lastSync === null) return 'Not synced yet';
  const pending = pendingCount(counts);
  if (pending === 0) return 'In sync';
  return kind === 'trait'
    ? `${formatCount(pending)} changed`
    : changesText(counts.toAdd, counts.toRemove, counts.toChange);
}

/** What the main button does. */
export function syncVerb({ kind, lastSync, counts }: AudienceRow): string {
  const pending = pendingCount(counts);
  if (pending === 0) return 'Nothing to send';
  return `Sync ${plural(pending, lastSync !== null ? 'change' : kind === 'trait' ? 'user' : 'member')}`;
}

/** `Today 14:20`, `19 Nov 2026, 18:20`. */
export function whenText(at: number, now: number): string {
  const minute = formatClock(at).slice(0, 5);
  return sameDay(at, now) ? `Today ${minute}` : `${formatDay(at)}, ${minute}`;
}

/** `14:20:00, 23 sent`; `Never` before the first sync. */
export function lastSyncText(sync: SyncRow | null, now: number): string {
  if (sync === null) return 'Never';
  const at = sameDay(sync.startedAt, now) ? formatClock(sync.startedAt) : whenText(sync.startedAt, now);
  return `${at}, ${formatCount(sentOf(sync))} sent`;
}

export const syncName = ({ kind, n }: SyncRow): string => (kind === 'first' ? 'First sync' : `Sync ${formatCount(n)}`);

/** The address of a sync's page. */
export const syncRoute = ({ audienceId, n }: SyncRow, isTrait = false): string =>
  formatRoute({ screen: 'audiences', audienceId, tab: 'pending', sync: n, ...(isTrait && { traits: true }) });

/** How far a sync is, or how it ended. */
export function progressText(sync: SyncRow): string {
  const { expected, delivered, failed, waiting } = sync.ledger;
  if (expected === null) return 'Writing down who gets which call.';
  if (sync.state === 'done') {
    return `Done: ${formatCount(delivered)} delivered, ${formatCount(failed)} failed, ${formatCount(waiting)} waiting.`;
  }
  const sent = `${formatCount(sentOf(sync))} of ${formatCount(expected)}`;
  return sync.state === 'stopped' ? `Stopped at ${sent}. Resume goes on with the next one.` : `${sent} sent`;
}

/** Why a running sync sends nothing right now; null while it sends. */
export function waitText({ waitsFor }: SyncRow): string | null {
  const reason = waitsFor.find((one) => one !== 'enough_open');
  if (reason === undefined) return null;
  const { clause, remedy } = notSendingWords[reason];
  return `It waits: ${clause}. ${remedy}`;
}

/** `The first sync sends 1,248 calls, 0 of them removals. Nothing is sent yet.` */
export function dryRunText({ total, kind, removed, suppressed }: DryRun, type: string, isTrait = false): string {
  const left =
    suppressed === 0
      ? ''
      : ` ${plural(suppressed, 'suppressed user')} ${suppressed === 1 ? 'is' : 'are'} told nothing.`;
  if (total === 0) return `Nothing to send.${left}`;
  const which = kind === 'first' ? 'The first sync' : 'The next sync';
  // A trait takes nothing back.
  const removals = isTrait ? '' : `, ${formatCount(removed)} of them removals`;
  return `${which} sends ${plural(total, type)}${removals}. Nothing is sent yet.${left}`;
}

export const PLANS = [
  { value: 'hand', label: 'Off' },
  { value: 'change', label: 'On change' },
  { value: '600000', label: '10 min' },
  { value: '3600000', label: '1 h' },
  { value: '86400000', label: '24 h' },
] as const;
export type PlanValue = (typeof PLANS)[number]['value'];

export const planValue = (plan: SyncPlan): PlanValue =>
  plan.when === 'every' ? (String(plan.everyMs) as PlanValue) : plan.when;

export function planOf(value: PlanValue): SyncPlan {
  if (value === 'hand' || value === 'change') return { when: value };
  return { when: 'every', everyMs: Number(value) as Extract<SyncPlan, { when: 'every' }>['everyMs'] };
}

/** An error text as a sentence that begins with a capital. */
export const sentence = (text: string): string => upperFirst(text);

/**
 * Sources whose own identify calls send the property: `checkout-api already sends a trait plan` and `in 38 identify
 * calls. …`. Null without such a source.
 */
export function sourceClash(known: PropertyView | null): { who: string; how: string } | null {
  const [first, ...others] = known?.sentBy ?? [];
  if (first === undefined) return null;
  const calls = known!.sentBy!.reduce((sum, one) => sum + one.calls, 0);
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more source')}`;
  const send = others.length === 0 ? 'sends' : 'send';
  return {
    who: `${first.name}${more} already ${send} a trait ${known!.property}`,
    how: `in ${plural(calls, 'identify call')}. A receiver cannot tell the two apart.`,
  };
}

/** Said of a list of the syncs of one audience, which keeps only the newest ones. */
export const keptText = (kept: number, syncs: number): string =>
  `The newest ${formatCount(kept)} of ${plural(syncs, 'sync')}. Older ones are not kept.`;
