/** `hookbench deletions`: deletion requests and suppressed users of a running instance. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { userIdLines } from '../contract/deletion-limits.ts';
import type { DeletionDetail, DeletionPreview, DeletionRow, PlannedNotice } from '../contract/deletions.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { UsageError } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { type Running, withRunning } from './running.ts';

const WORDS = ['add', 'unsuppress', 'suppressed'] as const;
/** Rows of one answer. */
const PAGE = 200;
const NOTICES_PAGE = 1_000;
/** How often `--wait` asks. */
const ASK_MS = 200;

interface Values {
  readonly user?: readonly string[];
  readonly file?: string;
  readonly erase?: boolean;
  readonly suppress?: boolean;
  readonly forget?: boolean;
  readonly 'dry-run'?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

interface Said {
  readonly value: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

/** Without a word it lists the requests. */
export const deletionsCommand = defineCommand({
  name: 'deletions',
  summary: 'List the deletion requests of a running instance, add one, or list and lift suppressed users.',
  words: WORDS,
  options: {
    workspace: workspaceOption,
    user: { type: 'string', value: 'ID', multiple: true, help: 'A user id, exactly as written; may be repeated' },
    file: { type: 'string', value: 'FILE', help: 'A file with one user id on each line' },
    erase: { type: 'boolean', help: 'Also erase the stored messages of these users; it cannot be undone' },
    suppress: { type: 'boolean', help: 'Also reject calls of these users from now on' },
    forget: { type: 'boolean', help: 'Forget the ids of the request too, once every notice has ended' },
    'dry-run': { type: 'boolean', help: 'Print what would be sent and erased; nothing is sent, erased or suppressed' },
    wait: { type: 'boolean', help: 'Wait until every notice has ended; exit code 1 when one failed' },
    json: { type: 'boolean', help: 'Print one JSON object, or one list' },
  },
  run: async ({ values: { workspace: given, ...values }, word, env }) => {
    const { json = false } = values;
    const act = word === undefined ? list : { add, unsuppress, suppressed }[word];
    const said = await withRunning(workspaceFolder(given, env), (running) => act(running, values));
    const text = json ? jsonText(said.value) : said.text.split('\n').map(terminalText).join('\n');
    process.stdout.write(`${text}\n`);
    return said.exitCode ?? exitCodes.ok;
  },
});

/** The ids of `--user` and `--file`, in this order. */
async function userIdsOf({ user = [], file }: Values): Promise<string[]> {
  const ofFile = file === undefined ? [] : userIdLines(await readFile(file, 'utf8'));
  const all = [...user, ...ofFile].filter((userId) => userId !== '');
  if (all.length === 0) throw new UsageError('Give user ids with --user ID or --file FILE.');
  return all;
}

// Requests

const count = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;
const stateText = (state: string): string => state.replaceAll('_', ' ');

function rowText({ id, createdAt, firstUserId, users, notices, state }: DeletionRow): string {
  const more = users > 1 ? ` and ${users - 1} more` : '';
  const who = `${firstUserId ?? 'forgotten'}${more}`;
  const { delivered, total } = notices;
  return `${id}  ${new Date(createdAt).toISOString()}  ${stateText(state)}  ${delivered} of ${total} sent  ${who}`;
}

async function list({ call }: Running): Promise<Said> {
  const rows: DeletionRow[] = [];
  for (let before: number | undefined; ; ) {
    const page = await call('deletions.list', { before, limit: PAGE });
    rows.push(...page.rows);
    if (page.nextBefore === null) break;
    before = page.nextBefore;
  }
  return { value: rows, text: rows.length === 0 ? 'No deletion request yet.' : rows.map(rowText).join('\n') };
}

async function add(running: Running, values: Values): Promise<Said> {
  const userIds = await userIdsOf(values);
  if (values['dry-run'] === true) return dryRun(running, userIds, values);
  const { erase = false, suppress = false, forget = false } = values;
  const made = await running.call('deletions.create', { userIds, erase, suppress, forget });
  const detail = values.wait === true ? await ended(running, made) : made;
  const isFailed = values.wait === true && detail.notices.failed > 0;
  return { value: detail, text: detailText(detail), exitCode: isFailed ? exitCodes.failed : exitCodes.ok };
}

async function ended({ call }: Running, { id }: DeletionDetail): Promise<DeletionDetail> {
  for (;;) {
    const detail = await call('deletions.get', { id });
    if (detail.phase === 'finished' && detail.notices.waiting === 0) return detail;
    await delay(ASK_MS);
  }
}

function detailText({ id, users, notices, state, erased, search, suppressed }: DeletionDetail): string {
  const { total, delivered, failed, waiting } = notices;
  const lines = [
    `Deletion request ${id}: ${stateText(state)}.`,
    `${count(total, 'notice')} about ${count(users, 'user')}: ${delivered} delivered, ${failed} failed, ${waiting} waiting.`,
  ];
  if (erased !== null) {
    const { messages, attempts, replays, heldCalls, receiverEntries, memberships } = erased;
    const parts = `${count(attempts, 'attempt')}, ${count(replays, 'replay')}, ${count(heldCalls, 'held call')}`;
    lines.push(
      `Erased ${count(messages, 'message')} with ${parts} and ${receiverEntries} entries in logs of receivers.`,
    );
    if (memberships > 0) lines.push(`Removed ${count(memberships, 'membership')} of audiences and traits.`);
  }
  if (search !== null && search.finishedAt !== null) {
    lines.push(`Looked through ${search.bytes} bytes afterwards: ${search.found} other rows mention one of the ids.`);
    if (search.files === 'next_start')
      lines.push('Free parts of the files may still hold erased bytes. The next start of Hookbench clears them.');
  }
  if (suppressed > 0) lines.push(`${count(suppressed, 'user')} suppressed.`);
  return lines.join('\n');
}

// Dry run

async function dryRun({ call }: Running, userIds: readonly string[], { erase = false }: Values): Promise<Said> {
  const preview = await call('deletions.preview', { userIds: [...userIds] });
  const notices: PlannedNotice[] = [];
  for (let from = 1; from <= preview.notices; from += NOTICES_PAGE) {
    const page = await call('deletions.dryRun', { userIds: [...userIds], from, count: NOTICES_PAGE });
    notices.push(...page.notices);
    if (page.notices.length < NOTICES_PAGE) break;
  }
  return { value: { preview, notices }, text: dryRunText(preview, notices, erase) };
}

function dryRunText(preview: DeletionPreview, notices: readonly PlannedNotice[], erase: boolean): string {
  const { lines, ids, known, near, unknown, users, erase: taken } = preview;
  const nearLines = users.flatMap((user) =>
    user.calls > 0
      ? []
      : user.near.map((other) => `  ${user.userId}: no calls; ${other.userId} has ${count(other.calls, 'call')}`),
  );
  return [
    `${count(lines, 'line')}, ${count(ids, 'different id')}: ${known} known, ${unknown} unknown, ${near} near another id.`,
    ...nearLines,
    `${count(notices.length, 'notice')} would be sent:`,
    ...notices.map(({ sourceName, body }) => `  ${sourceName}  ${body}`),
    ...(erase ? [`${count(taken.messages, 'message')} would be erased.`] : []),
    'Nothing was sent, erased or suppressed.',
  ].join('\n');
}

// Suppressed users

async function suppressed({ call }: Running): Promise<Said> {
  const rows: Awaited<ReturnType<typeof page>>['rows'] = [];
  const page = (after: string | undefined) => call('deletions.suppressions', { after, limit: PAGE });
  for (let after: string | undefined; ; ) {
    const { rows: some, nextAfter } = await page(after);
    rows.push(...some);
    if (nextAfter === null) break;
    after = nextAfter;
  }
  const text = rows
    .map(({ userId, since, hits }) => `${new Date(since).toISOString()}  ${count(hits, 'call')} rejected  ${userId}`)
    .join('\n');
  return { value: rows, text: rows.length === 0 ? 'No user is suppressed.' : text };
}

async function unsuppress({ call }: Running, values: Values): Promise<Said> {
  const { lifted } = await call('deletions.lift', { userIds: await userIdsOf(values) });
  return { value: { lifted }, text: `Lifted the suppression of ${count(lifted, 'user')}.` };
}
