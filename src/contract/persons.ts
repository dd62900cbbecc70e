/**
 * One person: ids that belong together, with their calls (docs/behaviour.md, Persons). A person is a user id with the
 * ids that alias calls renamed to it, or an anonymous id that never came with a user id. Times are wall times of receipt
 * in epoch milliseconds; `call` and `id` of a call are row ids of messages.
 */
import { z } from 'zod';
import { command, gives } from './command.ts';

export interface PersonKey {
  kind: 'user' | 'anonymous';
  id: string;
}

export interface PersonRow {
  key: PersonKey;
  name: string | null;
  calls: number;
  /** Null until they are counted, which begins when somebody looks. A newer call may not be counted yet. */
  findings: number | null;
  firstSeenAt: number | null;
  lastSeenAt: number | null;
}

/** The one seen last first; the one first seen last first; the one with most calls first; the one with most findings first. */
export const PEOPLE_SORTS = ['last_seen', 'first_seen', 'calls', 'findings'] as const;
export type PeopleSort = (typeof PEOPLE_SORTS)[number];

export interface EveryoneView {
  /** How many people there are, and how many match. */
  people: number;
  matching: number;
  /** False while the findings of these rows are counted, or in the order of findings those of everyone: ask again. */
  isCounted: boolean;
  /** People whose findings were never counted. In the order of findings, everyone is counted. */
  uncounted: number;
  /** How many of the people who are counted have findings. */
  withFindings: number;
  /** Of equal ones, the one seen last first. */
  rows: PersonRow[];
}

/** Something wrong with the identity of a person, and the call that did it. Words: `finding-words.ts`. */
export type Finding = { call: number } & (
  | {
      /** Calls with an anonymous id alone, a track call among them, came before the call that ties it to a user. */
      kind: 'identify_after_track';
      anonymousId: string;
      userId: string;
      anonymousCalls: number;
    }
  | {
      /** An anonymous id went over from one person to another; `call` is the first of the one after. */
      kind: 'shared_anonymous_id';
      anonymousId: string;
      before: string;
      after: string;
      /** When the last call of the one before was received. */
      until: number;
    }
  | {
      kind: 'trait_type';
      trait: string;
      was: unknown;
      is: unknown;
      /** Calls with the type before, up to this one. */
      calls: number;
    }
  | { kind: 'email_as_user_id'; userId: string }
  | {
      /** The same event with the same properties happened again at once. */
      kind: 'twice';
      event: string;
      first: number;
      ms: number;
    }
  | {
      kind: 'alias_loop';
      /** In the order of renaming; the first comes again at the end. Two where an id was renamed to itself. */
      ids: string[];
    }
);

/** How a call names the person: by a user id, by an anonymous id alone, or by both, which ties them. */
export type Tie = 'user' | 'anonymous' | 'both';

export interface PersonView {
  key: PersonKey;
  name: string | null;
  /** The id of today first; `renamedBy` is the alias call of an earlier one. */
  userIds: Array<{ id: string; calls: number; renamedBy: number | null }>;
  /** `calls` are those of this person; `sharedWith` are other people who are tied to it. */
  anonymousIds: Array<{ id: string; calls: number; sharedWith: string[] }>;
  groups: Array<{ groupId: string; name: string | null; call: number }>;
  /** The one changed last first; `was` holds up to three values before, the newest first. */
  traits: Array<{ trait: string; value: unknown; call: number; changedAt: number; was: unknown[] }>;
  sources: Array<{ sourceId: number | null; calls: number }>;
  /** The newest first. A pause of more than 30 minutes ends one. */
  sessions: Array<{ first: number; last: number; startedAt: number; endedAt: number; calls: number }>;
  /** The newest call first. */
  findings: Finding[];
  firstSeenAt: number | null;
  lastSeenAt: number | null;
  calls: number;
  /** Calls that carry one of its ids; more than `calls` where an anonymous id is also that of another person. */
  callsWithIds: number;
  /** The newest calls, newest first. Groups, traits, sources, sessions and findings are those of these calls. */
  timeline: Array<{ id: number; tie: Tie; receivedAt: number }>;
}

const id = z.string().min(1).max(1_000);

/** Commands about persons; part of `commands`. They fail with `people_off` and, while calls are read, `people_counting`. */
export const personCommands = {
  /** `search` is part of an id, a name or an email address, in either case. */
  'people.list': command(
    z.strictObject({
      search: z.string().max(500).default(''),
      sort: z.enum(PEOPLE_SORTS).default('last_seen'),
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500),
    }),
    gives<EveryoneView>(),
  ),
  /** By any of its ids; a user id goes before an anonymous one. Error `person_not_found`. */
  'people.person': command(z.strictObject({ id }), gives<PersonView>()),
} as const;
