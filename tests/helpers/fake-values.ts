/** Fixed values of the contract for tests of the shells. */

import type { CommandOutput } from '../../src/contract/commands.ts';
import { type MessageFilter, rowMatches } from '../../src/contract/filter.ts';
import type { Hello, LiveParts } from '../../src/contract/live.ts';
import { MESSAGE_STATES } from '../../src/contract/names.ts';
import type { ReceiverListenerView, ReceiversView } from '../../src/contract/receivers.ts';
import type { AttemptView, ListenerView, MessageRow, StatusView } from '../../src/contract/values.ts';
import type { EngineStartOptions } from '../../src/core/engine/engine-thread.ts';
import { DEFAULT_STORAGE } from '../../src/core/model/retention.ts';
import { fakeDestination } from './fake-destination.ts';

/** More than one page of 1,000. */
export const fakeMessageCount = 2_500;

export const fakeMessage = (id: number): MessageRow => ({
  id,
  messageId: `message-${id}`,
  sourceId: 1,
  origin: 'sdk',
  type: id % 2 === 0 ? 'track' : 'identify',
  name: id === 7 ? 'Order \u001b[31mplaced\u202e' : `Event ${id}`,
  userId: `user-${id % 10}`,
  anonymousId: null,
  state: id % 3 === 0 ? 'failed' : 'delivered',
  reason: null,
  reasonDetail: null,
  receivedAt: 1_760_000_000_000 + id,
  size: 100,
  round: 1,
  nextDueAt: null,
  firstAttemptAt: null,
  windowEndsAt: null,
  finishedAt: null,
  cells: 'a....',
  repeats: 0,
  replays: 0,
  notes: [],
});

interface ListInput {
  readonly filter: MessageFilter;
  readonly before?: number;
  readonly limit: number;
}

export function fakeMessages(input: ListInput): CommandOutput<'messages.list'> {
  const rows: MessageRow[] = [];
  let id = (input.before ?? fakeMessageCount + 1) - 1;
  for (; id > 0 && rows.length < input.limit; id--) {
    const row = fakeMessage(id);
    if (rowMatches(input.filter, row) === true) rows.push(row);
  }
  return { rows, nextBefore: id > 0 ? (rows.at(-1)?.id ?? null) : null };
}

const fakeAttempt = (id: number): AttemptView & { message: string } => ({
  id,
  messageId: id,
  message: `message-${id}`,
  replayId: null,
  webhookId: 1,
  slot: 0,
  webhookName: 'Orders',
  url: 'http://127.0.0.1:1/',
  round: 1,
  startedAt: 1_760_000_000_000 + id,
  clockAt: 1_760_000_000_000 + id,
  outcome: 'accepted',
  reason: null,
  detail: null,
  redirectedTo: null,
  status: 200,
  statusText: 'OK',
  durationMs: 1.5,
  phases: null,
  requestHeaders: [],
  responseHeaders: [],
  responseBytes: 0,
  responseCut: false,
  certificate: null,
});

interface AttemptsInput {
  readonly messageId?: string;
  readonly after?: number;
  readonly limit: number;
}

export function fakeAttempts(input: AttemptsInput): CommandOutput<'attempts.list'> {
  const all = Array.from({ length: 12 }, (_unused, n) => fakeAttempt(n + 1));
  const rows = all
    .filter((row) => input.messageId === undefined || row.message === input.messageId)
    .filter((row) => row.id > (input.after ?? 0))
    .slice(0, Math.min(input.limit, 5));
  const last = rows.at(-1);
  return { rows, nextAfter: last === undefined || last.id === 12 || input.messageId !== undefined ? null : last.id };
}

export const fakeStatus = (listener: ListenerView): StatusView => ({
  listener,
  https: { state: 'stopped', port: 8768, message: null, holder: null, enabled: false, authority: null, refused: null },
  tlsHellos: null,
  badTexts: null,
  lostMoves: 0,
  storeWritable: true,
  notSending: [],
  counts: Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])) as StatusView['counts'],
  total: 0,
  storeBytes: 0,
  storage: { ...DEFAULT_STORAGE, full: false },
  inFlight: 0,
  nextDueAt: null,
  perMinute: 0,
  requestsSeen: 0,
  rejectedSeen: 0,
});

const noReceivers = (port: number): ReceiverListenerView => ({ state: 'off', port, message: null, holder: null });
/** Listening to nothing. */
const quietReceivers = (): ReceiversView => ({ http: noReceivers(8766), https: noReceivers(8767), entries: [] });

type Started = Pick<EngineStartOptions, 'workspace' | 'version' | 'shell'>;

export const fakeHello = (options: Started, status: StatusView): Hello => ({
  epoch: 'fake',
  seq: 0,
  reset: true,
  workspace: {
    name: 'fake',
    folder: options.workspace,
    version: options.version,
    shell: options.shell,
    keyStorage: 'file',
  },
  // A part that no test needs is left out.
  parts: {
    status,
    clock: { speed: 1, paused: false, wallAt: 0, clockAt: 0 },
    sources: [],
    webhooks: [],
    destination: fakeDestination(),
    ingest: {
      mode: 'segment',
      acceptAnyKey: false,
      dedupe: true,
      correctEveryTimestamp: false,
      port: status.listener.port,
    },
    faults: { on: false, active: false, seed: 1, rules: [], done: [], hits: 0, version: 0 },
    receivers: quietReceivers(),
  } as Partial<LiveParts> as LiveParts,
});
