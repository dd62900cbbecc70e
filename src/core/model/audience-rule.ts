/**
 * A rule over stored traffic says who is in an audience (decisions, Audiences and deletions; interface, Rule). It is a
 * tree of groups and conditions. A condition compares a trait of the person, or counts the person's track calls of one
 * event within a time that ends now. All times are milliseconds of the retry clock.
 */
import type { JsonObject } from './call.ts';
import { type Comparison, compare, type FieldTest, testSentence } from './comparison.ts';
import { pathReader, type ReadPath } from './field-path.ts';
import { COUNT_WORDS, type CountOp, type GroupMatch } from './vocabulary.ts';

export interface TraitCondition {
  readonly kind: 'trait';
  /** Path in the person's traits. */
  readonly path: string;
  readonly test: Comparison;
}

export interface EventCondition {
  readonly kind: 'event';
  /** Name of the track calls that count. */
  readonly event: string;
  readonly op: CountOp;
  readonly times: number;
  /** A call counts for this long; null for as long as it is stored. */
  readonly withinMs: number | null;
  /** All must hold of the call. Paths begin in the call: `properties.total`. */
  readonly where: readonly FieldTest[];
}

export interface RuleGroup {
  readonly kind: 'group';
  readonly match: GroupMatch;
  readonly of: readonly RuleNode[];
}

export type RuleNode = TraitCondition | EventCondition | RuleGroup;

/** The outermost group. Nobody is in a rule without conditions. */
export interface AudienceRule {
  readonly match: GroupMatch;
  readonly of: readonly RuleNode[];
}

/** A node with its place. The rule itself is the first, with the empty id; parents come before their children. */
export interface NumberedNode {
  /** `1`, `2`, `3a`, `3b1`: numbers and letters in turn. */
  readonly id: string;
  readonly node: RuleNode;
  /** Bits of its children in a {@link Holding}. */
  readonly children: number;
  readonly read: ReadPath | null;
}

/** One bit for each node that holds; bit 0 is the rule itself. */
export type Holding = number;

export interface CompiledRule {
  readonly nodes: readonly NumberedNode[];
  /** Indexes of the event conditions in `nodes`. */
  readonly events: readonly number[];
}

/** What is known of one person. */
export interface RuleFacts {
  /** Null when no identify call is stored. */
  readonly traits: JsonObject | null;
  /** When the calls happened that match the event condition at this index of `nodes`; ascending. */
  times(node: number): readonly number[];
}

/** At most `RULE_LIMITS.nodes` conditions and groups, which the contract checks. */
export function compileRule(rule: AudienceRule): CompiledRule {
  const nodes: Array<{ id: string; node: RuleNode; children: number; read: ReadPath | null }> = [];
  const add = (node: RuleNode, id: string, level: number): number => {
    const index = nodes.length;
    const own = { id, node, children: 0, read: node.kind === 'trait' ? pathReader(node.path) : null };
    nodes.push(own);
    if (node.kind === 'group')
      for (const [place, child] of node.of.entries())
        own.children |= 1 << add(child, id + placeName(place, level), level + 1);
    return index;
  };
  add({ kind: 'group', ...rule }, '', 0);
  const events = nodes.flatMap(({ node }, index) => (node.kind === 'event' ? [index] : []));
  return { nodes, events };
}

/** A number on even levels, a letter on odd ones; after `z` comes `aa`. */
function placeName(place: number, level: number): string {
  if (level % 2 === 0) return String(place + 1);
  const letter = String.fromCharCode(97 + (place % 26));
  return place < 26 ? letter : placeName(Math.floor(place / 26) - 1, level) + letter;
}

export const isIn = (holding: Holding): boolean => (holding & 1) !== 0;

/** Which nodes hold at time `at`. */
export function evaluateRule({ nodes }: CompiledRule, facts: RuleFacts, at: number): Holding {
  let holding = 0;
  for (let index = nodes.length - 1; index >= 0; index -= 1)
    if (holds(nodes[index]!, index, holding, facts, at)) holding |= 1 << index;
  return holding;
}

function holds(
  { node, children, read }: NumberedNode,
  index: number,
  holding: Holding,
  facts: RuleFacts,
  at: number,
): boolean {
  switch (node.kind) {
    case 'trait':
      return compare(node.test, facts.traits === null ? undefined : read!(facts.traits));
    case 'event':
      return countHolds(node, countAt(facts.times(index), node.withinMs, at));
    case 'group':
      return children !== 0 && groupHolds(node.match, children, holding);
  }
}

function groupHolds(match: GroupMatch, children: number, holding: Holding): boolean {
  const holdingChildren = holding & children;
  if (match === 'all') return holdingChildren === children;
  return (holdingChildren !== 0) === (match === 'any');
}

function countHolds({ op, times }: EventCondition, count: number): boolean {
  if (op === 'at_least') return count >= times;
  return op === 'at_most' ? count <= times : count === times;
}

/** How many of these times are younger than `withinMs` at `at`. A call that is exactly so old counts no more. */
export function countAt(times: readonly number[], withinMs: number | null, at: number): number {
  return withinMs === null ? times.length : times.length - firstWithin(times, withinMs, at);
}

function firstWithin(times: readonly number[], withinMs: number, at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! + withinMs > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Times after `at` at which a condition changes because calls grow old, ascending. */
export function comingChanges({ nodes, events }: CompiledRule, facts: RuleFacts, at: number): number[] {
  const changes: number[] = [];
  for (const index of events) {
    const { op, times: needed, withinMs } = nodes[index]!.node as EventCondition;
    if (withinMs === null) continue;
    const times = facts.times(index);
    const expiryOfNewest = (n: number): void => {
      const time = n >= 1 ? times[times.length - n] : undefined;
      if (time !== undefined && time + withinMs > at) changes.push(time + withinMs);
    };
    if (op !== 'at_most') expiryOfNewest(needed);
    if (op !== 'at_least') expiryOfNewest(needed + 1);
  }
  return changes.sort((a, b) => a - b);
}

/** When a member leaves if nothing but time happens, and the first condition that changes then; null for never. */
export function leaveOf(
  rule: CompiledRule,
  facts: RuleFacts,
  at: number,
): { readonly at: number; readonly id: string } | null {
  let before = evaluateRule(rule, facts, at);
  if (!isIn(before)) return null;
  for (const time of comingChanges(rule, facts, at)) {
    const then = evaluateRule(rule, facts, time);
    if (!isIn(then)) return { at: time, id: changedCondition(rule, before, then) };
    before = then;
  }
  return null;
}

function changedCondition({ nodes }: CompiledRule, before: Holding, then: Holding): string {
  const changed = nodes.find(({ node }, index) => node.kind === 'event' && ((before ^ then) & (1 << index)) !== 0);
  return changed?.id ?? '';
}

/** One node of an explanation. */
export interface NodeReason {
  readonly id: string;
  readonly holds: boolean;
  /** Of a trait condition: the value found, undefined where there is none. */
  readonly value?: unknown;
  /** Of an event condition: how many calls count now, and when the oldest of them happened. */
  readonly count?: number;
  readonly oldestAt?: number | null;
}

export interface Explanation {
  readonly isIn: boolean;
  /** Every node but the rule itself. */
  readonly nodes: readonly NodeReason[];
  /**
   * The condition that keeps the person out: the first that fails, in a `none` group the first that holds, and an `any`
   * group itself, as any of its parts would do. Null for a member, and for a rule without conditions.
   */
  readonly firstFailing: string | null;
}

export function explainRule(rule: CompiledRule, facts: RuleFacts, at: number): Explanation {
  const holding = evaluateRule(rule, facts, at);
  const nodes = rule.nodes.slice(1).map((numbered, i) => reasonOf(numbered, i + 1, holding, facts, at));
  return { isIn: isIn(holding), nodes, firstFailing: isIn(holding) ? null : failing(rule, 0, holding) };
}

function reasonOf(
  { id, node, read }: NumberedNode,
  index: number,
  holding: Holding,
  facts: RuleFacts,
  at: number,
): NodeReason {
  const base = { id, holds: (holding & (1 << index)) !== 0 };
  if (node.kind === 'trait') return { ...base, value: facts.traits === null ? undefined : read!(facts.traits) };
  if (node.kind === 'group') return base;
  const times = facts.times(index);
  const count = countAt(times, node.withinMs, at);
  return { ...base, count, oldestAt: times[times.length - count] ?? null };
}

function failing(rule: CompiledRule, index: number, holding: Holding): string | null {
  const { id, node, children } = rule.nodes[index]!;
  if (node.kind !== 'group') return id;
  if (node.match === 'any') return index === 0 ? null : id;
  const wanted = node.match === 'all';
  for (let child = index + 1; child < rule.nodes.length; child += 1) {
    const bit = 1 << child;
    if ((children & bit) === 0 || ((holding & bit) !== 0) === wanted) continue;
    return wanted ? failing(rule, child, holding) : rule.nodes[child]!.id;
  }
  return null;
}

/** The rule as a sentence: `All of: plan is pro; Order Completed at least 3 times in the last 7 days`. */
export function ruleSentence({ match, of }: AudienceRule): string {
  if (of.length === 0) return 'Nobody.';
  return `${match.charAt(0).toUpperCase()}${match.slice(1)} of: ${of.map(nodeSentence).join('; ')}`;
}

function nodeSentence(node: RuleNode): string {
  switch (node.kind) {
    case 'trait':
      return testSentence(node);
    case 'group':
      return `${node.match} of (${node.of.map(nodeSentence).join('; ')})`;
    case 'event': {
      const times = `${node.event} ${COUNT_WORDS[node.op]} ${node.times} ${node.times === 1 ? 'time' : 'times'}`;
      return `${times}${withinSentence(node.withinMs)}${whereSentence(node.where)}`;
    }
  }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** ` in the last 7 days`; empty without a limit. */
export function withinSentence(withinMs: number | null): string {
  if (withinMs === null) return '';
  const [unit, ms] = UNITS.find(([, length]) => withinMs % length === 0)!;
  const count = withinMs / ms;
  return ` in the last ${count === 1 ? unit : `${count} ${unit}s`}`;
}

/** ` where properties.total is above 20`; empty without tests. */
export const whereSentence = (where: readonly FieldTest[]): string =>
  where.length === 0 ? '' : ` where ${where.map(testSentence).join(' and ')}`;
