/**
 * People as the words say it, from all stored calls at once and as plainly as possible: what the index must equal. It
 * shares no code with the rules but the comparison of two values.
 */
import type { AudienceRule, RuleNode } from '../../../src/core/model/audience-rule.ts';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { compare, type FieldTest } from '../../../src/core/model/comparison.ts';
import type { TraitDefinition } from '../../../src/core/model/computed-trait.ts';

export interface StoredCall {
  readonly id: number;
  readonly type: 'identify' | 'track' | 'page';
  readonly event: string;
  readonly userId: string;
  readonly sourceId: number | null;
  readonly receivedAt: number;
  /** How long before its receipt it happened. */
  readonly age: number;
  /** What the retry clock showed when it arrived. */
  readonly clockAt: number;
  readonly body: JsonObject;
}

const at = ({ clockAt, age }: StoredCall): number => clockAt - age;

const get = (object: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as JsonObject | undefined)?.[key], object);

export const usersOf = (calls: readonly StoredCall[]): string[] =>
  [...new Set(calls.map(({ userId }) => userId))].sort();

const traitsOf = (calls: readonly StoredCall[]): JsonObject =>
  Object.assign({}, ...calls.filter(({ type }) => type === 'identify').map(({ body }) => body.traits));

const passes = (body: JsonObject, where: readonly FieldTest[]): boolean =>
  where.every(({ path, test }) => compare(test, get(body, path)));

function nodeHolds(node: RuleNode, calls: readonly StoredCall[], now: number): boolean {
  if (node.kind === 'trait') return compare(node.test, get(traitsOf(calls), node.path));
  if (node.kind === 'group') return groupHolds(node, calls, now);
  const count = calls.filter(
    (call) =>
      call.type === 'track' &&
      call.event === node.event &&
      (node.withinMs === null || now - at(call) < node.withinMs) &&
      passes(call.body, node.where),
  ).length;
  return { at_least: count >= node.times, at_most: count <= node.times, exactly: count === node.times }[node.op];
}

function groupHolds({ match, of }: AudienceRule, calls: readonly StoredCall[], now: number): boolean {
  if (of.length === 0) return false;
  const held = of.filter((node) => nodeHolds(node, calls, now)).length;
  return { all: held === of.length, any: held > 0, none: held === 0 }[match];
}

export const membersOf = (rule: AudienceRule, calls: readonly StoredCall[], now: number): string[] =>
  usersOf(calls).filter((user) => groupHolds(rule, callsOf(user, calls), now));

const callsOf = (user: string, calls: readonly StoredCall[]): StoredCall[] =>
  calls.filter(({ userId }) => userId === user);

/** For how many people each part of the rule holds, by the order of the parts, outside in. */
export function countsOf(rule: AudienceRule, calls: readonly StoredCall[], now: number): number[] {
  const parts: RuleNode[] = [];
  const collect = (nodes: readonly RuleNode[]): void => {
    for (const node of nodes) {
      parts.push(node);
      if (node.kind === 'group') collect(node.of);
    }
  };
  collect(rule.of);
  return parts.map((node) => usersOf(calls).filter((user) => nodeHolds(node, callsOf(user, calls), now)).length);
}

type Value = string | number | boolean;

export function traitOf(definition: TraitDefinition, calls: readonly StoredCall[], now: number): unknown {
  const { kind, event, path, where, withinMs } = definition;
  const matching = calls
    .filter((call) => event === null || (call.type === 'track' && call.event === event))
    .filter((call) => passes(call.body, where) && (withinMs === null || now - at(call) < withinMs))
    .sort((a, b) => at(a) - at(b) || a.id - b.id);
  if (matching.length === 0) return null;
  if (kind === 'count') return matching.length;
  if (kind === 'first_seen')
    return new Date(Math.min(...matching.map(({ receivedAt, age }) => receivedAt - age))).toISOString();
  const all = matching.map(({ body }) => get(body, path!));
  const values = all.filter(
    (value): value is Value => value !== null && value !== undefined && typeof value !== 'object',
  );
  if (kind === 'sum') {
    const numbers = values.filter((value) => typeof value === 'number');
    return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0);
  }
  if (values.length === 0) return null;
  if (kind === 'last') return values.at(-1);
  if (kind === 'unique_list') return values.filter((value, i) => values.indexOf(value) === i);
  const times = (value: Value): number => values.filter((other) => other === value).length;
  const most = Math.max(...values.map(times));
  return values.filter((value) => times(value) === most).at(-1);
}

export const valuesOf = (
  definition: TraitDefinition,
  calls: readonly StoredCall[],
  now: number,
): Array<[user: string, value: unknown]> =>
  usersOf(calls)
    .map((user): [string, unknown] => [user, traitOf(definition, callsOf(user, calls), now)])
    .filter(([, value]) => value !== null);

/** For each trait, how many identify calls of each source have it. */
export function sendersOf(calls: readonly StoredCall[]): Record<string, Record<number, number>> {
  const senders: Record<string, Record<number, number>> = {};
  for (const { type, sourceId, body } of calls) {
    if (type !== 'identify' || sourceId === null) continue;
    for (const trait of Object.keys((body.traits ?? {}) as object)) {
      senders[trait] ??= {};
      senders[trait][sourceId] = (senders[trait][sourceId] ?? 0) + 1;
    }
  }
  return senders;
}
