/** A fake engine: every command of the contract over rows made on demand, with change batches. */
import { gzipSync } from 'node:zlib';
import type { Channel, ClientPeer, Handlers } from '../../src/contract/channel.ts';
import { type CommandName, commands, type MessageFilter } from '../../src/contract/commands.ts';
import { ContractError } from '../../src/contract/errors.ts';
import type { ChangeBatch, LiveParts } from '../../src/contract/live.ts';
import { MESSAGE_STATES } from '../../src/contract/names.ts';
import { serveContract } from '../../src/contract/serve.ts';
import type {
  ClockView,
  DestinationView,
  HeaderView,
  HttpsView,
  IngestSettingsView,
  ListenerView,
  MessageDetail,
  MessageRow,
  MessageStateName,
  SourceEvent,
  SourceView,
  StatusView,
  WebhookView,
} from '../../src/contract/values.ts';
import { requestDifferences } from '../../src/core/model/compare.ts';
import { notSending } from '../../src/core/model/not-sending.ts';
import { DEFAULT_STORAGE } from '../../src/core/model/retention.ts';
import { type DeliveryRules, PROFILES, profileOf } from '../../src/core/model/rules.ts';
import { tailOf } from '../../src/core/model/secret-tail.ts';
import { FINAL_STATES } from '../../src/core/model/vocabulary.ts';
import { messageSchedule, nominalSchedule } from '../../src/core/workspace/destination-view.ts';
import { rowMatches } from '../../src/renderer/stores/live/filter.ts';
import { makeAttempts, makeBodies, makeRow, makeSources, makeWebhooks, SIGNATURE } from './fake-data.ts';
import { fakeDestination } from './fake-destination.ts';
import { createFakeFaults } from './fake-faults.ts';
import { makeOverview } from './fake-overview.ts';
import { createFakeReceivers, type FakeReceivers } from './fake-receivers.ts';

const QUIET_HTTPS: HttpsView = {
  state: 'stopped',
  port: 8768,
  message: null,
  holder: null,
  enabled: false,
  authority: null,
  refused: null,
};
const FAKE_AUTHORITY = {
  fingerprint256: Array.from({ length: 32 }, (_, i) => (i * 7 + 16).toString(16).toUpperCase().padStart(2, '0')).join(
    ':',
  ),
  validTo: Date.UTC(2028, 10, 19),
  file: '/home/dev/acme-shop/.hookbench/authority.pem',
};
/** How many finished messages one `storage.clear` removes. */
const FAKE_CLEAR = 5_000;
const FAKE_PEM = '-----BEGIN CERTIFICATE-----\nZmFrZQ==\n-----END CERTIFICATE-----\n';

export interface FakeOptions {
  /** Messages at the start, by default 400. */
  rows?: number;
  hostile?: boolean;
  listener?: Partial<ListenerView>;
  https?: Partial<HttpsView>;
  /** The events that `sources.events` lists, plus three more. */
  events?: SourceEvent[];
  storeWritable?: boolean;
  storeDamaged?: boolean;
  secret?: DestinationView['secret'];
  speed?: number;
  /** No webhooks and no messages: the first run. */
  fresh?: boolean;
  now?: () => number;
  /** Multiplies every count of the Overview's messages. */
  overviewScale?: number;
}

export interface FakeEngine {
  /** Serves one more client. */
  connect(channel: Channel): ClientPeer;
  disconnect(peer: ClientPeer): void;
  /** Adds messages as if they had arrived, and pushes them. */
  receive(count: number, change?: Partial<MessageRow>): MessageRow[];
  /** Changes a row and pushes it. */
  update(id: number, change: Partial<MessageRow>): void;
  remove(ids: number[]): void;
  /** Pushes a batch that is empty except for the given fields. */
  push(change?: Partial<Omit<ChangeBatch, 'seq' | 'parts'>> & Partial<LiveParts>): void;
  setSecret(secret: DestinationView['secret']): void;
  setStoreWritable(writable: boolean): void;
  /** Names of the commands called so far, with their arguments. */
  readonly calls: Array<{ name: string; input: unknown }>;
  /** Makes the next call of this command fail. */
  failNext(name: string, error: ContractError): void;
  readonly handlers: Handlers;
  readonly receivers: FakeReceivers;
  row(id: number): MessageRow | undefined;
}

export function createFakeEngine(options: FakeOptions = {}): FakeEngine {
  const now = options.now ?? Date.now;
  const startedAt = now();
  const hostile = options.hostile ?? false;
  const startRows = options.fresh ? 0 : (options.rows ?? 400);
  let total = startRows;
  const changed = new Map<number, MessageRow>();
  const removed = new Set<number>();
  const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])) as Record<MessageStateName, number>;
  let sources: SourceView[] = options.fresh
    ? [
        {
          id: 1,
          name: 'dev',
          writeKey: 'wk_dev_7f3a9c',
          kind: 'server',
          enabled: true,
          webhooks: true,
          eventsOff: [],
          createdAt: startedAt,
        },
      ]
    : makeSources(startedAt, hostile);
  let webhooks: WebhookView[] = options.fresh ? [] : makeWebhooks(startedAt, hostile);
  let destination: DestinationView = fakeDestination({
    secret: options.secret ?? (options.fresh ? { state: 'none' } : { state: 'set', last2: '12', length: 18 }),
  });
  let clock: ClockView = {
    speed: options.speed ?? (options.fresh ? 1 : 60),
    paused: false,
    wallAt: startedAt,
    clockAt: startedAt,
  };
  let listener: ListenerView = { state: 'listening', port: 8765, message: null, holder: null, ...options.listener };
  let https: HttpsView = { ...QUIET_HTTPS, ...options.https };
  let storage = { ...DEFAULT_STORAGE, full: false };
  let ingest: IngestSettingsView = {
    mode: 'segment',
    acceptAnyKey: false,
    dedupe: true,
    correctEveryTimestamp: false,
    port: listener.port,
  };
  let storeWritable = options.storeWritable ?? true;
  let seq = 1;
  const peers = new Set<ClientPeer>();
  const calls: FakeEngine['calls'] = [];
  const failures = new Map<string, ContractError>();
  let nextId = 100;

  const row = (id: number): MessageRow | undefined => {
    if (id < 1 || id > total || removed.has(id)) return undefined;
    return changed.get(id) ?? makeRow(id, { hostile, now: startedAt, total: startRows });
  };
  const mustRow = (id: number): MessageRow => {
    const found = row(id);
    if (found === undefined)
      throw new ContractError(
        'message_not_found',
        removed.has(id)
          ? 'This message was removed, by the storage limits or by hand.'
          : 'There has been no message with this id.',
      );
    return found;
  };
  for (let id = 1; id <= total; id += 1) counts[mustRow(id).state] += 1;

  const status = (): StatusView => ({
    listener,
    https,
    tlsHellos: null,
    badTexts: null,
    lostMoves: 0,
    storeWritable,
    notSending: notSending({
      stopping: false,
      store: { writable: storeWritable, readable: true, damaged: options.storeDamaged ?? false, full: storage.full },
      secretReadable: destination.secret.state !== 'unreadable',
      destination,
      webhooks: webhooks.map(({ enabled }) => ({ enabled, readable: true })),
      clockPaused: clock.paused,
    }),
    counts: { ...counts },
    total: total - removed.size,
    storeBytes: total * 4_100,
    storage,
    inFlight: counts.delivering > 0 ? 3 : 0,
    nextDueAt: counts.retrying > 0 ? clockNow() + 4_000 * clock.speed : null,
    perMinute: options.fresh ? total : 31,
    requestsSeen: total,
    rejectedSeen: counts.rejected,
  });
  const clockNow = () => (clock.paused ? clock.clockAt : clock.clockAt + (now() - clock.wallAt) * clock.speed);

  const push: FakeEngine['push'] = ({ reset = false, messages = [], removedMessages = [], ...parts } = {}) => {
    seq += 1;
    const batch: ChangeBatch = { seq, reset, messages, removedMessages, parts: { ...parts, status: status() } };
    for (const peer of peers) peer.changes(batch).catch(() => peers.delete(peer));
  };
  const setRow = (next: MessageRow): MessageRow => {
    const before = row(next.id);
    if (before !== undefined) counts[before.state] -= 1;
    counts[next.state] += 1;
    changed.set(next.id, next);
    return next;
  };
  const update = (id: number, change: Partial<MessageRow>): MessageRow => {
    const next = setRow({ ...mustRow(id), ...change });
    push({ messages: [next] });
    return next;
  };

  const matches = (r: MessageRow, filter: MessageFilter): boolean => {
    if (filter.states?.length && !filter.states.includes(r.state)) return false;
    if (filter.types?.length && !filter.types.includes(r.type)) return false;
    if (filter.sourceId !== undefined && r.sourceId !== filter.sourceId) return false;
    if (filter.user && !`${r.userId ?? ''} ${r.anonymousId ?? ''}`.includes(filter.user)) return false;
    if (!rowMatches(filter, r)) return false;
    if (!filter.text) return true;
    const text = filter.text.toLowerCase();
    return [r.name, r.userId ?? '', r.messageId].some((field) => field.toLowerCase().includes(text));
  };
  const newestFirst = function* (before = total + 1, after = 0): Generator<MessageRow> {
    for (let id = Math.min(before - 1, total); id > after; id -= 1) {
      const found = row(id);
      if (found !== undefined) yield found;
    }
  };
  const detail = (id: number): MessageDetail => {
    const message = mustRow(id);
    const bodies = makeBodies(message, hostile);
    const rejected = message.state === 'rejected';
    return {
      message,
      sourceName: sources.find(({ id: source }) => source === message.sourceId)?.name ?? null,
      callJson: message.reason === 'invalid_json' ? null : bodies.callJson,
      deliveredJson: rejected ? null : bodies.deliveredJson,
      signature: rejected || destination.secret.state !== 'set' ? null : SIGNATURE,
      schedule: messageSchedule(destination.retry, message, makeAttempts(message, webhooks), clockNow(), (at) =>
        clock.paused ? null : now() + (at - clockNow()) / clock.speed,
      ),
      request: {
        id,
        method: 'POST',
        path: '/v1/batch',
        status: 200,
        receivedAt: message.receivedAt,
        decodedBytes: message.size + 120,
        encoding: 'gzip',
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'Authorization', hiddenLength: 26 },
          { name: 'User-Agent', value: 'analytics-go (version: 3.3.0)' },
        ],
        writeKey: 'wk_dev_7f3a9c',
      },
      attempts: makeAttempts(message, webhooks),
      replays: [],
      lineUps: [],
    };
  };

  /** Hidden header values, by webhook and place. */
  const hiddenValues = new Map<string, string>();
  const valueAt = (hookId: number, header: HeaderView, at: number): string =>
    'value' in header
      ? header.value
      : (hiddenValues.get(`${hookId} ${at}`) ??
        'fake-value'.padEnd(header.hiddenLength, '-').slice(0, header.hiddenLength));
  const keepHeaders = (
    hookId: number,
    wanted: Array<{ name: string; value: string | null; at?: number; shown?: boolean }>,
    stored: HeaderView[],
  ): HeaderView[] => {
    const kept = wanted.map(({ name, value, at, shown }, i) => {
      const old = stored[at ?? stored.findIndex((header) => header.name.toLowerCase() === name.toLowerCase())];
      if (value === null && old === undefined)
        throw new ContractError('invalid_header', `Enter a value for ${name}.`, `headers.${i}.value`);
      if (value !== null) return { name, value, shown: shown ?? false };
      return { name, value: valueAt(hookId, old!, stored.indexOf(old!)), shown: shown ?? 'value' in old! };
    });
    return kept.map(({ name, value, shown }, i): HeaderView => {
      if (shown) return { name, value };
      hiddenValues.set(`${hookId} ${i}`, value);
      return { name, hiddenLength: value.length };
    });
  };
  const RESERVED =
    /^(x-signature|user-agent|content-type|host|content-length|connection|te|trailer|upgrade|expect|transfer-encoding|proxy-.*)$/i;
  const checkHeaders = (wanted: Array<{ name: string }>): void => {
    wanted.forEach(({ name }, i) => {
      if (RESERVED.test(name))
        throw new ContractError(
          'invalid_header',
          `${name} is set by Hookbench. Choose another header name.`,
          `headers.${i}.name`,
        );
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
        throw new ContractError(
          'invalid_header',
          'A header name has letters, digits and hyphens only.',
          `headers.${i}.name`,
        );
    });
  };

  const receivers = createFakeReceivers({
    now,
    hostile,
    fresh: options.fresh ?? false,
    push: (view) => push({ receivers: view }),
    addWebhook: (name, url) => handlers['webhooks.save']!({ name, url, headers: [], enabled: true }) as WebhookView,
  });
  const faults = createFakeFaults((view) => push({ faults: view }), startedAt);
  /** Commands that no hostile, large or broken screen needs are not here. */
  const handlers: Partial<Handlers> = {
    ...receivers.handlers,
    ...faults.handlers,
    'app.hello': ({ since }) => ({
      epoch: 'fake-1',
      seq,
      reset: since !== undefined && since.epoch !== 'fake-1',
      workspace: {
        name: options.fresh ? 'my-workspace' : 'acme-shop',
        folder: '/home/dev/acme-shop/.hookbench',
        version: '0.1.0',
        shell: 'headless',
      },
      // Parts that no test needs are left out. Screens treat them as not received yet.
      parts: {
        status: status(),
        clock,
        sources,
        webhooks,
        destination,
        ingest,
        receivers: receivers.view(),
        faults: faults.view(),
        audiences: { audiences: [], traits: [] },
      } as Partial<LiveParts> as LiveParts,
    }),
    'app.visibility': () => null,
    'app.status': () => status(),
    'messages.window': ({ fromRank, count }) => {
      const rows: MessageRow[] = [];
      let rank = 0;
      if (removed.size === 0) {
        for (let id = fromRank + 1; id <= Math.min(total, fromRank + count); id += 1) rows.push(mustRow(id));
      } else {
        for (let id = 1; id <= total && rows.length < count; id += 1) {
          const found = row(id);
          if (found === undefined) continue;
          if (rank >= fromRank) rows.push(found);
          rank += 1;
        }
      }
      return { total: total - removed.size, rows };
    },
    'messages.ids': ({ filter, before, after, limit }) => {
      const ids: number[] = [];
      let scanned = 0;
      let scannedTo = before ?? total + 1;
      for (const found of newestFirst(before, after)) {
        scanned += 1;
        scannedTo = found.id;
        if (matches(found, filter)) ids.push(found.id);
        if (ids.length >= limit || scanned >= 20_000) return { ids, scannedTo, more: scannedTo > (after ?? 0) + 1 };
      }
      return { ids, scannedTo, more: false };
    },
    'messages.counts': ({ filter, before, after }) => {
      const found: Partial<Record<MessageStateName, number>> = {};
      for (const one of newestFirst(before, after))
        if (matches(one, filter)) found[one.state] = (found[one.state] ?? 0) + 1;
      return {
        counts: found,
        scannedTo: (after ?? 0) + 1,
        more: false,
        newest: total,
        oldest: 1,
        total: total - removed.size,
      };
    },
    'messages.byIds': ({ ids }) => ids.map(row).filter((found) => found !== undefined),
    'messages.get': ({ id }) => detail(id),
    'messages.attempts': ({ id }) => ({ attempts: detail(id).attempts, replays: [], lineUps: [] }),
    'attempts.bodies': () => ({ responseBase64: Buffer.from('{"accepted":true}').toString('base64') }),
    'messages.list': ({ filter, before, limit }) => {
      const rows: MessageRow[] = [];
      for (const found of newestFirst(before)) {
        if (matches(found, filter)) rows.push(found);
        if (rows.length >= limit) break;
      }
      return { rows, nextBefore: rows.length < limit ? null : rows.at(-1)!.id };
    },
    'attempts.list': () => ({ rows: [], nextAfter: null }),
    'messages.sendSample': () => ({
      messageId: engine.receive(1, { name: 'Sample Event', type: 'track' })[0]!.messageId,
    }),
    'sources.save': (input) => {
      const key =
        input.writeKey ?? sources.find(({ id }) => id === input.id)?.writeKey ?? `wk_${(++nextId).toString(36)}f3a9c`;
      if (sources.some((other) => other.writeKey === key && other.id !== input.id))
        throw new ContractError('write_key_taken', undefined, 'writeKey');
      const old = sources.find(({ id }) => id === input.id);
      if (input.id !== undefined && old === undefined) throw new ContractError('source_not_found');
      const saved: SourceView = {
        ...input,
        id: input.id ?? ++nextId,
        writeKey: key,
        eventsOff: old?.eventsOff ?? [],
        createdAt: old?.createdAt ?? now(),
      };
      sources =
        old === undefined ? [...sources, saved] : sources.map((other) => (other.id === saved.id ? saved : other));
      push({ sources });
      return saved;
    },
    'sources.events': ({ id }) => ({
      events: options.events ?? [
        { name: 'Heartbeat', received: 1204, off: id === 2 ? 37 : 0, lastAt: now() - 5000, whole: true },
        { name: 'Order Completed', received: 96, off: 0, lastAt: now() - 60_000, whole: true },
      ],
      more: options.events === undefined ? 0 : 3,
    }),
    'sources.remove': ({ id }) => {
      sources = sources.filter((source) => source.id !== id);
      push({ sources });
      return null;
    },
    'webhooks.save': (input) => {
      const old = webhooks.find(({ id }) => id === input.id);
      if (input.id !== undefined && old === undefined) throw new ContractError('webhook_not_found');
      if (!/^https?:\/\/[^/\s]+/.test(input.url) || !URL.canParse(input.url))
        throw new ContractError('invalid_url', undefined, 'url');
      if (old === undefined && webhooks.length >= 5) throw new ContractError('too_many_webhooks');
      checkHeaders(input.headers);
      const slot = old?.slot ?? [1, 2, 3, 4, 5].find((n) => !webhooks.some((hook) => hook.slot === n))!;
      const id = input.id ?? ++nextId;
      const saved: WebhookView = {
        id,
        slot,
        name: input.name,
        url: input.url,
        enabled: input.enabled,
        headers: keepHeaders(id, input.headers, old?.headers ?? []),
        createdAt: old?.createdAt ?? now(),
        recent: old?.recent ?? [],
        certificate: old?.certificate ?? null,
      };
      webhooks = [...webhooks.filter(({ id }) => id !== saved.id), saved].sort((a, b) => a.slot - b.slot);
      push({ webhooks });
      return saved;
    },
    'webhooks.headerValue': ({ id, name, at }) => {
      const hook = webhooks.find((one) => one.id === id);
      if (hook === undefined) throw new ContractError('webhook_not_found');
      const header = hook.headers[at];
      if (header?.name !== name) throw new ContractError('header_not_found');
      return { value: valueAt(id, header, at) };
    },
    'webhooks.remove': ({ id }) => {
      if (!webhooks.some((hook) => hook.id === id)) throw new ContractError('webhook_not_found');
      webhooks = webhooks.filter((hook) => hook.id !== id);
      push({ webhooks });
      return null;
    },
    'destination.save': (input) => {
      const { caFile, profile, ...given } = input;
      destination = {
        ...destination,
        ...(profile !== undefined && { ...structuredClone(PROFILES[profile]), profile }),
        ...(given as Partial<DestinationView>),
        ...(caFile !== undefined && {
          caFile: caFile === null ? null : { path: caFile, certificates: 2, problem: null },
        }),
      } as DestinationView;
      destination.profile = profileOf(destination as DeliveryRules);
      destination.schedule = nominalSchedule(destination.retry);
      push({ destination });
      return destination;
    },
    'messages.raw': ({ id }) => {
      const { callJson, request } = detail(id);
      const body =
        hostile && id % 3 === 0 ? Buffer.from([0, 255, 0x7b, 0x22, 0xe2, 0x80, 0xae]) : Buffer.from(callJson ?? '{');
      return {
        method: request!.method,
        path: request!.path,
        headers: request!.headers,
        bodyBase64: (id % 2 === 0 ? gzipSync(body) : body).toString('base64'),
        encoding: id % 2 === 0 ? 'gzip' : null,
        decodedBase64: id % 2 === 0 ? body.toString('base64') : null,
        position: 0,
      };
    },
    'messages.underProfile': ({ id, profile }) => {
      mustRow(id);
      return {
        profile,
        requests: requestDifferences(destination as DeliveryRules, PROFILES[profile]),
        attempts: makeAttempts(mustRow(id), webhooks)
          .filter(({ outcome }) => outcome !== null)
          .map(({ id: attemptId, round, slot, outcome, durationMs }) => {
            const late = (durationMs ?? 0) > PROFILES[profile].timeoutMs;
            const why = late ? `The limit would be ${PROFILES[profile].timeoutMs / 1000} s.` : null;
            return { attemptId, round, slot, recorded: outcome!, under: late ? ('timed_out' as const) : outcome, why };
          }),
        partsAfterRound: 1,
        verdict: 'Round 2 would follow 10 s later, since a declined request is tried again.',
        schedule: nominalSchedule(PROFILES[profile].retry),
      };
    },
    'destination.setSecret': ({ secret }) => {
      setSecret(secret === null ? { state: 'none' } : { state: 'set', last2: tailOf(secret), length: secret.length });
      return destination;
    },
    'destination.newSecret': () => {
      const secret = `bench_${(++nextId).toString(16)}c1d9e77a0f2`;
      setSecret({ state: 'set', last2: tailOf(secret), length: secret.length });
      return { secret, destination };
    },
    'clock.setSpeed': ({ speed }) => {
      clock = { speed, paused: false, wallAt: now(), clockAt: clockNow() };
      push({ clock });
      return clock;
    },
    'clock.pause': () => {
      clock = { ...clock, paused: true, wallAt: now(), clockAt: clockNow() };
      push({ clock });
      return clock;
    },
    'overview.get': ({ range }) =>
      makeOverview({
        range,
        now: now(),
        clockNow: clockNow(),
        status: status(),
        webhooks,
        empty: total === 0,
        hostile,
        scale: options.overviewScale,
      }),
    'storage.save': (input) => {
      storage = { ...storage, ...(input as Partial<typeof storage>) };
      push();
      return status();
    },
    'storage.clear': ({ after = 0, upTo = total }) => {
      const gone: number[] = [];
      let at = after;
      for (; at < Math.min(upTo, total - 1) && gone.length < FAKE_CLEAR; at += 1) {
        const found = row(at + 1);
        if (found !== undefined && FINAL_STATES.has(found.state)) gone.push(found.id);
      }
      engine.remove(gone);
      return { removed: gone.length, next: at < Math.min(upTo, total - 1) ? { after: at, upTo } : null };
    },
    'ingest.save': (input) => {
      ingest = { ...ingest, ...(input as Partial<IngestSettingsView>) };
      push({ ingest });
      return ingest;
    },
    'ingest.https': ({ enabled = https.enabled, port = https.port }) => {
      const free = https.holder === null || port !== https.port;
      https = {
        ...https,
        enabled,
        port,
        state: !enabled ? 'stopped' : free ? 'listening' : 'port_in_use',
        holder: free ? null : https.holder,
        authority: enabled ? FAKE_AUTHORITY : https.authority,
      };
      push();
      return https;
    },
    'ingest.authority': () => {
      https = { ...https, authority: FAKE_AUTHORITY };
      push();
      return { ...FAKE_AUTHORITY, pem: FAKE_PEM };
    },
    'config.export': () => ({ text: '{}\n', variables: [] }),
    'ingest.listen': ({ port }) => {
      if (port !== undefined) ingest = { ...ingest, port };
      listener =
        port === undefined
          ? { ...listener, state: listener.holder === null ? 'listening' : listener.state }
          : { state: 'listening', port, message: null, holder: null };
      push({ ingest });
      return status();
    },
  };
  const setSecret = (secret: DestinationView['secret']) => {
    destination = { ...destination, secret };
    push({ destination });
  };

  const watched = Object.fromEntries(
    Object.keys(commands).map((name) => [
      name,
      (input: never) => {
        calls.push({ name, input });
        const failure = failures.get(name);
        failures.delete(name);
        if (failure !== undefined) throw failure;
        const handler = handlers[name as CommandName] as ((value: never) => unknown) | undefined;
        if (handler === undefined) throw new ContractError('unknown_command', `The stand-in has no ${name}.`);
        return handler(input);
      },
    ]),
  ) as unknown as Handlers;

  const engine: FakeEngine = {
    connect: (channel) => {
      const peer = serveContract(channel, watched, (error) => console.error(error));
      peers.add(peer);
      return peer;
    },
    disconnect: (peer) => {
      peers.delete(peer);
      peer.close();
    },
    receive: (count, change = {}) => {
      const rows: MessageRow[] = [];
      for (let i = 0; i < count; i += 1) {
        const id = total + 1;
        const made = makeRow(id, { hostile, now: now(), total: id });
        total = id;
        const next = {
          ...made,
          receivedAt: now(),
          state: 'queued' as const,
          cells: '.....',
          round: 0,
          reason: null,
          nextDueAt: null,
          finishedAt: null,
          ...change,
        };
        changed.set(id, next);
        counts[next.state] += 1;
        rows.push(next);
      }
      push({ messages: rows });
      return rows;
    },
    update: (id, change) => void update(id, change),
    remove: (ids) => {
      for (const id of ids) {
        const found = row(id);
        if (found === undefined) continue;
        counts[found.state] -= 1;
        removed.add(id);
      }
      push({ removedMessages: ids });
    },
    push,
    setSecret,
    setStoreWritable: (writable) => {
      storeWritable = writable;
      push();
    },
    calls,
    failNext: (name, error) => void failures.set(name, error),
    handlers: watched,
    receivers,
    row,
  };
  return engine;
}

/** Two ends of one channel in this process. Posted texts arrive in a later task, as over a port. */
export function channelPair(): [Channel, Channel] {
  let listeners: [(text: string) => void, (text: string) => void] = [() => {}, () => {}];
  let open = true;
  const side = (mine: 0 | 1): Channel => ({
    post: (text) => {
      if (open) queueMicrotask(() => open && listeners[mine === 0 ? 1 : 0](text));
    },
    onText: (listener) => {
      listeners = mine === 0 ? [listener, listeners[1]] : [listeners[0], listener];
    },
    close: () => {
      open = false;
    },
  });
  return [side(0), side(1)];
}
