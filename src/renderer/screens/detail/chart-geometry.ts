/**
 * Where everything of the attempt chart stands, in pixels of its plot. Pure: the component only draws.
 * Time is the retry clock's, counted from the first attempt (delivery specification, section 5).
 */
import type { AttemptView, DestinationView, WebhookView } from '../../../contract/values.ts';
import type { CellMark } from '../../components/glyphs.tsx';
import { formatSpan } from '../../lib/format.ts';
import { ATTEMPT_WORDS, attemptKind } from '../../lib/words.ts';

type RetryRules = DestinationView['retry'];

/** Below this offset the axis is linear, so that the first attempt has a place on a log scale. */
const LINEAR_UNTIL_MS = 6_000;
const LINEAR_PX = 22;
const MIN_TICK_GAP_PX = 36;
/** Planned rounds after the next one that are still drawn. */
const MAX_LATER_ROUNDS = 40;

const TICKS: readonly (readonly [ms: number, label: string])[] = [
  [10_000, '10 s'],
  [60_000, '1 min'],
  [600_000, '10 min'],
  [3_600_000, '1 h'],
  [100, '100 ms'],
  [1_000, '1 s'],
  [14_400_000, '4 h'],
  [43_200_000, '12 h'],
  [86_400_000, '1 d'],
];

/** Puts an offset in milliseconds on the plot; offsets outside it stick to its edges. */
export type Axis = (offsetMs: number) => number;

/** Log from 6 s (sooner for short windows) to the window's end, linear before; never decreasing. */
export function timeAxis(windowMs: number, width: number): Axis {
  const end = Math.max(1, windowMs);
  const knee = Math.min(LINEAR_UNTIL_MS, end / 2_400);
  const linear = Math.min(LINEAR_PX, width / 4);
  const span = Math.log10(end / knee);
  return (offsetMs) => {
    const at = Math.min(end, Math.max(0, offsetMs));
    return at <= knee ? (at / knee) * linear : linear + (Math.log10(at / knee) / span) * (width - linear);
  };
}

export interface Tick {
  readonly x: number;
  readonly label: string;
}

/** Zero and the window's end always; the others where they have room, the rounder ones first. */
export function axisTicks(windowMs: number, width: number): Tick[] {
  const axis = timeAxis(windowMs, width);
  const ticks: Tick[] = [
    { x: 0, label: '0' },
    { x: width, label: formatSpan(windowMs) },
  ];
  for (const [ms, label] of TICKS) {
    if (ms >= windowMs) continue;
    const x = axis(ms);
    if (ticks.every((tick) => Math.abs(tick.x - x) >= MIN_TICK_GAP_PX)) ticks.push({ x, label });
  }
  return ticks.sort((a, b) => a.x - b.x);
}

/** The list's character for one attempt (see `MessageRow.cells`). */
export const cellOf = (attempt: Pick<AttemptView, 'outcome' | 'status'>): CellMark =>
  ATTEMPT_WORDS[attemptKind(attempt)].cell;

export interface Mark {
  readonly x: number;
  /** The cell character that stands for the group: an acceptance if there is one, else the newest. */
  readonly cell: CellMark;
  readonly count: number;
  readonly firstRound: number;
  readonly lastRound: number;
}

/** Pixels that a mark needs to its right neighbour; the count of a merged one is written under it. */
const roomFor = (count: number): number => (count >= 100 ? 22 : count >= 10 ? 16 : 12);

/** Merges what stands closer together than 12 px into one mark with a count. `points` are in order of x. */
export function mergeMarks(points: readonly { x: number; cell: CellMark; round: number }[]): Mark[] {
  const marks: Mark[] = [];
  for (const point of points) {
    const last = marks.at(-1);
    if (last === undefined || point.x - last.x >= roomFor(last.count)) {
      marks.push({ x: point.x, cell: point.cell, count: 1, firstRound: point.round, lastRound: point.round });
      continue;
    }
    const cell = last.cell === 'a' ? 'a' : point.cell;
    marks[marks.length - 1] = { ...last, cell, count: last.count + 1, lastRound: point.round };
  }
  return marks;
}

/**
 * Offsets of the rounds after the next one, without jitter: after round n the wait is base x factor^(n-1),
 * at most `maxMs`; none starts after the window (decisions, Delivery).
 */
export function laterRounds(rules: RetryRules, nextRound: number, nextOffsetMs: number): number[] {
  const offsets: number[] = [];
  let offset = nextOffsetMs;
  for (let round = nextRound; offsets.length < MAX_LATER_ROUNDS; round += 1) {
    offset += Math.max(1, Math.min(rules.maxMs, rules.baseMs * rules.factor ** (round - 1)));
    if (offset > rules.windowMs) break;
    offsets.push(offset);
  }
  return offsets;
}

export interface Lane {
  readonly webhookId: number;
  readonly slot: number;
  readonly name: string;
  readonly marks: readonly Mark[];
  /** True when the next round will try it. */
  readonly waiting: boolean;
  /** Said at the lane's end instead of marks to come. */
  readonly note: 'Paused' | 'Removed' | 'Declined' | null;
}

export interface ChartInput {
  /** Own attempts and replays' alike; replays are left out here. */
  readonly attempts: readonly AttemptView[];
  readonly webhooks: readonly Pick<WebhookView, 'id' | 'slot' | 'name' | 'enabled'>[];
  /** Retry-clock times. */
  readonly firstAt: number;
  readonly windowEndsAt: number | null;
  readonly nowAt: number;
  readonly nextDueAt: number | null;
  /** True once no round follows: no now line. */
  readonly final: boolean;
  readonly round: number;
  readonly rules: RetryRules;
  /** Of the plot, without the lane names. */
  readonly width: number;
}

export interface Chart {
  readonly windowMs: number;
  readonly ticks: readonly Tick[];
  readonly lanes: readonly Lane[];
  /** Null when the message is final. */
  readonly now: { readonly x: number; readonly offsetMs: number } | null;
  readonly next: { readonly x: number; readonly offsetMs: number } | null;
  /** Merged like marks, so that planned rounds never pile up. */
  readonly later: readonly number[];
}

export function ownAttempts(attempts: readonly AttemptView[]): AttemptView[] {
  return attempts.filter((attempt) => attempt.replayId === null);
}

/** Webhooks that answered with a refusal to take the message; later rounds leave them out. */
export function declinedWebhooks(attempts: readonly AttemptView[]): Set<number> {
  return new Set(attempts.filter((attempt) => attempt.outcome === 'declined').map((attempt) => attempt.webhookId));
}

function laneList(own: readonly AttemptView[], webhooks: ChartInput['webhooks']): Omit<Lane, 'marks' | 'waiting'>[] {
  const declined = declinedWebhooks(own);
  const current = [...webhooks].sort((a, b) => a.slot - b.slot);
  const known = new Set(current.map((webhook) => webhook.id));
  const removed = new Map(own.filter((attempt) => !known.has(attempt.webhookId)).map((a) => [a.webhookId, a]));
  return [
    ...current.map((webhook) => ({
      webhookId: webhook.id,
      slot: webhook.slot,
      name: webhook.name,
      note: webhook.enabled ? (declined.has(webhook.id) ? ('Declined' as const) : null) : ('Paused' as const),
    })),
    ...[...removed.values()]
      .sort((a, b) => a.slot - b.slot)
      .map((attempt) => ({
        webhookId: attempt.webhookId,
        slot: attempt.slot,
        name: attempt.webhookName,
        note: 'Removed' as const,
      })),
  ];
}

/** Everything that the chart draws. */
export function chartOf(input: ChartInput): Chart {
  const own = ownAttempts(input.attempts);
  const windowMs = input.windowEndsAt === null ? input.rules.windowMs : input.windowEndsAt - input.firstAt;
  const axis = timeAxis(windowMs, input.width);
  const nextOffset = input.nextDueAt === null || input.final ? null : Math.max(0, input.nextDueAt - input.firstAt);
  const lanes = laneList(own, input.webhooks).map((lane): Lane => {
    const points = own
      .filter((attempt) => attempt.webhookId === lane.webhookId)
      .map((attempt) => ({
        x: axis(attempt.clockAt - input.firstAt),
        cell: cellOf(attempt),
        round: attempt.round,
      }))
      .sort((a, b) => a.x - b.x || a.round - b.round);
    return { ...lane, marks: mergeMarks(points), waiting: nextOffset !== null && lane.note === null };
  });
  return {
    windowMs,
    ticks: axisTicks(windowMs, input.width),
    lanes,
    now: input.final
      ? null
      : { x: axis(input.nowAt - input.firstAt), offsetMs: Math.max(0, input.nowAt - input.firstAt) },
    next: nextOffset === null ? null : { x: axis(nextOffset), offsetMs: nextOffset },
    later:
      nextOffset === null
        ? []
        : spread(
            laterRounds(input.rules, input.round + 1, nextOffset).map(axis),
            Math.max(axis(nextOffset), axis(input.nowAt - input.firstAt)),
          ),
  };
}

/** Keeps the positions after `after` that are at least a mark's width apart, the first one from there too. */
function spread(positions: readonly number[], after: number): number[] {
  const kept: number[] = [];
  for (const x of positions) if (x - (kept.at(-1) ?? after) >= roomFor(1)) kept.push(x);
  return kept;
}
