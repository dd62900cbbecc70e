/** `hookbench replay`: sends stored messages of a running instance again, and prints what came back. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandInput } from '../contract/commands.ts';
import { errorCodes } from '../contract/errors.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { REPLAY_LIMITS, REPLAY_ORDERS, type ReplayOrder } from '../contract/replay-limits.ts';
import type { AttemptView, MessageRow, ReplayView } from '../contract/values.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { type Options, parseWordsAndOptions, UsageError, type Values } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import type { Command } from './command.ts';
import { filterOfText, filterOption } from './filter-option.ts';
import { type Column, pipeWriter, writeNdjson, writeTable } from './output.ts';
import { type ReplayTo, targetsIn } from './replay-targets.ts';
import { type Running, withRunning } from './running.ts';

/** How often the instance is asked whether a replay has ended. */
const ASK_MS = 100;
/** Messages of one answer. */
const PAGE = 1_000;

/** A script whose variable is not set must not send everything. */
const EMPTY_FILTER =
  "--filter is empty, which would send every message. To send them all, give a time: --filter 'after:2000-01-01'.";

const options = {
  workspace: workspaceOption,
  to: {
    type: 'string',
    value: 'NAME|URL',
    multiple: true,
    help: 'A webhook by name or place, a receiver by id, or a URL; may be repeated. Without it, every webhook that is on',
  },
  filter: filterOption,
  body: { type: 'string', value: 'FILE', help: 'Send the bytes of this file, as UTF-8, in place of the stored ones' },
  header: { type: 'string', value: "'NAME: VALUE'", multiple: true, help: 'Send this header too; may be repeated' },
  'new-timestamp': { type: 'boolean', help: 'Set the timestamp of each call to the time of sending' },
  unsigned: { type: 'boolean', help: 'Send no signature' },
  'first-success': {
    type: 'boolean',
    help: 'Try one target after another until one accepts it; all at once without it',
  },
  retry: { type: 'boolean', help: 'Try again what fails, by the delivery rules, until their window ends' },
  order: {
    type: 'string',
    value: 'oldest|newest',
    help: 'Send as received, or the newest first. Without it, as received with --filter, else in the order given',
  },
  rate: {
    type: 'string',
    value: 'N',
    help: `Messages per second, 1 to ${REPLAY_LIMITS.rate} (${REPLAY_LIMITS.defaultRate})`,
  },
  'dry-run': { type: 'boolean', help: 'Print what would be sent; nothing is sent' },
  json: { type: 'boolean', help: 'Print one JSON object for each attempt' },
} as const satisfies Options;

type Given = Values<typeof options>;

/** Ends with 1 when a target did not accept a message; with --first-success, when none did. Rejects with a {@link UsageError} or a `NotRunningError`. */
export const replayCommand: Command = {
  name: 'replay',
  argument: 'MESSAGE_ID…',
  summary: 'Send stored messages of a running instance again, rejected ones too, and print what came back.',
  options,
  run: async (args, _parts, env) => {
    const { values, words } = parseWordsAndOptions(options, args);
    const { filter, body } = values;
    if (words.length === 0 && filter === undefined)
      throw new UsageError('Name the messages by their messageId, or with --filter.');
    if (words.length > 0 && filter !== undefined) throw new UsageError('Name messages, or give --filter, not both.');
    if (filter?.trim() === '') throw new UsageError(EMPTY_FILTER);
    if (body !== undefined && words.length !== 1) throw new UsageError('--body takes one message.');
    const order = orderOf(values.order);
    const how = await mannerOf(values);
    return withRunning(workspaceFolder(values.workspace, env), async (running) => {
      const named = filter === undefined ? await found(running, words) : await matching(running, filter);
      const messages = inOrder(named, order);
      if (messages.length === 0) process.stderr.write('No message matches.\n');
      const to = await targetsIn(running, values.to ?? []);
      const plan = { messages, to, how, rate: rateOf(values.rate) };
      return values['dry-run'] === true ? dryRun(running, plan, values) : replay(running, plan, values);
    });
  },
};

type Manner = Omit<CommandInput<'replay.send'>, 'id' | 'webhookIds' | 'receivers' | 'urls'>;

interface Plan {
  readonly messages: readonly MessageRow[];
  readonly to: ReplayTo;
  readonly how: Manner;
  readonly rate: number;
}

async function mannerOf(values: Given): Promise<Manner> {
  const { body, header = [], unsigned, 'new-timestamp': newTimestamp, retry } = values;
  return {
    ...(body !== undefined && { body: await textOf(body) }),
    ...(header.length > 0 && { headers: header.map(headerOf) }),
    ...(unsigned === true && { sign: false }),
    ...(newTimestamp === true && { newTimestamp: true }),
    ...(values['first-success'] === true && { untilAccepted: true }),
    ...(retry === true && { retry: true }),
  };
}

/** The contract carries text: bytes that are no UTF-8 would change on the way. */
async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8.`);
  }
}

function headerOf(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError(`--header takes 'Name: value', not ${JSON.stringify(text)}.`);
  return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

function rateOf(text: string | undefined): number {
  if (text === undefined) return REPLAY_LIMITS.defaultRate;
  const rate = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (rate < 1 || rate > REPLAY_LIMITS.rate)
    throw new UsageError(`--rate takes a number from 1 to ${REPLAY_LIMITS.rate}, not ${JSON.stringify(text)}.`);
  return rate;
}

function orderOf(text: string | undefined): ReplayOrder | null {
  const order = REPLAY_ORDERS.find((one) => one === text);
  if (order === undefined && text !== undefined)
    throw new UsageError(`--order takes oldest or newest, not ${JSON.stringify(text)}.`);
  return order ?? null;
}

/** Row ids grow with every message received. */
function inOrder(messages: readonly MessageRow[], order: ReplayOrder | null): readonly MessageRow[] {
  if (order === null) return messages;
  return messages.toSorted(order === 'oldest' ? (a, b) => a.id - b.id : (a, b) => b.id - a.id);
}

/** In the order given. Of several messages with one messageId, the newest. */
async function found({ call }: Running, messageIds: readonly string[]): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (const messageId of messageIds) {
    const row = (await call('messages.find', { messageId })).at(-1);
    if (row === undefined) throw new UsageError(`There is no message with the messageId ${messageId}.`);
    rows.push(row);
  }
  return rows;
}

/** All that match now, in the order received. */
async function matching({ call }: Running, text: string): Promise<MessageRow[]> {
  const sources = async () => (await call('app.hello', {})).parts.sources;
  const filter = await filterOfText(text, { sources, now: Date.now() });
  const rows: MessageRow[] = [];
  for (let before: number | undefined; ; ) {
    const page = await call('messages.list', { filter, before, limit: PAGE });
    rows.push(...page.rows);
    if (rows.length > REPLAY_LIMITS.messages) throw new UsageError(errorCodes.too_many_replays);
    if (page.nextBefore === null) return rows.reverse();
    before = page.nextBefore;
  }
}

// Sending

type Sent = AttemptView & { readonly message: string; readonly sent: ReplayView['sent'] };

const sentColumns: readonly Column<Sent>[] = [
  { title: 'MESSAGE ID', width: 40, text: (row) => row.message },
  { title: 'TARGET', width: 24, text: (row) => row.webhookName },
  { title: 'OUTCOME', width: 19, text: (row) => row.outcome ?? 'open' },
  { title: 'STATUS', width: 6, text: (row) => (row.status === null ? '' : String(row.status)) },
  { title: 'MS', width: 7, text: (row) => (row.durationMs === null ? '' : row.durationMs.toFixed(0)) },
  { title: 'SENT', width: 9, text: (row) => row.sent },
];

async function replay(running: Running, plan: Plan, { json }: Given): Promise<number> {
  let isFailed = false;
  async function* attempts() {
    for (const [i, message] of plan.messages.entries()) {
      if (i > 0) await delay(1_000 / plan.rate);
      const attempts = await replayed(running, message, plan);
      isFailed ||= !isAccepted(attempts, plan.how.untilAccepted === true);
      yield* attempts;
    }
  }
  const out = pipeWriter(process.stdout);
  await (json === true ? writeNdjson(attempts(), out) : writeTable(attempts(), sentColumns, out));
  return isFailed ? exitCodes.failed : exitCodes.ok;
}

/** By the last attempt at each target, or by any one of them. */
function isAccepted(attempts: readonly Sent[], byOne: boolean): boolean {
  const last = new Map(attempts.map(({ webhookId, outcome }) => [webhookId, outcome]));
  const accepted = [...last.values()].filter((outcome) => outcome === 'accepted').length;
  return byOne ? accepted > 0 : accepted === last.size;
}

async function replayed(running: Running, message: MessageRow, { to, how }: Plan): Promise<Sent[]> {
  const { names: _, ...targets } = to;
  let replay = await running.call('replay.send', { id: message.id, ...targets, ...how });
  while (replay.finishedAt === null) {
    await delay(ASK_MS);
    const { replays } = await running.call('messages.attempts', { id: message.id });
    replay = replays.find(({ id }) => id === replay.id) ?? replay;
  }
  return replay.attempts.map((attempt) => ({ ...attempt, message: message.messageId, sent: replay.sent }));
}

// Dry run

async function dryRun({ call }: Running, { messages, to, how }: Plan, { json }: Given): Promise<number> {
  const { untilAccepted: _, retry: __, ...copy } = how;
  const { names, ...targets } = to;
  for (const message of messages) {
    const preview = await call('replay.preview', { id: message.id, ...targets, ...copy });
    const body = Buffer.from(preview.bodyBase64, 'base64');
    const row = { message: message.messageId, sent: preview.sent, bytes: body.length, targets: names };
    const text = `${row.message}: ${row.bytes} bytes, ${row.sent}, to ${names.join(', ')}`;
    process.stdout.write(`${json === true ? jsonText({ ...row, body: body.toString('utf8') }) : terminalText(text)}\n`);
  }
  return exitCodes.ok;
}
