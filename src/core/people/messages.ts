/** What passes between the engine and the keeper of people, which is in another thread: plain values only. */
import type { EveryoneView, PersonView } from '../../contract/persons.ts';
import type { AudienceRule, NodeReason } from '../model/audience-rule.ts';
import type { ClockStretch } from '../model/clock-history.ts';
import type { Scalar } from '../model/comparison.ts';
import type { TraitChange, TraitDefinition, TraitValue } from '../model/computed-trait.ts';
import type { Spread } from '../model/value-ranges.ts';
import type { EveryoneAsk } from './identity/everyone.ts';
import type { Leave } from './rule-watch.ts';
import type { TraitSender } from './trait-senders.ts';

/** What can be followed. */
export type Definition = { readonly rule: AudienceRule } | { readonly trait: TraitDefinition };

/** Definitions of the same key are one. */
export const definitionKey = (definition: Definition): string => JSON.stringify(definition);

/** How far a count is. The rest of an answer holds only when it is `done`. */
export interface Counting {
  readonly done: boolean;
  /** From 0 to 1. */
  readonly progress: number;
  /** Everyone. */
  readonly people: number;
}

export interface RuleCount extends Counting {
  readonly members: number;
  readonly nodes: ReadonlyArray<{ readonly id: string; readonly people: number }>;
  readonly nextLeave: Leave | null;
}

export interface TraitCount extends Counting, Spread {
  readonly withValue: number;
  readonly calls: number;
  readonly leftOut: number;
  readonly leftOutExample: Scalar | null;
}

export interface PersonReason {
  readonly userId: string;
  readonly name: string | null;
  readonly known: boolean;
  readonly isIn: boolean;
  readonly nodes: readonly NodeReason[];
  readonly firstFailing: string | null;
}

export interface PersonValue {
  readonly userId: string;
  readonly name: string | null;
  readonly value: TraitValue;
}

/** A window over user ids in the order of their UTF-8 bytes. */
export interface Window {
  /** Ids after this one; null from the start. */
  readonly after: string | null;
  readonly limit: number;
}

export interface Windowed<R> {
  readonly rows: readonly R[];
  /** The last id of this window; null when it was the last window. */
  readonly next: string | null;
}

/** Who changes a trait's value, and why. */
export interface PersonChange {
  readonly userId: string;
  readonly name: string | null;
  readonly value: TraitValue | null;
  /** Null when it is not known. */
  readonly change: TraitChange | null;
}

/** Users whose membership or value may have changed since this was asked last. */
export interface Moved {
  /** Everyone may have: it was not asked before, everyone was counted again, or they were too many. Then `users` is empty. */
  readonly everyone: boolean;
  /** As they are now. Of a rule `true` for a member; null for who is out or has no value. */
  readonly users: ReadonlyArray<{ readonly userId: string; readonly value: TraitValue | true | null }>;
  readonly more: boolean;
}

export interface Fields {
  readonly events: ReadonlyArray<{ readonly event: string; readonly calls: number }>;
  readonly traits: ReadonlyArray<{ readonly path: string; readonly people: number }>;
}

export interface Properties {
  /** Calls that were looked at. */
  readonly calls: number;
  readonly properties: ReadonlyArray<{
    readonly path: string;
    readonly calls: number;
    readonly example: Scalar | null;
  }>;
}

/** What can be asked, each with its argument and answer. Null where the answer is not counted yet. */
export interface Questions {
  /** Follows a definition until `release`, whoever asks. */
  hold: [Definition, null];
  release: [Definition, null];
  /** Stops to follow a definition that nobody holds. */
  cancel: [Definition, null];
  rule: [{ readonly rule: AudienceRule }, RuleCount];
  trait: [{ readonly trait: TraitDefinition }, TraitCount];
  members: [Window & { readonly rule: AudienceRule }, Windowed<string> | null];
  values: [Window & { readonly trait: TraitDefinition }, Windowed<PersonValue> | null];
  /** Of a definition that is held. Each change is given once, so only one may ask. */
  moved: [{ readonly definition: Definition; readonly limit: number }, Moved | null];
  sample: [{ readonly rule: AudienceRule; readonly count: number; readonly skip: number }, PersonReason[] | null];
  explain: [{ readonly rule: AudienceRule; readonly userId: string }, PersonReason | null];
  changes: [{ readonly trait: TraitDefinition; readonly userIds: readonly string[] }, PersonChange[] | null];
  fields: [null, Fields | null];
  /** Which sources send these traits, in the order asked. */
  senders: [{ readonly traits: readonly string[] }, ReadonlyArray<readonly TraitSender[]> | null];
  properties: [{ readonly event: string | null }, Properties | null];
  /** By a user id or an anonymous one; without a person when nobody has it. */
  person: [{ readonly id: string }, { readonly person: PersonView | null } | null];
  everyone: [EveryoneAsk, EveryoneView | null];
  /** How many calls of these users, of messages up to `upTo`, are in memory. */
  callsOf: [{ readonly userIds: readonly string[]; readonly upTo: number }, number];
  /** Reads the store again and counts everyone; until then the answers are those of before. One at a time. */
  recount: [null, null];
  /** Ends a recount; the answers stay as they are. Harmless when there is none. */
  cancelRecount: [null, null];
}
export type QuestionName = keyof Questions;

/** Every message says what the retry clock shows. */
interface Timed {
  readonly now: number;
}

export type ToPeople = Timed &
  (
    | { readonly type: 'time' }
    /** Messages up to this row id are stored. */
    | { readonly type: 'stored'; readonly newest: number }
    | { readonly type: 'removed'; readonly ids: readonly number[] }
    | { readonly type: 'clock'; readonly history: readonly ClockStretch[] }
    | { readonly type: 'ask'; readonly n: number; readonly name: QuestionName; readonly argument: unknown }
  );

export interface PeopleState {
  readonly state: 'reading' | 'ready' | 'failed';
  /** Of reading, from 0 to 1. */
  readonly progress: number;
  /** How much a recount has read, from 0 to 1; null for none. */
  readonly recount: number | null;
  readonly people: number;
  readonly calls: number;
  /** Why it failed. */
  readonly message: string | null;
}

/** What happened to one definition since the last time it was told. */
export interface WatchChange {
  readonly key: string;
  /** Whether it is counted. Before that, changes are not told. */
  readonly counted: boolean;
  /** Of a rule: how often somebody came in or went. */
  readonly joined: number;
  readonly left: number;
  /** Of a trait: how often a value changed. */
  readonly changed: number;
}

export type FromPeople =
  | { readonly type: 'answer'; readonly n: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly n: number; readonly message: string }
  | {
      readonly type: 'changed';
      readonly state: PeopleState;
      readonly watches: readonly WatchChange[];
      /** Retry-clock time at which something changes by itself; null for never. */
      readonly nextChange: number | null;
    };
