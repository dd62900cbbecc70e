/** `hookbench people`: everyone whom stored calls of a running instance name, or one person with findings. */
import { setTimeout as delay } from 'node:timers/promises';
import { ContractError } from '../contract/errors.ts';
import { findingWords } from '../contract/finding-words.ts';
import {
  type EveryoneView,
  type Finding,
  PEOPLE_SORTS,
  type PeopleSort,
  type PersonRow,
  type PersonView,
} from '../contract/persons.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { parseWordsAndOptions, UsageError } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import type { Command } from './command.ts';
import { type Column, tableText } from './output.ts';
import { type Running, withRunning } from './running.ts';

const ROWS = 50;
/** The pause before the next look while stored calls are read. */
const LOOK_MS = 100;

const options = {
  workspace: workspaceOption,
  search: { type: 'string', value: 'TEXT', help: 'Only people with this in an id, a name or an email address' },
  sort: { type: 'string', value: 'ORDER', help: `${PEOPLE_SORTS.join(', ')}; last_seen by default` },
  json: { type: 'boolean', help: 'Print one JSON object' },
} as const;

/** Rejects with `person_not_found`, or with a `NotRunningError`. Throws a {@link UsageError}. */
export const peopleCommand: Command = {
  name: 'people',
  summary: 'List whom stored calls name, or show one person: ids, traits, sessions and what is wrong with them.',
  argument: '[ID]',
  options,
  run: async (args, _parts, env) => {
    const { values, words } = parseWordsAndOptions(options, args);
    const [id, ...more] = words;
    if (more.length > 0) throw new UsageError(`Write the id in quotes: "${words.join(' ')}".`);
    if (id !== undefined && values.search !== undefined) throw new UsageError('Give an id or --search, not both.');
    if (id !== undefined && values.sort !== undefined) throw new UsageError('Give an id or --sort, not both.');
    const sort = sortOf(values.sort);
    const folder = workspaceFolder(values.workspace, env);
    const text = await withRunning(folder, async (running) => {
      if (id === undefined) {
        const list = await listed(running, { search: values.search ?? '', sort, limit: ROWS });
        return values.json === true ? jsonText(list) : listText(list, sort);
      }
      const person = await read(() => running.call('people.person', { id }));
      return values.json === true ? jsonText(person) : await personText(running, person);
    });
    process.stdout.write(`${text}\n`);
  },
};

function sortOf(text = 'last_seen'): PeopleSort {
  const sort = PEOPLE_SORTS.find((one) => one === text);
  if (sort === undefined)
    throw new UsageError(`--sort takes one of ${PEOPLE_SORTS.join(', ')}, not ${JSON.stringify(text)}.`);
  return sort;
}

/** The order of findings means something only after everyone was counted: asks again until then. */
async function listed(
  running: Running,
  asked: { readonly search: string; readonly sort: PeopleSort; readonly limit: number },
): Promise<EveryoneView> {
  for (;;) {
    const list = await read(() => running.call('people.list', asked));
    if (asked.sort !== 'findings' || list.uncounted === 0) return list;
    await delay(LOOK_MS);
  }
}

/** Asks again while the stored calls are read. */
async function read<T>(ask: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ContractError) || error.code !== 'people_counting') throw error;
      await delay(LOOK_MS);
    }
}

const time = (at: number | null): string => (at === null ? '' : new Date(at).toISOString());
const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const lastSeen: Column<PersonRow> = { title: 'LAST SEEN', width: 24, text: ({ lastSeenAt }) => time(lastSeenAt) };
/** The column that the order is about, where it is not in every list; and the words for those who stand first. */
const ORDERS: Readonly<Record<PeopleSort, { readonly columns: readonly Column<PersonRow>[]; readonly first: string }>> =
  {
    last_seen: { columns: [lastSeen], first: 'seen last' },
    first_seen: {
      columns: [{ title: 'FIRST SEEN', width: 24, text: ({ firstSeenAt }) => time(firstSeenAt) }],
      first: 'first seen last',
    },
    calls: { columns: [lastSeen], first: 'with most calls' },
    findings: {
      columns: [lastSeen, { title: 'FINDINGS', width: 8, text: ({ findings }) => String(findings ?? '') }],
      first: 'with most findings',
    },
  };

const columns: readonly Column<PersonRow>[] = [
  { title: 'CALLS', width: 7, text: ({ calls }) => String(calls) },
  { title: 'NAME', width: 28, text: ({ name }) => name ?? '' },
  { title: 'ID', width: 44, text: ({ key }) => (key.kind === 'user' ? key.id : `anonymous ${key.id}`) },
];

function listText({ people, matching, rows }: EveryoneView, sort: PeopleSort): string {
  if (people === 0) return 'Nobody yet. A person appears with the first call that has a userId or anonymousId.';
  const all = counted(people, 'person', 'people');
  const found = matching === people ? `${all}.` : `${matching} of ${all} match.`;
  const shown = rows.length < matching ? ` The ${rows.length} ${ORDERS[sort].first} are shown.` : '';
  return `${rows.length === 0 ? '' : tableText(rows, [...ORDERS[sort].columns, ...columns])}${found}${shown}`;
}

async function personText(running: Running, person: PersonView): Promise<string> {
  const { key, name, calls, sources, sessions, firstSeenAt, lastSeenAt, timeline } = person;
  const lines = [
    `${name ?? 'No name'}  ${key.kind === 'user' ? key.id : `anonymous ${key.id}`}`,
    `${counted(calls, 'call')} from ${time(firstSeenAt)} to ${time(lastSeenAt)}.`,
    `${counted(sources.length, 'source')}, ${counted(sessions.length, 'session')}${timeline.length < calls ? ` in the newest ${timeline.length} calls` : ''}.`,
    '',
    'Ids',
    ...idLines(person).map((line) => `  ${line}`),
    ...section(
      'Groups',
      person.groups.map(({ groupId, name: of }) => (of === null ? groupId : `${groupId}  ${of}`)),
    ),
    ...section(
      'Traits, the one changed last first',
      person.traits.map(({ trait, value, changedAt, was }) => {
        const before = was.length === 0 ? '' : `  was ${was.map((one) => JSON.stringify(one)).join(', ')}`;
        return `${time(changedAt)}  ${trait}: ${JSON.stringify(value)}${before}`;
      }),
    ),
    '',
    ...(await findingLines(running, person)),
  ];
  return lines.map(terminalText).join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

function idLines({ userIds, anonymousIds }: PersonView): string[] {
  return [
    ...userIds.map(
      ({ id, calls, renamedBy }) =>
        `${id}  ${counted(calls, 'call')}${renamedBy === null ? '' : ', renamed by an alias call'}`,
    ),
    ...anonymousIds.map(({ id, calls, sharedWith }) => {
      const shared = sharedWith.length === 0 ? '' : `, shared with ${sharedWith.join(', ')}`;
      return `anonymous ${id}  ${counted(calls, 'call')}${shared}`;
    }),
  ];
}

async function findingLines(running: Running, { findings, timeline }: PersonView): Promise<string[]> {
  if (findings.length === 0) return [`Nothing found in ${counted(timeline.length, 'call')}.`];
  const texts = await Promise.all(findings.map((finding, i) => findingText(running, finding, i + 1)));
  return [`Findings ${findings.length}`, ...texts.flat()];
}

async function findingText(running: Running, finding: Finding, number: number): Promise<string[]> {
  const { title, detail } = findingWords(finding, time);
  const [row] = await running.call('messages.byIds', { ids: [finding.call] });
  const call = row === undefined ? [] : [`     ${time(row.receivedAt)}  ${row.type} ${row.name}  ${row.messageId}`];
  return [`  ${number}. ${title}`, `     ${detail}`, ...call];
}
