/** The commands of people. The contract's edge has already checked their arguments. */
import type { Handlers } from '../../contract/channel.ts';
import { ContractError } from '../../contract/errors.ts';
import type { NodeReasonView, PersonChangeView, PersonReasonView, peopleCommands } from '../../contract/people.ts';
import type { personCommands } from '../../contract/persons.ts';
import { type NodeReason, ruleSentence } from '../model/audience-rule.ts';
import { traitSentence } from '../model/computed-trait.ts';
import type { PersonChange, PersonReason, QuestionName, Questions } from './messages.ts';
import type { People } from './people.ts';

export function createPeopleHandlers(
  people: People,
): Pick<Handlers, keyof typeof peopleCommands | keyof typeof personCommands> {
  /** For questions that make no sense before everyone is counted. */
  const counted = async <N extends QuestionName>(
    name: N,
    argument: Questions[N][0],
  ): Promise<NonNullable<Questions[N][1]>> => {
    const answer = await people.ask(name, argument);
    if (answer === null) throw new ContractError('people_counting');
    return answer as NonNullable<Questions[N][1]>;
  };
  return {
    'people.get': () => people.view(),
    'people.rule': async ({ rule }) => {
      const { nextLeave, nodes, ...view } = await people.ask('rule', { rule });
      const { joined, left } = people.lastMinute({ rule });
      return {
        ...view,
        nodes: [...nodes],
        joinedLastMinute: joined,
        leftLastMinute: left,
        nextLeave: nextLeave && { userId: nextLeave.userId, atClock: nextLeave.at, id: nextLeave.id },
        sentence: ruleSentence(rule),
      };
    },
    'people.trait': async ({ trait }) => {
      const { ranges, ...view } = await people.ask('trait', { trait });
      return { ...view, ranges: ranges.map((range) => ({ ...range })), sentence: traitSentence(trait) };
    },
    'people.cancel': async ({ rule, trait }) => {
      if (rule !== undefined) await people.ask('cancel', { rule });
      if (trait !== undefined) await people.ask('cancel', { trait });
      return null;
    },
    'people.sample': async (argument) => (await counted('sample', argument)).map(reasonView),
    'people.explain': async (argument) => reasonView(await counted('explain', argument)),
    'people.values': async ({ trait, after = null, limit }) => {
      const { rows, next } = await counted('values', { trait, after, limit });
      return { rows: [...rows], next };
    },
    'people.fields': async () => {
      const { events, traits } = await counted('fields', null);
      return { events: [...events], traits: [...traits] };
    },
    'people.changes': async (argument) => (await counted('changes', argument)).map(changeView),
    'people.properties': async ({ event = null }) => {
      const { calls, properties } = await counted('properties', { event });
      return { calls, properties: [...properties] };
    },
    'people.recount': async () => {
      await people.ask('recount', null);
      return people.view();
    },
    'people.list': ({ search = '', sort = 'last_seen', from = 0, limit }) =>
      counted('everyone', { search, sort, from, limit }),
    'people.person': async ({ id }) => {
      const { person } = await counted('person', { id });
      if (person === null) throw new ContractError('person_not_found');
      return person;
    },
    'people.cancelRecount': async () => {
      await people.ask('cancelRecount', null);
      return people.view();
    },
  };
}

const changeView = ({ change, ...person }: PersonChange): PersonChangeView => ({
  ...person,
  change: change && { atClock: change.at, ...change.cause },
});

const reasonView = ({ nodes, ...person }: PersonReason): PersonReasonView => ({
  ...person,
  nodes: nodes.map(nodeView),
});

function nodeView({ id, holds, value, count, oldestAt }: NodeReason): NodeReasonView {
  if (count !== undefined) return { id, holds, count, oldestAtClock: oldestAt ?? null };
  return value === undefined ? { id, holds } : { id, holds, value };
}
