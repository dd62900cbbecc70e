/**
 * People: everyone with a stored call that names a user, rules that say who is in an audience, and computed traits
 * (docs/behaviour.md, Rules). A rule or trait is the `definition` of a computed audience or trait (`audiences.ts`).
 *
 * Counts are kept for as long as somebody asks for them. `audiences` keeps those of saved rules.
 */
import { z } from 'zod';
import { COMPUTED_KINDS, COUNT_OPS, GROUP_MATCHES, RULE_LIMITS } from '../core/model/vocabulary.ts';
import { command, gives } from './command.ts';

export {
  COMPARE_OPS,
  COMPARE_WORDS,
  COMPUTED_KINDS,
  COUNT_OPS,
  COUNT_WORDS,
  type CompareOp,
  type ComputedKind,
  type CountOp,
  GROUP_MATCHES,
  type GroupMatch,
  RULE_LIMITS,
} from '../core/model/vocabulary.ts';

z.config({ jitless: true });

const text = z.string().max(RULE_LIMITS.valueCharacters);
const scalar = z.union([text, z.number(), z.boolean()]);
const path = z.string().min(1).max(RULE_LIMITS.pathCharacters);
const event = z.string().min(1).max(RULE_LIMITS.valueCharacters);
const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Compares one value. Nothing is converted: the text "5" is not the number 5. */
export const comparison = z.discriminatedUnion('op', [
  /** There is a value, and it is not null. */
  z.strictObject({ op: z.literal('exists') }),
  /** `is_not` is the exact opposite of `is`, so it also holds without a value. */
  z.strictObject({ op: z.literal(['is', 'is_not']), value: scalar }),
  z.strictObject({ op: z.literal('is_one_of'), values: z.array(scalar).min(1).max(RULE_LIMITS.values) }),
  /** Part of a text, or an element of an array. */
  z.strictObject({ op: z.literal('contains'), value: scalar }),
  z.strictObject({ op: z.literal(['starts_with', 'ends_with']), value: text }),
  z.strictObject({ op: z.literal(['above', 'below']), value: z.number() }),
  z.strictObject({ op: z.literal(['before', 'after']), value: text.regex(DATE, 'Enter a date such as 2026-11-20.') }),
]);

const where = z.array(z.strictObject({ path, test: comparison })).max(RULE_LIMITS.where);
const withinMs = z.number().int().min(1).max(RULE_LIMITS.withinMs).nullable();

const traitCondition = z.strictObject({ kind: z.literal('trait'), path, test: comparison });
const eventCondition = z.strictObject({
  kind: z.literal('event'),
  /** Name of the track calls. */
  event,
  op: z.enum(COUNT_OPS),
  times: z.number('Enter a whole number of times.').int('Enter a whole number of times.').min(0).max(RULE_LIMITS.times),
  /** Milliseconds of the retry clock that a call counts for; null for as long as it is stored. */
  withinMs: withinMs.default(null),
  /** All must hold. Paths begin in the call: `properties.total`. */
  where: where.default([]),
});
const condition = z.discriminatedUnion('kind', [traitCondition, eventCondition]);
const match = z.enum(GROUP_MATCHES);
const innerGroup = z.strictObject({ kind: z.literal('group'), match, of: z.array(condition).min(1) });
const group = z.strictObject({
  kind: z.literal('group'),
  match,
  of: z.array(z.discriminatedUnion('kind', [traitCondition, eventCondition, innerGroup])).min(1),
});

interface CountedNode {
  readonly of?: readonly CountedNode[] | undefined;
}
const nodesIn = ({ of = [] }: CountedNode): number => of.reduce((sum, node) => sum + 1 + nodesIn(node), 0);

/** Who is in an audience. Groups nest to three levels, this one included. Nobody is in a rule without conditions. */
export const audienceRule = z
  .strictObject({ match, of: z.array(z.discriminatedUnion('kind', [traitCondition, eventCondition, group])) })
  .refine((rule) => nodesIn(rule as CountedNode) <= RULE_LIMITS.nodes, {
    path: ['of'],
    message: `At most ${RULE_LIMITS.nodes} conditions and groups.`,
  });
export type AudienceRuleInput = z.input<typeof audienceRule>;
export type AudienceRuleView = z.output<typeof audienceRule>;
export type ComparisonView = z.output<typeof comparison>;
export type RuleConditionView = z.output<typeof condition>;

/** What is computed of a person's calls. */
export const computedTrait = z
  .strictObject({
    kind: z.enum(COMPUTED_KINDS),
    /** Name of the track calls; null for every call of the person. */
    event: event.nullable().default(null),
    /** The value in the call, `properties.total`; null for `count` and `first_seen`. */
    path: path.nullable().default(null),
    where: where.default([]),
    withinMs: withinMs.default(null),
  })
  .refine(({ kind, path: given }) => (given === null) === (kind === 'count' || kind === 'first_seen'), {
    path: ['path'],
    message: 'Count and first seen take no value of the call; the others need one.',
  });
export type ComputedTraitInput = z.input<typeof computedTrait>;
export type ComputedTraitView = z.output<typeof computedTrait>;

/** The live part `people`. */
export interface PeopleView {
  /** `reading`: the stored calls are read, after a start or a failure. `failed`: `message` says why. */
  state: 'off' | 'reading' | 'ready' | 'failed';
  /** Of reading, from 0 to 1. */
  progress: number;
  /** How much a recount has read, from 0 to 1; null for none. Until it is done, what was counted before holds. */
  recount: number | null;
  people: number;
  /** Stored calls that name a user. */
  calls: number;
  /** Grows when anything about people may have changed: ask again for what is shown. */
  version: number;
  message: string | null;
}

/** How far a count is. The counts of a view hold only when it is `done`. */
export interface CountingView {
  done: boolean;
  /** From 0 to 1. */
  progress: number;
  /** Everyone. */
  people: number;
}

export interface RuleView extends CountingView {
  /** For how many people the rule holds. */
  members: number;
  /** The same for each condition and group, by its id: `1`, `2`, `3a`. Outside in, in order. */
  nodes: Array<{ id: string; people: number }>;
  /** How many came in and went in the last minute of real time, or since the rule is counted if that is less. */
  joinedLastMinute: number;
  leftLastMinute: number;
  /** Who leaves next if nothing but time happens, when (retry clock), and the condition that changes then. */
  nextLeave: { userId: string; atClock: number; id: string } | null;
  /** `All of: plan is pro; Order Completed at least 3 times in the last 7 days` */
  sentence: string;
}

export interface NodeReasonView {
  id: string;
  holds: boolean;
  /** Of a trait condition: the value found; null where there is none. */
  value?: unknown;
  /** Of an event condition: how many calls count now, and when the oldest of them happened on the retry clock. */
  count?: number;
  oldestAtClock?: number | null;
}

export interface PersonReasonView {
  userId: string;
  /** Made of the traits `name`, or `firstName` and `lastName`; null without them. */
  name: string | null;
  /** False when no stored call names this user. Then the rest is empty. */
  known: boolean;
  isIn: boolean;
  /** Every condition and group. */
  nodes: NodeReasonView[];
  /** The first that keeps the user out; null for a member. */
  firstFailing: string | null;
}

/** A bar of the chart. `to` null: without an end. `others`: so many more values. */
export type ValueRangeView =
  | { from: number; to: number | null; people: number }
  | { value: string | number | boolean; people: number }
  | { others: number; people: number };

export interface TraitView extends CountingView {
  withValue: number;
  /** Calls that made the values. */
  calls: number;
  /** Calls whose value could not be used, and one such value of a sum. */
  leftOut: number;
  leftOutExample: string | number | boolean | null;
  /** Of `first_seen` in epoch milliseconds. */
  ranges: ValueRangeView[];
  median: number | null;
  highest: number | null;
  /** `Sum of properties.total over Order Completed in the last 90 days` */
  sentence: string;
}

export interface PersonValueView {
  userId: string;
  name: string | null;
  value: unknown;
}

/** The value of a trait that a user has, and what changed it last. */
export interface PersonChangeView {
  userId: string;
  name: string | null;
  /** Null for none. */
  value: unknown;
  /**
   * When it changed on the retry clock, and why: the row id of the call that arrived then, or how many calls grew too old
   * at once. Null when that is not known.
   */
  change: { atClock: number; messageId: number } | { atClock: number; agedOut: number } | null;
}

/** Properties of the newest calls, at most 200 of them. */
export interface PropertiesView {
  /** Calls that were looked at. */
  calls: number;
  /** Most frequent first. `example` is a value that is neither an object nor an array; null when there was none. */
  properties: Array<{ path: string; calls: number; example: string | number | boolean | null }>;
}

/** What stored traffic has, for the fields of a rule. Most frequent first, at most 500 of each. */
export interface PeopleFieldsView {
  events: Array<{ event: string; calls: number }>;
  /** Paths of traits, with how many people have them. */
  traits: Array<{ path: string; people: number }>;
}

const rule = audienceRule;
const trait = computedTrait;
const limit = z.number().int().min(1).max(500);
const userId = z.string().min(1).max(1_000);

/** Commands of people; part of `commands`. All but `people.get` can fail with `people_off`. */
export const peopleCommands = {
  'people.get': command(z.null().optional(), gives<PeopleView>()),
  /** Begins to count when nobody has asked before, and answers with how far it is. Ask again while it is not `done`. */
  'people.rule': command(z.strictObject({ rule }), gives<RuleView>()),
  /** Begins to compute, as above. */
  'people.trait': command(z.strictObject({ trait }), gives<TraitView>()),
  /** Stops counting a rule or a trait that no audience uses. Harmless when there is nothing to stop. */
  'people.cancel': command(z.strictObject({ rule: rule.optional(), trait: trait.optional() }), gives<null>()),
  /** Members with the reason why each is in; after `skip` of them, from the start again at the end. Error `people_counting`. */
  'people.sample': command(
    z.strictObject({ rule, count: z.number().int().min(1).max(20), skip: z.number().int().min(0).default(0) }),
    gives<PersonReasonView[]>(),
  ),
  /** Whether one user is in, and why. The id is compared byte for byte. Error `people_counting`. */
  'people.explain': command(z.strictObject({ rule, userId }), gives<PersonReasonView>()),
  /** Users with a value, by user id. Pass `next` as `after` to go on. Error `people_counting`. */
  'people.values': command(
    z.strictObject({ trait, after: userId.optional(), limit }),
    gives<{ rows: PersonValueView[]; next: string | null }>(),
  ),
  /** Takes some time with many people. Error `people_counting`. */
  'people.fields': command(z.null().optional(), gives<PeopleFieldsView>()),
  /** Why these users have their values, in the order asked. Error `people_counting`. */
  'people.changes': command(
    z.strictObject({ trait, userIds: z.array(userId).min(1).max(100) }),
    gives<PersonChangeView[]>(),
  ),
  /** Paths in the newest track calls of an event, for where-filters and traits; without `event`, in all calls. Error `people_counting`. */
  'people.properties': command(z.strictObject({ event: event.optional() }), gives<PropertiesView>()),
  /** Reads all stored calls again and counts everyone, in the background. One that runs already goes on. */
  'people.recount': command(z.null().optional(), gives<PeopleView>()),
  /** Ends a recount; what was counted before stays. Harmless when there is none. */
  'people.cancelRecount': command(z.null().optional(), gives<PeopleView>()),
} as const;
