/** What a person asks of a replay, made into targets and bytes. */
import { ContractError } from '../../contract/errors.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import type { DeliveryWebhook } from '../delivery/webhooks.ts';
import { receivedCall } from '../ingest/received-call.ts';
import { withTimestamp } from '../model/replay-body.ts';
import { readStaticHeaders, type StaticHeader } from '../model/static-headers.ts';
import type { MessageRecord } from '../model/stored.ts';
import type { SentBody } from '../model/vocabulary.ts';
import { readWebhookUrl } from '../model/webhook-url.ts';
import type { DetailStore } from '../store/ports/details.ts';
import type { DueStore } from '../store/ports/due.ts';
import { UNREADABLE_HEADERS } from '../workspace/webhooks.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface TargetDeps {
  readonly dispatcher: Pick<Dispatcher, 'stopping'>;
  readonly workspace: Workspace;
  /** Hookbench's own listening ports. */
  ownPorts(): readonly number[];
  /** Name and URL of a receiver of the lab. Errors `receiver_not_found`, `receivers_off`. */
  receiver(id: string): { readonly name: string; readonly url: string };
}

type Given<T> = T | undefined;

export interface TargetAsk {
  readonly webhookIds: readonly number[];
  readonly receivers?: Given<readonly string[]>;
  readonly urls?: Given<readonly string[]>;
  readonly headers?: Given<ReadonlyArray<{ name: string; value: string; shown?: Given<boolean> }>>;
  readonly sign?: Given<boolean>;
}

/**
 * Where a replay goes, when it may be sent there now. A receiver or URL that is no webhook gets the ids -1, -2, … and
 * none of the static headers of webhooks, which may be secrets. Errors: see `replay.send`.
 */
export function targetsOf(deps: TargetDeps, ask: TargetAsk): DeliveryWebhook[] {
  const { dispatcher, workspace } = deps;
  if (dispatcher.stopping) throw new ContractError('stopped', 'Hookbench is stopping, so nothing new is sent.');
  if (ask.sign !== false && workspace.destination.secret.state === 'unreadable')
    throw new ContractError('secret_unreadable');
  const { webhookIds, receivers = [], urls = [] } = ask;
  if (webhookIds.length > 0 && !workspace.secretsReadable)
    throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
  const headers = headersOf(ask.headers ?? []);
  const webhooks = [...new Set(webhookIds)].map((id) => withHeaders(workspace.webhooks.get(id), headers));
  const elsewhere = [
    ...[...new Set(receivers)].map((id) => deps.receiver(id)),
    ...[...new Set(urls)].map((url, i) => otherUrl(url, i, deps.ownPorts())),
  ];
  const others = elsewhere.map(({ name, url }, i) => ({ id: -1 - i, slot: 0, name, url, headers, enabled: true }));
  if (webhooks.length + others.length === 0) throw new ContractError('no_target');
  return [...webhooks, ...others];
}

function headersOf(given: NonNullable<TargetAsk['headers']>): readonly StaticHeader[] {
  const read = readStaticHeaders(given);
  if (!read.ok) throw new ContractError('invalid_header', read.problem.message, read.problem.field);
  return read.headers;
}

function withHeaders(webhook: DeliveryWebhook, headers: readonly StaticHeader[]): DeliveryWebhook {
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  const own = webhook.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...webhook, headers: [...own, ...headers] };
}

/** Named by its host, as attempts show it. */
function otherUrl(text: string, i: number, ownPorts: readonly number[]): { name: string; url: string } {
  const read = readWebhookUrl(text, ownPorts);
  if (read.ok) return { name: new URL(read.url).host, url: read.url };
  const code = read.problem.code === 'loop' ? 'loop_url' : 'invalid_url';
  throw new ContractError(code, read.problem.message, `urls.${i}`);
}

export interface BytesDeps {
  readonly due: Pick<DueStore, 'wire'>;
  readonly details: Pick<DetailStore, 'request'>;
}

/** The bytes of a replay and where they come from. */
export interface ReplayBytes {
  readonly wire: Uint8Array;
  readonly sent: SentBody;
}

/** What is stored of a message that can be sent. Errors `no_delivered_body`, `body_damaged`. */
export function storedBytes({ due, details }: BytesDeps, message: MessageRecord): ReplayBytes {
  const { id, state, requestId, position } = message;
  const wire = due.wire(id);
  if (wire !== null) return { wire, sent: 'delivered' };
  if (state !== 'rejected') throw new ContractError('body_damaged');
  const request = details.request(requestId);
  const received = request === undefined ? null : receivedCall(request, position);
  if (received === null || received.length === 0) throw new ContractError('no_delivered_body');
  return { wire: received, sent: 'received' };
}

/** The stored bytes with what a person changed. The same bytes again are not edited. */
export function bytesToSend(
  stored: ReplayBytes,
  ask: { readonly body?: Given<string>; readonly newTimestamp?: Given<boolean> },
  now: number,
): ReplayBytes {
  const given = ask.body === undefined ? stored.wire : Buffer.from(ask.body);
  const wire = ask.newTimestamp === true ? withTimestamp(given, now) : given;
  return Buffer.compare(wire, stored.wire) === 0 ? stored : { wire, sent: 'edited' };
}
