/** Reports what one client did when ingest misbehaved, message by message, from the tries that are kept. */
import { ContractError } from '../../contract/errors.ts';
import type {
  ClientReport,
  FaultClientView,
  FaultReport,
  TriedMessageView,
  TriedState,
  TryView,
} from '../../contract/faults.ts';
import { policyFor } from './policy-rules.ts';
import { policySummary } from './policy-words.ts';
import { stateOf, type TriedMessage, wasRepeated } from './tried-message.ts';
import type { TriedRequest, Tries, TryClient } from './tries.ts';
import { reportLines } from './verdicts.ts';

const MAX_MESSAGES = 100;
const MAX_TRIES = 50;
/**
 * How many messages it looks up in the store, at microseconds each. Beyond these, a taken message counts as stored
 * once.
 */
const MAX_LOOKUPS = 5_000;
export interface ReportNow {
  readonly wall: number;
  readonly mono: number;
  rowsOf(messageId: string, writeKey: string | null): number;
}

export interface Asked {
  readonly client?: string | undefined;
  /** Wall times. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Error `fault_client_not_found`. */
export function reportOf(tries: Tries, asked: Asked, now: ReportNow): FaultReport {
  const clients = tries.clients;
  const client =
    asked.client === undefined
      ? (clients.find(({ failed }) => failed > 0) ?? null)
      : clients.find(({ key }) => key === asked.client);
  if (client === undefined) throw new ContractError('fault_client_not_found');
  return { clients: clients.map(clientView), client: client === null ? null : clientReport(tries, client, asked, now) };
}

const clientView = (client: TryClient): FaultClientView => ({ ...client });

function clientReport(tries: Tries, client: TryClient, { from, to }: Asked, now: ReportNow): ClientReport {
  const known = policyFor(client.library, client.version);
  const policy = known?.policy ?? null;
  const byMessage = new Map<string, TriedRequest[]>();
  const seen = new Set<TriedRequest>();
  for (const { messageId, request } of tries.of(client.key)) {
    if (request.at < (from ?? 0) || request.at > (to ?? Number.POSITIVE_INFINITY)) continue;
    seen.add(request);
    if (messageId === null) continue;
    const requests = byMessage.get(messageId);
    if (requests === undefined) byMessage.set(messageId, [request]);
    else requests.push(request);
  }
  let lookups = 0;
  const messages = [...byMessage].map(([messageId, requests]): TriedMessage => {
    const taken = requests.some((request) => request.taken);
    lookups += 1;
    const storedTimes = lookups <= MAX_LOOKUPS ? now.rowsOf(messageId, client.writeKey) : Number(taken);
    const state = taken || storedTimes > 0 ? 'stored' : stateOf(requests, policy, now.mono);
    return { messageId, requests, storedTimes, state };
  });
  const of = (state: TriedState): number => messages.filter((message) => message.state === state).length;
  const times = [...seen].map(({ at }) => at);
  const unread = [...seen].filter((request) => request.unread).length;
  return {
    client: clientView(client),
    from: Math.min(...times, client.lastAt),
    to: Math.max(...times, 0) || client.lastAt,
    policy:
      known === null
        ? null
        : {
            name: known.policy.name,
            evidence: known.policy.evidence,
            exact: known.exact,
            caution: known.policy.caution ?? null,
            summary: policySummary(known.policy),
          },
    requests: seen.size,
    faulted: [...seen].filter(({ fault }) => fault !== null).length,
    messages: messages.length,
    stored: of('stored'),
    waiting: of('waiting'),
    lost: of('lost'),
    repeated: messages.filter(wasRepeated).length,
    storedTwice: messages.filter(({ storedTimes }) => storedTimes > 1).length,
    unread,
    nameless: namelessOf([...seen]),
    lines: reportLines(messages, policy, unread > 0),
    tried: messages
      .filter(({ requests, state }) => requests.length > 1 || state !== 'stored')
      .slice(-MAX_MESSAGES)
      .reverse()
      .map(messageView),
  };
}

function namelessOf(requests: readonly TriedRequest[]): ClientReport['nameless'] {
  const sum = (all: readonly TriedRequest[]): number => all.reduce((calls, { nameless }) => calls + nameless, 0);
  return { calls: sum(requests), taken: sum(requests.filter(({ taken }) => taken)) };
}

function messageView({ messageId, requests, storedTimes, state }: TriedMessage): TriedMessageView {
  return {
    messageId,
    state,
    storedTimes,
    tries: requests.slice(0, MAX_TRIES).map((request, i) => tryView(request, requests[i - 1])),
    more: Math.max(0, requests.length - MAX_TRIES),
  };
}

function tryView(request: TriedRequest, before: TriedRequest | undefined): TryView {
  const { at, ending, status, fault, retryCount, taken, from, until } = request;
  const waitMs = before === undefined ? null : Math.max(0, from - before.until);
  return { at, tookMs: until - from, ending, status, fault, retryCount, waitMs, taken };
}
