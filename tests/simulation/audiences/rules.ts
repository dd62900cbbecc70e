/** Rules and computed traits over stored calls, drawn and evaluated naively: every call of a user is looked at each time. */
import type { AudienceRuleInput, ComputedTraitInput } from '../../../src/contract/people.ts';
import type { Dice } from '../dice.ts';

export interface SentCall {
  readonly type: 'track' | 'identify';
  readonly event: string;
  readonly total: number;
  readonly plan: string;
  /** So long before it is sent it happened, as its timestamp says. */
  readonly agoMs: number;
}

/** A stored call. */
export interface KnownCall extends SentCall {
  readonly id: number;
  /** When it happened, on the retry clock. */
  readonly at: number;
  /** The same, wall time. */
  readonly wall: number;
}

const EVENTS = ['Ordered', 'Viewed'] as const;
const PLANS = ['pro', 'free'] as const;
/** Few, so that some are equally frequent. Rules ask for more than 50. */
const TOTALS = [5, 20, 60, 95] as const;

export function drawCall(dice: Dice): SentCall {
  const type = dice.chance(0.7) ? 'track' : 'identify';
  const agoMs = dice.pick([0, 0, 0, 7, 40_000, 300_000]);
  return { type, event: dice.pick(EVENTS), total: dice.pick(TOTALS), plan: dice.pick(PLANS), agoMs };
}

type Node = AudienceRuleInput['of'][number];

export function drawRule(dice: Dice): AudienceRuleInput {
  const match = dice.pick(['all', 'any', 'none'] as const);
  return { match, of: Array.from({ length: dice.between(1, 3) }, () => drawNode(dice, true)) };
}

function drawNode(dice: Dice, mayNest: boolean): Node {
  const kind = dice.next();
  if (kind < 0.25)
    return { kind: 'trait', path: 'plan', test: { op: dice.pick(['is', 'is_not']), value: dice.pick(PLANS) } };
  if (kind < 0.4 && mayNest)
    return {
      kind: 'group',
      match: dice.pick(['all', 'any', 'none']),
      of: Array.from({ length: 2 }, () => drawNode(dice, false) as Extract<Node, { kind: 'trait' }>),
    };
  return {
    kind: 'event',
    event: dice.pick(EVENTS),
    op: dice.pick(['at_least', 'at_least', 'at_most', 'exactly']),
    times: dice.between(1, 3),
    withinMs: dice.pick([null, 60_000, 600_000, 3_600_000]),
    where: dice.chance(0.3) ? [{ path: 'properties.total', test: { op: 'above', value: 50 } }] : [],
  };
}

export function drawTrait(dice: Dice): ComputedTraitInput {
  const kind = dice.pick(['count', 'sum', 'last', 'most_frequent', 'first_seen', 'unique_list'] as const);
  const event = dice.pick([...EVENTS, null]);
  const withinMs = dice.pick([null, null, 60_000, 600_000]);
  const path = kind === 'count' || kind === 'first_seen' ? null : 'properties.total';
  return { kind, event, path, withinMs };
}

/** What makes the members of an audience, or the values of a trait. */
export type Definition = HeldRule | ComputedTraitInput;

/** The value as JSON, `true` of a member; undefined for none. */
export function computedValue(definition: Definition, calls: readonly KnownCall[], at: number): string | undefined {
  if ('of' in definition) return isIn(definition, calls, at) ? 'true' : undefined;
  const { kind, event, withinMs = null } = definition;
  const young = calls.filter((call) => withinMs === null || call.at + withinMs > at);
  const fits = young.filter((call) => event === null || (call.type === 'track' && call.event === event));
  if (fits.length === 0) return undefined;
  if (kind === 'count') return String(fits.length);
  if (kind === 'first_seen') return JSON.stringify(new Date(Math.min(...fits.map(({ wall }) => wall))).toISOString());
  const totals = fits
    .filter(({ type }) => type === 'track')
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .map(({ total }) => total);
  if (totals.length === 0) return undefined;
  if (kind === 'sum') return String(totals.reduce((sum, total) => sum + total, 0));
  if (kind === 'last') return String(totals.at(-1));
  if (kind === 'unique_list') return JSON.stringify([...new Set(totals)]);
  const times = (total: number): number => totals.filter((one) => one === total).length;
  const most = Math.max(...totals.map(times));
  // Of several that are equally frequent, the one that came last.
  return String(totals.filter((total) => times(total) === most).at(-1));
}

interface HeldRule {
  readonly match: 'all' | 'any' | 'none';
  readonly of: readonly unknown[];
}

/** Whether someone with these calls is in at time `at` of the retry clock. Nobody is without a call. */
function isIn(rule: HeldRule, calls: readonly KnownCall[], at: number): boolean {
  if (calls.length === 0) return false;
  const held = (rule.of as Node[]).map((node) => holds(node, calls, at));
  if (rule.match === 'all') return held.every(Boolean);
  return held.some(Boolean) === (rule.match === 'any');
}

function holds(node: Node, calls: readonly KnownCall[], at: number): boolean {
  if (node.kind === 'group') return isIn(node, calls, at);
  if (node.kind === 'trait') {
    const plan = calls
      .filter(({ type }) => type === 'identify')
      .sort((a, b) => a.id - b.id)
      .at(-1)?.plan;
    const { op, value } = node.test as { op: 'is' | 'is_not'; value: string };
    return (plan === value) === (op === 'is');
  }
  const { event, op, times, withinMs = null, where = [] } = node;
  const counted = calls.filter(
    (call) =>
      call.type === 'track' &&
      call.event === event &&
      (withinMs === null || call.at + withinMs > at) &&
      (where.length === 0 || call.total > 50),
  ).length;
  if (op === 'at_least') return counted >= times;
  return op === 'at_most' ? counted <= times : counted === times;
}
