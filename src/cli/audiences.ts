/** `hookbench audiences`: the audiences of a running instance, their members and their syncs. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  AUDIENCE_LIMITS,
  type AudienceRow,
  type DryRun,
  type MembersChanged,
  type SyncRow,
} from '../contract/audiences.ts';
import { UsageError } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { jsonText, terminalText } from '../shell/terminal.ts';
import { defineNamedCommand } from './named-command.ts';
import { type Running, withRunning } from './running.ts';

/** How often a sync that is waited for is looked at. */
const LOOK_MS = 250;

const options = {
  workspace: workspaceOption,
  property: { type: 'string', value: 'NAME', help: 'add: the trait that is sent; made from the name by default' },
  user: { type: 'string', value: 'ID', multiple: true, help: 'add: a first member; may be repeated' },
  add: { type: 'string', value: 'ID', multiple: true, help: 'members: adds a user; may be repeated' },
  remove: { type: 'string', value: 'ID', multiple: true, help: 'members: removes a user; may be repeated' },
  file: {
    type: 'string',
    value: 'FILE',
    help: 'add, members: adds the user ids of a CSV or NDJSON file, or one id a line',
  },
  'dry-run': { type: 'boolean', help: 'sync: prints the calls that it would send, and sends nothing' },
  wait: { type: 'boolean', help: 'sync: ends when every call is delivered or failed; exit code 1 when one failed' },
  json: { type: 'boolean', help: 'Print JSON' },
} as const;

interface Given {
  readonly running: Running;
  readonly values: {
    readonly property?: string;
    readonly user?: readonly string[];
    readonly add?: readonly string[];
    readonly remove?: readonly string[];
    readonly file?: string;
    readonly wait?: boolean;
  } & { readonly 'dry-run'?: boolean };
  readonly name: string;
}

/** What is printed, and the exit code. */
interface Said {
  readonly value: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

export const audiencesCommand = defineNamedCommand({
  name: 'audiences',
  summary: 'List the audiences of a running instance; add or remove one, edit its members, sync it.',
  words: ['add', 'members', 'sync', 'remove'],
  argument: 'NAME',
  options,
  run: async ({ values, word, argument, env }) => {
    const { workspace, json = false } = values;
    const said = await withRunning(workspaceFolder(workspace, env), async (running) => {
      if (word === undefined) return list(running);
      if (argument === undefined) throw new UsageError(`hookbench audiences ${word} takes the NAME of an audience.`);
      return ACTIONS[word]({ running, values, name: argument });
    });
    const text = json ? jsonText(said.value) : said.text.split('\n').map(terminalText).join('\n');
    process.stdout.write(`${text}\n`);
    return said.exitCode ?? 0;
  },
});

const ACTIONS = { add, members, sync, remove } as const;

async function list({ call }: Running): Promise<Said> {
  const { audiences } = await call('audiences.list');
  const text = audiences.length === 0 ? 'No audience yet.' : audiences.map(rowText).join('\n');
  return { value: audiences, text };
}

const number = (n: number): string => n.toLocaleString('en');

function rowText({ name, property, counts, lastSync }: AudienceRow): string {
  const { members, toAdd, toRemove } = counts;
  const changes = toAdd + toRemove === 0 ? 'in sync' : `+${number(toAdd)} -${number(toRemove)}`;
  const state = lastSync === null ? 'not synced yet' : lastSync.state === 'done' ? changes : lastSync.state;
  return `${name}  ${property}  ${number(members)} ${members === 1 ? 'member' : 'members'}, ${state}`;
}

async function named({ call }: Running, name: string): Promise<AudienceRow> {
  const { audiences } = await call('audiences.list');
  const found = audiences.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no audience ${JSON.stringify(name)}.`);
  return found;
}

async function add({ running, values, name }: Given): Promise<Said> {
  const { property, user = [], file } = values;
  const { id } = await running.call('audiences.save', { name, ...(property !== undefined && { property }) });
  await edit(running, id, user, []);
  if (file !== undefined) await importFile(running, id, file);
  const row = await named(running, name);
  return { value: row, text: `Added ${rowText(row)}.` };
}

async function members({ running, values, name }: Given): Promise<Said> {
  const { add: added = [], remove: removed = [], file } = values;
  const { id } = await named(running, name);
  const edited = await edit(running, id, added, removed);
  const imported = file === undefined ? null : await importFile(running, id, file);
  const joins = edited.added + (imported?.added ?? 0);
  const { audience } = imported ?? edited;
  const bad = imported?.bad ?? [];
  const lines = [
    `${name}: ${number(joins)} added, ${number(edited.removed)} removed, ${number(audience.counts.members)} members now.`,
    ...bad.map(({ line, text }) => `line ${line}: ${text}`),
  ];
  return { value: { added: joins, removed: edited.removed, audience, bad }, text: lines.join('\n') };
}

/** In pieces that one command takes. */
async function edit(
  { call }: Running,
  id: number,
  added: readonly string[],
  removed: readonly string[],
): Promise<MembersChanged> {
  const size = AUDIENCE_LIMITS.idsAtOnce;
  let done = await call('audiences.editMembers', { id, add: added.slice(0, size), remove: removed.slice(0, size) });
  for (let at = size; at < Math.max(added.length, removed.length); at += size) {
    const next = await call('audiences.editMembers', {
      id,
      add: added.slice(at, at + size),
      remove: removed.slice(at, at + size),
    });
    done = { ...next, added: done.added + next.added, removed: done.removed + next.removed };
  }
  return done;
}

/** Bad rows that are printed. */
const MAX_BAD = 500;

async function importFile({ call }: Running, id: number, file: string) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(file));
  const { import: token } = await call('audiences.importOpen', { id, fileName: basename(file) });
  try {
    const size = AUDIENCE_LIMITS.pieceText;
    for (let at = 0; at === 0 || at < text.length; at += size)
      await call('audiences.importText', {
        import: token,
        text: text.slice(at, at + size),
        last: at + size >= text.length,
      });
    const { state, bad, good } = await call('audiences.importView', { import: token });
    if (state === 'no_column') throw new Error(`${file}: no column looks like a user id. Name one userId.`);
    if (good === 0) throw new Error(`${file}: there is no good row.`);
    const changed = await call('audiences.importRun', { import: token, mode: 'add' });
    const window = { show: 'bad', order: 'file', offset: 0, limit: MAX_BAD } as const;
    const rows = bad === 0 ? [] : (await call('audiences.importRows', { import: token, ...window })).rows;
    return { ...changed, bad: rows.map(({ line, text: words }) => ({ line, text: words })) };
  } finally {
    await call('audiences.importClose', { import: token });
  }
}

async function remove({ running, name }: Given): Promise<Said> {
  const { id } = await named(running, name);
  await running.call('audiences.remove', { id });
  return { value: { removed: name }, text: `Removed ${name}. Its messages stay.` };
}

async function sync({ running, values, name }: Given): Promise<Said> {
  const { id } = await named(running, name);
  if (values['dry-run'] === true) return dryRun(running, id);
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
async function dryRun({ call }: Running, id: number): Promise<Said> {
  const bodies: unknown[] = [];
  let page: DryRun | undefined;
  do {
    const after = page?.next ?? undefined;
    page = await call('audiences.dryRun', { id, ...(after !== undefined && { after }), limit: AUDIENCE_LIMITS.window });
    bodies.push(...page.rows.map(({ body }) => JSON.parse(body) as unknown));
  } while (page.next !== null);
  const { total, kind, added, removed, changed, suppressed } = page;
  const first = kind === 'first' ? 'The first sync sends' : 'The next sync sends';
  const text = `${first} ${number(total)} calls, ${number(removed)} of them removals. Nothing is sent yet.`;
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
