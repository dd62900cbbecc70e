/** `hookbench audiences`: the audiences of a running instance, their members and their syncs. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AUDIENCE_LIMITS, type MembersChanged } from '../contract/audiences.ts';
import { UsageError } from '../shell/option-table.ts';
import { workspaceOption } from '../shell/start-options.ts';
import { defineNamedCommand } from './named-command.ts';
import type { Running } from './running.ts';
import { type Asked, definitionFrom, named, number, remove, rowText, runWords, type Said, sync } from './senders.ts';

const options = {
  workspace: workspaceOption,
  property: { type: 'string', value: 'NAME', help: 'add: the trait that is sent; made from the name by default' },
  user: { type: 'string', value: 'ID', multiple: true, help: 'add: a first member; may be repeated' },
  add: { type: 'string', value: 'ID', multiple: true, help: 'members: adds a user; may be repeated' },
  remove: { type: 'string', value: 'ID', multiple: true, help: 'members: removes a user; may be repeated' },
  rule: { type: 'string', value: 'FILE', help: 'add: members by the rule of a JSON file, in place of a list' },
  file: {
    type: 'string',
    value: 'FILE',
    help: 'add, members: adds the user ids of a CSV or NDJSON file, or one id a line',
  },
  'dry-run': { type: 'boolean', help: 'sync: prints the calls that it would send, and sends nothing' },
  wait: { type: 'boolean', help: 'sync: ends when every call is delivered or failed; exit code 1 when one failed' },
  json: { type: 'boolean', help: 'Print JSON' },
} as const;

interface Values {
  readonly property?: string;
  readonly user?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly file?: string;
  readonly rule?: string;
  readonly wait?: boolean;
  readonly 'dry-run'?: boolean;
}

export const audiencesCommand = defineNamedCommand({
  name: 'audiences',
  summary: 'List the audiences of a running instance; add or remove one, edit its members, sync it.',
  words: ['add', 'members', 'sync', 'remove'],
  argument: 'NAME',
  options,
  run: (given) => runWords({ ...given, kind: 'audience', actions: ACTIONS }),
});

const ACTIONS = {
  add,
  members,
  sync: (asked: Asked<Values>) => sync('audience', asked),
  remove: (asked: Asked<Values>) => remove('audience', asked),
} as const;

async function add({ running, values, name }: Asked<Values>): Promise<Said> {
  const { property, user = [], file, rule } = values;
  if (rule !== undefined && (user.length > 0 || file !== undefined))
    throw new UsageError('Members come from --rule, or from --user and --file.');
  const source = rule === undefined ? {} : { source: definitionFrom(rule) };
  const { id } = await running.call('audiences.save', { name, ...(property !== undefined && { property }), ...source });
  if (rule === undefined) await edit(running, id, user, []);
  if (file !== undefined) await importFile(running, id, file);
  const row = await named(running, 'audience', name);
  return { value: row, text: `Added ${rowText(row)}.` };
}

async function members({ running, values, name }: Asked<Values>): Promise<Said> {
  const { add: added = [], remove: removed = [], file } = values;
  const { id } = await named(running, 'audience', name);
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
