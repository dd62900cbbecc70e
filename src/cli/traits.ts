/** `hookbench traits`: the computed traits of a running instance and their syncs. */
import type { ComputedKind, ComputedTraitInput } from '../contract/people.ts';
import { UsageError } from '../shell/option-table.ts';
import { workspaceOption } from '../shell/start-options.ts';
import { defineNamedCommand } from './named-command.ts';
import {
  type Asked,
  type ComputedSource,
  definitionFrom,
  named,
  remove,
  rowText,
  runWords,
  type Said,
  sync,
} from './senders.ts';

const DAY_MS = 86_400_000;

const options = {
  workspace: workspaceOption,
  property: { type: 'string', value: 'NAME', help: 'add: the trait that is sent; made from the name by default' },
  count: { type: 'boolean', help: 'add: how many calls a user has' },
  sum: { type: 'string', value: 'PATH', help: 'add: the sum of the numbers at PATH, such as properties.total' },
  last: { type: 'string', value: 'PATH', help: 'add: the last value' },
  'most-frequent': { type: 'string', value: 'PATH', help: 'add: the most frequent value' },
  'first-seen': { type: 'boolean', help: 'add: when the first call of a user came' },
  'unique-list': { type: 'string', value: 'PATH', help: 'add: the list of all values' },
  event: { type: 'string', value: 'NAME', help: 'add: only track calls of this name; every call by default' },
  days: { type: 'string', value: 'N', help: 'add: only calls of the last N days on the retry clock' },
  definition: {
    type: 'string',
    value: 'FILE',
    help: 'add: a JSON file in place of the options above, also with filters',
  },
  'dry-run': { type: 'boolean', help: 'sync: prints the calls that it would send, and sends nothing' },
  wait: { type: 'boolean', help: 'sync: ends when every call is delivered or failed; exit code 1 when one failed' },
  json: { type: 'boolean', help: 'Print JSON' },
} as const;

interface Values {
  readonly property?: string;
  readonly count?: boolean;
  readonly sum?: string;
  readonly last?: string;
  readonly 'most-frequent'?: string;
  readonly 'first-seen'?: boolean;
  readonly 'unique-list'?: string;
  readonly event?: string;
  readonly days?: string;
  readonly definition?: string;
  readonly wait?: boolean;
  readonly 'dry-run'?: boolean;
}

export const traitsCommand = defineNamedCommand({
  name: 'traits',
  summary: 'List the computed traits of a running instance; add, sync or remove one.',
  words: ['add', 'sync', 'remove'],
  argument: 'NAME',
  options,
  run: (given) => runWords({ ...given, kind: 'trait', actions: ACTIONS }),
});

const ACTIONS = {
  add,
  sync: (asked: Asked<Values>) => sync('trait', asked),
  remove: (asked: Asked<Values>) => remove('trait', asked),
} as const;

async function add({ running, values, name }: Asked<Values>): Promise<Said> {
  const { property } = values;
  const source = sourceOf(values);
  await running.call('audiences.save', { kind: 'trait', name, ...(property !== undefined && { property }), source });
  const row = await named(running, 'trait', name);
  return { value: row, text: `Added ${rowText(row)}.` };
}

function sourceOf(values: Values): ComputedSource {
  const kinds = kindsOf(values);
  const { definition: file, event, days } = values;
  if (file !== undefined) {
    if (kinds.length > 0 || event !== undefined || days !== undefined)
      throw new UsageError('Give --definition, or what it computes by options.');
    return definitionFrom(file);
  }
  const [one, another] = kinds;
  if (one === undefined || another !== undefined)
    throw new UsageError(
      'hookbench traits add takes one of --count, --sum, --last, --most-frequent, --first-seen, --unique-list or --definition.',
    );
  const definition: ComputedTraitInput = {
    ...one,
    event: event ?? null,
    withinMs: days === undefined ? null : daysMs(days),
  };
  return { by: 'computed', definition: { ...definition } as ComputedSource['definition'] };
}

function kindsOf(values: Values): Array<{ readonly kind: ComputedKind; readonly path: string | null }> {
  const { count, sum, last, 'most-frequent': frequent, 'first-seen': first, 'unique-list': list } = values;
  const given: ReadonlyArray<readonly [ComputedKind, string | boolean | undefined]> = [
    ['count', count],
    ['sum', sum],
    ['last', last],
    ['most_frequent', frequent],
    ['first_seen', first],
    ['unique_list', list],
  ];
  return given.flatMap(([kind, value]) =>
    value === undefined || value === false ? [] : [{ kind, path: value === true ? null : value }],
  );
}

function daysMs(days: string): number {
  if (!/^[1-9]\d{0,4}$/.test(days))
    throw new UsageError(`--days takes a whole number of days, not ${JSON.stringify(days)}.`);
  return Number(days) * DAY_MS;
}
