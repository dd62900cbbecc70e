/** The commands of the contract over an engine, one short function each. Arguments were checked at the edge. */
import type { Handlers } from '../../contract/channel.ts';
import { ContractError, errorCodes } from '../../contract/errors.ts';
import type { AuthorityView, MessageDetail, MessageRow, RawRequestView, TriedView } from '../../contract/values.ts';
import type { Engine } from '../engine/engine.ts';
import { createFaultHandlers } from '../faults/handlers.ts';
import { decodeBody } from '../ingest/decode.ts';
import { parsedViewOf } from '../ingest/parsed-view.ts';
import { FINAL_STATES } from '../model/message.ts';
import { signatureOf } from '../model/signature.ts';
import type { MessageRecord, RequestRecord } from '../model/stored.ts';
import { createReceiverHandlers } from '../receivers/handlers.ts';
import { messageSchedule } from '../workspace/destination-view.ts';
import { sourceEvents } from '../workspace/source-events.ts';
import { headerValue, wouldShow } from '../workspace/webhook-edit.ts';
import { UNREADABLE_HEADERS } from '../workspace/workspace.ts';
import { comparison } from './profile-comparison.ts';
import { attemptView, headerView, lineUpView, messageRow, replayView, sourceView } from './views.ts';

/** A page of ids may look at rows for this long before it answers with what it has. */
const SCAN_MS = 6;

export interface ConnectionHooks {
  hello(since: { epoch: string; seq: number } | undefined): ReturnType<Handlers['app.hello']>;
  setHidden(hidden: boolean): void;
  readonly surface: Surface;
}

/** Who is at the other end: the window or page of a person, or whatever has opened the local socket. */
export type Surface = 'app' | 'local_socket';

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** The newest message is never removed, so a greater id has not been given yet. */
const absence = (id: number, next: number): string =>
  id < next ? 'This message was removed, by the storage limits or by hand.' : 'There has been no message with this id.';

export function createHandlers(engine: Engine, hooks: ConnectionHooks): Handlers {
  const { workspace, dispatcher } = engine;
  const { lists, details, writer, deliveries } = engine.stores;

  const record = (id: number): MessageRecord => {
    const found = lists.message(id);
    if (found === undefined) throw new ContractError('message_not_found', absence(id, newest()));
    return found;
  };
  const row = (id: number): MessageRow => messageRow(record(id));
  const tried = (id: number): TriedView => {
    const all = details.attemptsOf(id).map(attemptView);
    const own = all.filter((attempt) => attempt.replayId === null);
    return {
      attempts: own,
      replays: details.replaysOf(id).map((replay) => replayView(replay, all)),
      lineUps: own.length === 0 ? [] : details.lineUps(own[0]!.id, own.at(-1)!.id).map(lineUpView),
    };
  };
  /** A scan may look at rows for this long. */
  const forSomeTime = () => {
    const until = engine.ports.clock.mono() + SCAN_MS;
    return { keepGoing: () => engine.ports.clock.mono() < until };
  };
  const webhook = (id: number | undefined) => workspace.webhooks.find((one) => one.id === id);
  const newest = (): number => (lists.idRange()?.last ?? 0) + 1;

  return {
    'app.hello': ({ since }) => hooks.hello(since),
    'app.visibility': ({ hidden }) => {
      hooks.setHidden(hidden);
      return null;
    },
    'app.status': () => engine.status.view(),

    'messages.window': ({ fromRank, count }) => {
      const first = engine.ranks.idAt(fromRank);
      return { total: engine.ranks.total, rows: first === undefined ? [] : lists.window(first, count).map(messageRow) };
    },
    'messages.ids': ({ filter, before = newest(), after = 0, limit }) =>
      lists.ids({ filter, before, after, limit, ...forSomeTime() }),
    'messages.counts': ({ filter, before, after }) => {
      const { first, last } = lists.idRange() ?? { first: 1, last: 0 };
      const from = Math.max(after ?? 0, first - 1);
      const page = lists.tally({ filter, before: before ?? last + 1, after: from, ...forSomeTime() });
      return { ...page, newest: last, oldest: last === 0 ? 0 : first, total: engine.ranks.total };
    },
    'messages.byIds': ({ ids }) => lists.messages(ids).map(messageRow),
    'messages.get': ({ id }) => detail(engine, record(id), tried(id)),
    'messages.raw': ({ id }) => {
      const message = record(id);
      const request = details.request(message.requestId);
      if (request === undefined) throw new ContractError('request_not_found');
      return rawRequest(request, message.position);
    },
    'messages.attempts': ({ id }) => {
      record(id);
      return tried(id);
    },
    'attempts.bodies': ({ id }) => {
      if (details.attempt(id) === undefined) throw new ContractError('attempt_not_found');
      const body = details.responseBody(id);
      return { responseBase64: body === null ? '' : Buffer.from(body).toString('base64') };
    },
    'messages.list': ({ filter, before = newest(), limit }) => {
      const page = lists.ids({ filter, before, after: 0, limit, ...forSomeTime() });
      return { rows: lists.messages(page.ids).map(messageRow), nextBefore: page.more ? page.scannedTo : null };
    },
    'attempts.list': ({ messageId, after, limit }) => {
      const rows = details
        .attemptsAfter({ after: after ?? 0, messageId, limit })
        .map((one) => ({ ...attemptView(one), message: one.message }));
      return { rows, nextAfter: rows.length === limit ? rows[rows.length - 1]!.id : null };
    },

    'messages.retryNow': async ({ id }) => {
      record(id);
      const due = await writer.write((changes) => deliveries.makeDue(id, engine.retryClock.now(), changes));
      if (!due) throw new ContractError('not_waiting');
      dispatcher.refresh();
      return row(id);
    },
    'messages.stop': async ({ id }) => {
      const { state } = record(id);
      if (FINAL_STATES.has(state) || !(await dispatcher.stopMessage(id))) throw new ContractError('already_final');
      return row(id);
    },
    'messages.sendSample': () => sendSample(engine),
    'messages.reingestHeld': ({ writeKey }) => reingestHeld(engine, writeKey),

    'replay.send': async ({ id, webhookIds }) => {
      const { round } = record(id);
      const wire = deliveries.wire(id);
      if (wire === null)
        throw new ContractError(record(id).state === 'rejected' ? 'no_delivered_body' : 'body_damaged');
      if (dispatcher.stopping) throw new ContractError('stopped', 'Hookbench is stopping, so nothing new is sent.');
      if (workspace.secret.state === 'unreadable') throw new ContractError('secret_unreadable');
      if (!workspace.secretsReadable) throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
      const webhooks = [...new Set(webhookIds)].map((webhookId) => {
        const found = webhook(webhookId);
        if (found === undefined) throw new ContractError('webhook_not_found');
        return found;
      });
      const replayId = await engine.replayer.send(id, round, wire, webhooks);
      return replayView(details.replay(replayId)!, details.attemptsOf(id).map(attemptView));
    },

    'sources.save': async (edit) => sourceView(await workspace.saveSource(edit)),
    'sources.events': ({ id }) => {
      const source = workspace.sources.find((one) => one.id === id);
      if (source === undefined) throw new ContractError('source_not_found');
      return sourceEvents(source, { lists, events: engine.stores.sourceEvents, timers: engine.ports.timers });
    },
    'sources.switchEvent': async (given) => sourceView(await workspace.switchEvent(given)),
    'sources.remove': async ({ id }) => {
      await workspace.removeSource(id);
      return null;
    },
    'webhooks.save': async (edit) => {
      if (hooks.surface !== 'app' && wouldShow(edit, webhook(edit.id))) throw new ContractError('app_only');
      const { id } = await workspace.saveWebhook(edit);
      engine.applyDelivery();
      return engine.webhookViews.of(id);
    },
    'webhooks.headerValue': ({ id, name, at }) => {
      if (hooks.surface !== 'app') throw new ContractError('app_only');
      const found = webhook(id);
      if (found === undefined) throw new ContractError('webhook_not_found');
      if (!found.readable) throw new ContractError('secret_unreadable');
      return { value: headerValue(found, name, at) };
    },
    'webhooks.remove': async ({ id }) => {
      await workspace.removeWebhook(id);
      engine.applyDelivery();
      return null;
    },
    'destination.save': async (edit) => {
      await workspace.saveDestination(edit);
      engine.applyDelivery();
      return workspace.destinationView();
    },
    'destination.setSecret': async ({ secret }) => {
      await workspace.setSecret(secret);
      engine.applyDelivery();
      return workspace.destinationView();
    },
    'destination.newSecret': async () => {
      const secret = engine.ports.ids.hex(24);
      await workspace.setSecret(secret);
      engine.applyDelivery();
      return { secret, destination: workspace.destinationView() };
    },
    'messages.underProfile': ({ id, profile }) => comparison(engine, record(id), profile),
    'clock.setSpeed': ({ speed }) => engine.clock.change((clock) => clock.setSpeed(speed)),
    'clock.pause': () => engine.clock.change((clock) => clock.pause()),
    'clock.resume': () => engine.clock.change((clock) => clock.resume()),
    'clock.step': () => {
      const next = deliveries.nextRoundAfter(engine.retryClock.now());
      if (next === null) throw new ContractError('nothing_waiting');
      return engine.clock.change((clock) => clock.step(next));
    },
    'overview.get': ({ range }) => engine.overview.get(range),
    'storage.save': async (edit) => {
      await workspace.saveStorage(edit);
      return engine.status.view();
    },
    'storage.clear': (range) => engine.retention.clear(range),
    'ingest.save': async (edit) => {
      await workspace.saveIngest(edit);
      return workspace.ingestView();
    },
    'ingest.listen': async ({ port }) => {
      await listen(engine, port);
      return engine.status.view();
    },
    'ingest.https': async (given) => {
      await engine.doors.https.change(given);
      return engine.doors.httpsView();
    },
    'ingest.authority': () => authorityOf(engine),
    ...createFaultHandlers(engine.doors.faults),
    ...createReceiverHandlers(engine.receivers, {
      webhooks: () => workspace.webhooks,
      addWebhook: async (name, url) => {
        const { id } = await workspace.saveWebhook({ name, url, headers: [], enabled: true });
        engine.applyDelivery();
        return engine.webhookViews.of(id);
      },
      webhook: (id) => engine.webhookViews.of(id),
    }),
  };
}

/** Listens on `port`, which is then the setting, or on the setting's; when that fails and it listened, there again. */
async function listen({ doors, workspace }: Engine, given: number | undefined): Promise<void> {
  const before = doors.listening;
  const port = given ?? workspace.ingestPort;
  const { state, holder, message } = await doors.listen(port);
  if (state === 'listening') {
    if (given !== undefined) await workspace.savePort(given);
    return;
  }
  if (before.state !== 'listening' || before.port === port) return;
  if ((await doors.listen(before.port)).state !== 'listening') return;
  const still = `Calls still arrive on ${before.port}.`;
  if (state === 'port_in_use')
    throw new ContractError('port_in_use', `${holder ?? 'Another program'} has port ${port}. ${still}`, 'port');
  const why = message?.replace(', so no events can arrive', '') ?? errorCodes.cannot_listen;
  throw new ContractError('cannot_listen', `${why} ${still}`, 'port');
}

function detail(engine: Engine, message: MessageRecord, tried: TriedView): MessageDetail {
  const { workspace } = engine;
  const { details } = engine.stores;
  const request = details.request(message.requestId);
  const wire = details.wire(message.id);
  const { secret } = workspace;
  return {
    message: messageRow(message),
    sourceName: workspace.sources.find(({ id }) => id === message.sourceId)?.name ?? null,
    callJson: request === undefined ? null : callJson(request, message),
    deliveredJson: wire === null ? null : text(wire),
    signature: wire !== null && secret.state === 'set' ? signatureOf(secret.value, wire) : null,
    request: request === undefined ? null : requestView(request),
    ...tried,
    schedule: messageSchedule(
      workspace.destinationSettings.retry,
      messageRow(message),
      tried.attempts,
      engine.retryClock.now(),
      (at) => wallOf(engine, at),
    ),
  };
}

/** When the retry clock will show `at`; null while it stands still. */
function wallOf({ retryClock, ports }: Engine, at: number): number | null {
  const delay = retryClock.realDelay(at);
  return Number.isFinite(delay) ? Math.round(ports.clock.wall() + delay) : null;
}

const callJson = (request: RequestRecord, message: MessageRecord): string | null =>
  parsedViewOf({
    body: request.body,
    encoding: request.encoding,
    path: request.path,
    receivedAt: request.receivedAt,
    position: message.position,
    messageId: message.messageId,
    notes: message.notes,
  });

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

function rawRequest(request: RequestRecord, position: number): RawRequestView {
  const { method, path, encoding, body } = request;
  const decoded = encoding === null ? null : decodeBody(body, encoding);
  return {
    method,
    path,
    headers: request.headers.map(headerView),
    bodyBase64: base64(body),
    encoding,
    decodedBase64: decoded?.ok === true ? base64(decoded.bytes) : null,
    position,
  };
}

const requestView = (request: RequestRecord): NonNullable<MessageDetail['request']> => ({
  id: request.id,
  method: request.method,
  path: request.path,
  status: request.status,
  receivedAt: request.receivedAt,
  decodedBytes: request.decodedBytes,
  encoding: request.encoding,
  headers: request.headers.map(headerView),
  writeKey: request.writeKey,
});

async function authorityOf(engine: Engine): Promise<AuthorityView & { pem: string }> {
  try {
    const { view, pem } = await engine.doors.authority.certificate();
    engine.feed.touch('status');
    return { ...view, pem };
  } catch (error) {
    throw new ContractError('authority_failed', `${errorCodes.authority_failed} ${(error as Error).message}`);
  }
}

/** Through the front door: the sample goes the way of every call. */
async function sendSample(engine: Engine): Promise<{ messageId: string }> {
  const source = engine.workspace.sources.find(({ enabled }) => enabled);
  if (source === undefined) throw new ContractError('no_source');
  const messageId = `sample-${engine.ports.ids.uuid()}`;
  const call = { userId: 'user-42', event: 'Signed Up', properties: { plan: 'pro' }, messageId };
  const answer = await engine.doors.ingest.handle({
    method: 'POST',
    target: '/v1/track',
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'Hookbench sample'],
    ],
    body: Buffer.from(JSON.stringify(call)),
    remote: '127.0.0.1',
  });
  if (answer.status !== 200) throw new ContractError('store_not_writable');
  return { messageId };
}

/** Runs the held requests of a formerly unknown key again; what was held of them is then removed. */
async function reingestHeld(engine: Engine, writeKey: string): Promise<{ calls: number }> {
  const { held, writer } = engine.stores;
  let taken = 0;
  for (const request of held.requestsOf(writeKey)) {
    const ids = held.messagesOf(request.id);
    const again = await engine.doors.ingest.reingest({
      receivedAt: request.receivedAt,
      method: request.method,
      path: request.path,
      headers: request.headers.filter((header) => header[1] !== null),
      body: request.body,
      encoding: request.encoding,
      writeKey: request.writeKey,
    });
    if (again === null) continue;
    await writer.write((changes) => held.remove(ids, changes), ids.length);
    engine.metrics.heldTaken(request.receivedAt, ids.length);
    taken += ids.length;
  }
  return { calls: taken };
}
