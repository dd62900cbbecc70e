/** What `hookbench audiences` and `hookbench traits` have in common: both send identify calls. */
import { readFileSync } from 'node:fs';
import {
  AUDIENCE_LIMITS,
  type AudienceKind,
  type AudienceRow,
  type AudienceSource,
  type DryRun,
  type SyncRow,
} from '../contract/audiences.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { UsageError } from '../shell/option-table.ts';
import { type Environment, workspaceFolder } from '../shell/start-options.ts';
import { type Running, withRunning } from './running.ts';

/** How often a sync that is waited for is looked at. */
const LOOK_MS = 250;

/** The answer of a command. `value` is printed with `--json`, `text` without; the exit code is 0 unless given. */
export interface Said {
  readonly value: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

/** One word of a command with its name. */
export interface Asked<Values> {
  readonly running: Running;
  readonly values: Values;
  readonly name: string;
}

interface Words<Values, Word extends string> {
  readonly kind: AudienceKind;
  readonly word: Word | undefined;
  readonly argument: string | undefined;
  readonly values: Values & { readonly workspace?: string; readonly json?: boolean };
  readonly env: Environment;
  readonly actions: Readonly<Record<Word, (asked: Asked<Values>) => Promise<Said>>>;
}

/** Lists without a word, else does what the word says. Gives the exit code. */
export async function runWords<Values, Word extends string>(given: Words<Values, Word>): Promise<number> {
  const { kind, word, argument, values, env, actions } = given;
  const said = await withRunning(workspaceFolder(values.workspace, env), async (running) => {
    if (word === undefined) return list(running, kind);
    if (argument === undefined) throw new UsageError(`hookbench ${kind}s ${word} takes the NAME of ${AN[kind]}.`);
    return actions[word]({ running, values, name: argument });
  });
  const text = values.json === true ? jsonText(said.value) : said.text.split('\n').map(terminalText).join('\n');
  process.stdout.write(`${text}\n`);
  return said.exitCode ?? 0;
}

const AN = { audience: 'an audience', trait: 'a trait' } as const;

async function rowsOf({ call }: Running, kind: AudienceKind): Promise<AudienceRow[]> {
  const { audiences, traits } = await call('audiences.list');
  return kind === 'audience' ? audiences : traits;
}

async function list(running: Running, kind: AudienceKind): Promise<Said> {
  const rows = await rowsOf(running, kind);
  return { value: rows, text: rows.length === 0 ? `No ${kind} yet.` : rows.map(rowText).join('\n') };
}

export async function named(running: Running, kind: AudienceKind, name: string): Promise<AudienceRow> {
  const found = (await rowsOf(running, kind)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${JSON.stringify(name)}.`);
  return found;
}

export const number = (n: number): string => n.toLocaleString('en');
export const plural = (n: number, one: string): string => `${number(n)} ${n === 1 ? one : `${one}s`}`;

export function rowText(row: AudienceRow): string {
  const { kind, name, property, counts, isCounted, lastSync } = row;
  const { members, toAdd, toRemove, toChange } = counts;
  const changes =
    kind === 'trait' ? `${number(toChange)} changed, ${number(toAdd)} new` : `+${number(toAdd)} -${number(toRemove)}`;
  const isInSync = toAdd + toRemove + toChange === 0;
  const state =
    lastSync === null ? 'not synced yet' : lastSync.state !== 'done' ? lastSync.state : isInSync ? 'in sync' : changes;
  const users = isCounted || members > 0 ? plural(members, kind === 'trait' ? 'value' : 'member') : 'not counted yet';
  return `${name}  ${property}  ${users}, ${state}`;
}

export type ComputedSource = Extract<AudienceSource, { by: 'computed' }>;

/** A rule or a definition from a JSON file. The engine says what is wrong with it. */
export function definitionFrom(file: string): ComputedSource {
  let definition: unknown;
  try {
    definition = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
    throw new Error(`${file}: there is no JSON object in it.`);
  return { by: 'computed', definition: definition as ComputedSource['definition'] };
}

export async function remove(kind: AudienceKind, { running, name }: Asked<unknown>): Promise<Said> {
  const { id } = await named(running, kind, name);
  await running.call('audiences.remove', { id });
  return { value: { removed: name }, text: `Removed ${name}. Its messages stay.` };
}

interface SyncValues {
  readonly wait?: boolean;
  readonly 'dry-run'?: boolean;
}

export async function sync(kind: AudienceKind, { running, values, name }: Asked<SyncValues>): Promise<Said> {
  const { id } = await named(running, kind, name);
  if (values['dry-run'] === true) return dryRun(running, id, kind === 'trait');
  const begun = await running.call('audiences.sync', { id });
  if (begun === null) return { value: null, text: 'Nothing to send.' };
  const row = values.wait === true ? await settled(running, id, begun.n) : begun;
  return { value: row, text: syncText(row), exitCode: row.ledger.failed > 0 ? 1 : 0 };
}

async function settled({ call }: Running, id: number, n: number): Promise<SyncRow> {
  for (;;) {
    const row = await call('audiences.getSync', { id, n });
    if (row.state === 'done' || row.state === 'stopped') return row;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function syncText({ state, ledger, kind }: SyncRow): string {
  const { expected, delivered, failed, waiting, unsent } = ledger;
  if (state === 'done') return `Done: ${number(delivered)} delivered, ${number(failed)} failed, 0 waiting.`;
  if (state === 'stopped') return `Stopped at ${number((expected ?? 0) - unsent)} of ${number(expected ?? 0)}.`;
  const what = kind === 'first' ? 'The first sync' : 'The sync';
  return expected === null ? `${what} has begun.` : `${what} has begun: ${number(waiting)} waiting.`;
}

/** Every call, a window at a time. */
async function dryRun({ call }: Running, id: number, ofTrait: boolean): Promise<Said> {
  const bodies: unknown[] = [];
  let page: DryRun | undefined;
  do {
    const after = page?.next ?? undefined;
    page = await call('audiences.dryRun', { id, ...(after !== undefined && { after }), limit: AUDIENCE_LIMITS.window });
    bodies.push(...page.rows.map(({ body }) => JSON.parse(body) as unknown));
  } while (page.next !== null);
  const { total, kind, added, removed, changed, suppressed } = page;
  const first = kind === 'first' ? 'The first sync sends' : 'The next sync sends';
  const removals = ofTrait ? '' : `, ${number(removed)} of them removals`;
  const text = `${first} ${plural(total, 'call')}${removals}. Nothing is sent yet.`;
  const left =
    suppressed === 0
      ? []
      : [`${number(suppressed)} suppressed ${suppressed === 1 ? 'user is' : 'users are'} told nothing.`];
  const lines = bodies.map((body) => jsonText(body));
  return {
    value: { total, kind, added, removed, changed, suppressed, bodies },
    text: [text, ...left, ...lines].join('\n'),
  };
}
