/** `hookbench messages` and `hookbench attempts`. */
import { literalPattern, type Term } from '../contract/filter.ts';
import { MESSAGE_STATES, MESSAGE_TYPES } from '../contract/names.ts';
import type { AttemptView, MessageRow } from '../contract/values.ts';
import { UsageError } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand, type OpenOffline } from './command.ts';
import { filterOfText, filterOption } from './filter-option.ts';
import { type Column, PipeClosed, pipeWriter, writeNdjson, writeTable } from './output.ts';
import { attemptsOf, messagesOf, openReader, type Reader } from './query.ts';

const TABLE_LIMIT = 50;

/** Repeated options and comma-separated values alike, each one of `allowed`. */
function oneOf<T extends string>(
  given: readonly string[] | undefined,
  allowed: readonly T[],
  option: string,
): T[] | undefined {
  if (given === undefined) return undefined;
  return given
    .flatMap((text) => text.split(','))
    .map((text) => {
      const found = allowed.find((value) => value === text.trim());
      if (found === undefined)
        throw new UsageError(`--${option} takes one of ${allowed.join(', ')}, not ${JSON.stringify(text)}.`);
      return found;
    });
}

/** `--state`, `--type` and `--user` as terms of a filter. */
function termsOfOptions(values: {
  readonly state?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly user?: string | undefined;
}): Term[] {
  const states = oneOf(values.state, MESSAGE_STATES, 'state');
  const types = oneOf(values.type, MESSAGE_TYPES, 'type');
  return [
    ...(states === undefined ? [] : [{ key: 'status', values: states } as const]),
    ...(types === undefined ? [] : [{ key: 'type', values: types } as const]),
    ...(values.user === undefined ? [] : [{ key: 'user', values: [literalPattern(values.user)] } as const]),
  ];
}

function limitOf(text: string | undefined, asJson: boolean): number {
  if (text === undefined) return asJson ? Number.POSITIVE_INFINITY : TABLE_LIMIT;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError(`--limit takes a number from 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}

const time = (at: number): string => new Date(at).toISOString();

const messageColumns: readonly Column<MessageRow>[] = [
  { title: 'RECEIVED', width: 24, text: (row) => time(row.receivedAt) },
  { title: 'STATE', width: 12, text: (row) => row.state },
  { title: 'TYPE', width: 8, text: (row) => row.type },
  { title: 'NAME', width: 28, text: (row) => row.name },
  { title: 'USER', width: 20, text: (row) => row.userId ?? row.anonymousId ?? '' },
  { title: 'MESSAGE ID', width: 40, text: (row) => row.messageId },
];

type AttemptRow = AttemptView & { message: string };

const attemptColumns: readonly Column<AttemptRow>[] = [
  { title: 'STARTED', width: 24, text: (row) => time(row.startedAt) },
  { title: 'ROUND', width: 5, text: (row) => (row.replayId === null ? String(row.round) : 'replay') },
  { title: 'WEBHOOK', width: 20, text: (row) => row.webhookName },
  { title: 'OUTCOME', width: 19, text: (row) => row.outcome ?? 'open' },
  { title: 'STATUS', width: 6, text: (row) => (row.status === null ? '' : String(row.status)) },
  { title: 'MS', width: 7, text: (row) => (row.durationMs === null ? '' : row.durationMs.toFixed(0)) },
  { title: 'MESSAGE ID', width: 40, text: (row) => row.message },
];

async function withReader(
  workspace: string,
  openOffline: OpenOffline,
  write: (reader: Reader, out: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const reader = await openReader(workspace, openOffline);
  try {
    await write(reader, pipeWriter(process.stdout));
  } catch (error) {
    if (!(error instanceof PipeClosed)) throw error;
  } finally {
    reader.close();
  }
}

const json = { type: 'boolean', help: 'Print one JSON object per line' } as const;

/** Its run rejects with a {@link UsageError} or a `NoStoreError`. */
export const messagesCommand = defineCommand({
  name: 'messages',
  summary: 'List the messages of a running instance or of the stored file, newest first.',
  options: {
    workspace: workspaceOption,
    state: { type: 'string', value: 'STATE', multiple: true, help: `${MESSAGE_STATES.join(', ')}; may be repeated` },
    type: { type: 'string', value: 'TYPE', multiple: true, help: `${MESSAGE_TYPES.join(', ')}; may be repeated` },
    user: { type: 'string', value: 'ID', help: 'Only messages of this user' },
    filter: filterOption,
    limit: { type: 'string', value: 'N', help: `At most N messages (${TABLE_LIMIT}; with --json all)` },
    json,
  },
  run: async ({ values, parts, env }) => {
    const asJson = values.json === true;
    const options = termsOfOptions(values);
    const limit = limitOf(values.limit, asJson);
    await withReader(workspaceFolder(values.workspace, env), parts.openOffline, async (reader, out) => {
      const { terms = [] } = await filterOfText(values.filter ?? '', { sources: reader.listSources, now: Date.now() });
      const rows = messagesOf(reader, { terms: [...options, ...terms] }, limit);
      return asJson ? writeNdjson(rows, out) : writeTable(rows, messageColumns, out);
    });
  },
});

/** Its run rejects with a {@link UsageError} or a `NoStoreError`. */
export const attemptsCommand = defineCommand({
  name: 'attempts',
  summary: 'List delivery attempts, oldest first.',
  options: {
    workspace: workspaceOption,
    message: { type: 'string', value: 'ID', help: 'Only attempts of the message with this messageId' },
    json,
  },
  run: ({ values, parts, env }) =>
    withReader(workspaceFolder(values.workspace, env), parts.openOffline, (reader, out) => {
      const rows = attemptsOf(reader, values.message);
      return values.json === true ? writeNdjson(rows, out) : writeTable(rows, attemptColumns, out);
    }),
});
