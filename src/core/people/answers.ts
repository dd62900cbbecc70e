/** The answers to questions about people, from an index that is settled. Null where something is not counted yet. */
import type { TraitValue } from '../model/computed-trait.ts';
import { spreadOf } from '../model/value-ranges.ts';
import type { UserCallStore } from '../store/ports/user-calls.ts';
import { NONE } from './call-log.ts';
import { fieldsOf, propertiesOf } from './fields.ts';
import type { FollowedDefinitions } from './followed.ts';
import { everyone } from './identity/everyone.ts';
import { personOf } from './identity/person.ts';
import type { Counting, PersonReason, PersonValue, Questions, TraitCount, Windowed } from './messages.ts';
import type { PeoplePass } from './pass.ts';
import type { PeopleIndex } from './people-index.ts';
import { nameOf } from './person-name.ts';
import { RuleWatch } from './rule-watch.ts';
import type { Watch, WatchData } from './watch.ts';

type Answer<N extends keyof Questions> = (argument: Questions[N][0]) => Questions[N][1];

export interface AnswerDeps {
  readonly store: Pick<UserCallStore, 'personCalls'>;
  readonly current: () => Pick<PeoplePass, 'index' | 'identities' | 'findings' | 'followed' | 'isReading' | 'progress'>;
  readonly recount: () => void;
  readonly cancelRecount: () => void;
}

export function createAnswers({ store, current, recount, cancelRecount }: AnswerDeps): {
  [N in keyof Questions]: Answer<N>;
} {
  const index = (): PeopleIndex => current().index;
  const followed = (): FollowedDefinitions => current().followed;
  const isReading = (): boolean => current().isReading;
  const isDone = (watch: Watch): boolean => !isReading() && watch.isCounted;
  const counting = (watch: Watch): Counting => ({
    done: isDone(watch),
    progress: isReading() ? current().progress : index().progressOf(watch),
    people: index().data.people.size,
  });
  return {
    hold: (definition) => {
      followed().hold(definition);
      return null;
    },
    release: (definition) => {
      followed().release(definition);
      return null;
    },
    cancel: (definition) => {
      followed().cancel(definition);
      return null;
    },
    rule: (definition) => {
      const watch = followed().rule(definition);
      const nextLeave = isDone(watch) ? watch.nextLeave(index().now) : null;
      return { ...counting(watch), members: watch.members, nodes: watch.counts, nextLeave };
    },
    trait: (definition): TraitCount => {
      const watch = followed().trait(definition);
      const { withValue, calls, leftOut } = watch;
      const values = isDone(watch) ? watch.values() : [];
      const spread = spreadOf(definition.trait, values);
      return { ...counting(watch), withValue, calls, leftOut, leftOutExample: watch.leftOutExample(), ...spread };
    },
    members: ({ rule, after, limit }) => {
      const watch = followed().rule({ rule });
      if (!isDone(watch)) return null;
      const { people } = index().data;
      return windowOf(index(), after, limit, (person) => (watch.isMember(person) ? people.userId(person)! : null));
    },
    values: ({ trait, after, limit }) => {
      const watch = followed().trait({ trait });
      if (!isDone(watch)) return null;
      return windowOf(index(), after, limit, (person): PersonValue | null => {
        const value = watch.value(person);
        return value === null ? null : { ...whoIs(index(), person), value };
      });
    },
    moved: ({ definition, limit }) => {
      const watch = followed().watch(definition);
      if (!isDone(watch)) return null;
      const { everyone, userIds, more } = watch.takeMoves(limit);
      const { people } = index().data;
      const foundOf = (person: number): TraitValue | true | null => {
        if (person === NONE) return null;
        return watch instanceof RuleWatch ? watch.isMember(person) || null : watch.value(person);
      };
      return { everyone, users: userIds.map((userId) => ({ userId, value: foundOf(people.find(userId)) })), more };
    },
    sample: ({ rule, count, skip }) => {
      const watch = followed().rule({ rule });
      if (!isDone(watch)) return null;
      return membersAfter(index(), watch, count, skip).map((person) => reasonOf(index(), watch, person));
    },
    explain: ({ rule, userId }) => {
      const watch = followed().rule({ rule });
      if (!isDone(watch)) return null;
      const person = index().data.people.find(userId);
      if (person !== NONE) return reasonOf(index(), watch, person);
      return { userId, name: null, known: false, isIn: false, nodes: [], firstFailing: null };
    },
    changes: ({ trait, userIds }) => {
      const watch = followed().trait({ trait });
      if (!isDone(watch)) return null;
      return userIds.map((userId) => {
        const person = index().data.people.find(userId);
        if (person === NONE) return { userId, name: null, value: null, change: null };
        const change = watch.lastChange(person, index().now);
        return { ...whoIs(index(), person), value: watch.value(person), change };
      });
    },
    fields: () => (isReading() ? null : fieldsOf(index())),
    senders: ({ traits }) => (isReading() ? null : traits.map((trait) => index().senders.of(trait))),
    properties: ({ event }) => (isReading() ? null : propertiesOf(index(), event)),
    person: ({ id }) => (isReading() ? null : { person: personOf(current().identities, store, id) }),
    everyone: (ask) => {
      const { people } = index().data;
      const traits = (userId: string) => people.traits(people.find(userId));
      return isReading() ? null : everyone(current(), store, traits, ask);
    },
    callsOf: ({ userIds, upTo }) => callsOf(index().data, userIds, upTo),
    recount: () => {
      recount();
      return null;
    },
    cancelRecount: () => {
      cancelRecount();
      return null;
    },
  };
}

/** What `take` gives for the next people by user id, as long as it is not null. */
function windowOf<R>(
  { data: { people } }: PeopleIndex,
  after: string | null,
  limit: number,
  take: (person: number) => R | null,
): Windowed<R> {
  const order = people.inOrder();
  const rows: R[] = [];
  for (let place = after === null ? 0 : people.placeAfter(after); place < order.length; place += 1) {
    const row = take(order[place]!);
    if (row === null) continue;
    rows.push(row);
    if (rows.length === limit) return { rows, next: people.userId(order[place]!) };
  }
  return { rows, next: null };
}

/** Members after the first `skip`, and from the start again at the end; each at most once. */
function membersAfter({ data: { people } }: PeopleIndex, watch: RuleWatch, count: number, skip: number): number[] {
  const wanted = Math.min(count, watch.members);
  const first = watch.members === 0 ? 0 : skip % watch.members;
  const start: number[] = [];
  const found: number[] = [];
  let place = 0;
  for (let person = 0; person < people.room && found.length < wanted; person += 1) {
    if (!watch.isMember(person)) continue;
    if (place >= first) found.push(person);
    else if (start.length < wanted) start.push(person);
    place += 1;
  }
  return [...found, ...start.slice(0, wanted - found.length)];
}

function callsOf({ log, people }: WatchData, userIds: readonly string[], upTo: number): number {
  let calls = 0;
  for (const userId of userIds) {
    const person = people.find(userId);
    for (let row = person === NONE ? NONE : people.newest(person); row !== NONE; row = log.previous(row))
      if (log.person(row) === person && log.id(row) <= upTo) calls += 1;
  }
  return calls;
}

function reasonOf(index: PeopleIndex, watch: RuleWatch, person: number): PersonReason {
  return { ...whoIs(index, person), known: true, ...watch.explain(person, index.now) };
}

const whoIs = ({ data: { people } }: PeopleIndex, person: number) => ({
  userId: people.userId(person)!,
  name: nameOf(people.traits(person)),
});
