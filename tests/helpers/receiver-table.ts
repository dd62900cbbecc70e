/**
 * The real transport against every kind of receiver of reliability, section 5.2, on real sockets in one process: over
 * plain HTTP, behind bad certificates, and where no connection is made.
 */
import { performance } from 'node:perf_hooks';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import type { Lookup } from '../../src/core/delivery/transport/dial.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import { type Authorities, badCertificates, failingHandshakes } from './bad-servers.ts';
import { createAuthority, createSelfSigned, issueCertificate } from './certificates.ts';
import {
  answering,
  type RawReceiver,
  type RawReceiverOptions,
  startRawReceiver,
  startSilentPort,
} from './raw-receiver.ts';
import type { ExpectedAnswer, ReceiverKind } from './receiver-behaviour.ts';
import { receiverKinds } from './receiver-kinds.ts';
import { timerLasts } from './timer-lasts.ts';

export const LIMIT_MS = 5_000;

/** A target of an attempt. */
interface Target {
  readonly url: string;
  /** Application bytes that have arrived, not counting those of TLS. */
  readonly bytes: () => number;
  /** Resolves when nothing more can arrive. */
  readonly silence: () => Promise<void>;
  readonly lookup?: Lookup;
  readonly ownPorts?: readonly number[];
  /** Authorities to trust beside the machine's and the test's own. */
  readonly ca?: readonly string[];
  close(): Promise<void>;
}

export interface TableKind {
  readonly group: 'answer' | 'tls' | 'connection';
  readonly name: string;
  readonly expected: ExpectedAnswer;
  /** True when the attempt ends at its deadline. */
  readonly endless: boolean;
  /** Not one byte of a request may arrive. */
  readonly silent: boolean;
  readonly start: (authorities: Authorities) => Promise<Target>;
}

export interface TableRow extends Pick<TableKind, 'group' | 'name'> {
  readonly outcome: AttemptResult['outcome'];
  readonly reason: AttemptResult['reason'];
  readonly status: number | null;
  readonly cut: boolean;
  /** Real milliseconds from the beginning of the attempt to its result. */
  readonly ms: number;
  /** The same from the call of `send`, which reads the authorities first. No attempt may be shorter than its limit. */
  readonly sinceCallMs: number;
  /** Real milliseconds of a timer of the limit that was started with it, where the attempt lasts that long. */
  readonly timerMs: number | null;
  /** Processor time in milliseconds of the testing process, which includes the receiver. */
  readonly cpuMs: number;
  /** Growth of the process's peak memory in MiB. */
  readonly peakMb: number;
  readonly kept: number;
  readonly bytesToServer: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const peakMb = (): number => process.resourceUsage().maxRSS / 1_024;

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

const at = (receiver: RawReceiver, more: Partial<Target> = {}): Target => ({
  url: receiver.url,
  bytes: () => receiver.receivedBytes,
  silence: () => receiver.allClosed(),
  close: () => receiver.close(),
  ...more,
});

const plain = ({ name, expected, endless = false, behave }: ReceiverKind): TableKind => ({
  group: 'answer',
  name,
  expected,
  endless,
  silent: false,
  start: async () => at(await startRawReceiver(behave)),
});

type Start = TableKind['start'];
const refused = (group: TableKind['group'], name: string, expected: ExpectedAnswer, start: Start): TableKind => ({
  group,
  name,
  expected,
  endless: expected.outcome === 'timed_out',
  silent: true,
  start,
});

const tls = async (options: RawReceiverOptions['tls']): Promise<RawReceiver> =>
  startRawReceiver(answering(OK), { tls: options });

const tlsKinds: readonly TableKind[] = [
  ...badCertificates.map(({ name, reason, certificate }) =>
    refused('tls', name, { outcome: 'refused_certificate', reason }, async (authorities) =>
      at(await tls(await certificate(authorities))),
    ),
  ),
  refused(
    'tls',
    'a self-signed certificate in the trust list',
    { outcome: 'refused_certificate', reason: 'self_signed' },
    async () => {
      const certificate = await createSelfSigned();
      return at(await tls(certificate), { ca: [certificate.cert] });
    },
  ),
  refused(
    'tls',
    'an address that the certificate does not name',
    { outcome: 'refused_certificate', reason: 'wrong_host' },
    async ({ root }) => {
      const receiver = await tls(await issueCertificate(root, { ips: [] }));
      return at(receiver, { url: `https://127.0.0.1:${receiver.port}/` });
    },
  ),
  ...failingHandshakes.map(({ name, tls: options }) =>
    refused('tls', name, { outcome: 'no_connection', reason: 'tls_failed' }, async ({ root }) =>
      at(await tls({ ...(await issueCertificate(root)), ...options })),
    ),
  ),
  refused('tls', 'plain HTTP on the TLS port', { outcome: 'no_connection', reason: 'tls_failed' }, async () => {
    const receiver = await startRawReceiver(({ socket }) => {
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    return at(receiver, { url: `https://localhost:${receiver.port}/`, bytes: () => wholeRequests(receiver) });
  }),
  refused('tls', 'a TLS handshake without an answer', { outcome: 'timed_out' }, async () => {
    const receiver = await startRawReceiver(() => {});
    return at(receiver, { url: `https://localhost:${receiver.port}/`, bytes: () => wholeRequests(receiver) });
  }),
  {
    group: 'tls',
    name: 'a certificate of a trusted authority',
    expected: { outcome: 'accepted', status: 200, kept: 2 },
    endless: false,
    silent: false,
    start: async ({ root }) => at(await tls(await issueCertificate(root))),
  },
];

/** For a receiver that sees the raw TLS bytes: the bytes among them that would be a request. */
const wholeRequests = (receiver: RawReceiver): number => receiver.requests.reduce((sum, { length }) => sum + length, 0);

const failing = (code: string) => (): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
const done = async (): Promise<void> => {};
const nowhere = (url: string, lookup?: Lookup): Target => ({ url, lookup, bytes: () => 0, silence: done, close: done });

const connectionKinds: readonly TableKind[] = [
  refused('connection', 'a port where nobody listens', reason('connection_refused'), async () => {
    const gone = await startRawReceiver(() => {});
    await gone.close();
    return nowhere(gone.url);
  }),
  refused('connection', 'a port that swallows connection requests', { outcome: 'timed_out' }, async () => {
    const { port, close } = await startSilentPort('127.0.0.1');
    return { ...nowhere(`http://127.0.0.1:${port}/`), close };
  }),
  refused('connection', 'a name that does not exist', reason('dns_failed'), async () =>
    nowhere('http://nobody.test/', failing('ENOTFOUND')),
  ),
  refused('connection', 'a name server that fails', reason('dns_failed'), async () =>
    nowhere('http://nobody.test/', failing('EAI_AGAIN')),
  ),
  refused('connection', 'a name server that never answers', { outcome: 'timed_out' }, async () =>
    nowhere('http://nobody.test/', () => new Promise(() => {})),
  ),
  refused('connection', 'a name that leads to a link-local address', reason('connection_error'), async () =>
    nowhere('http://metadata.test/', async () => [{ address: '169.254.169.254', family: 4 }]),
  ),
  refused('connection', "Hookbench's own port", reason('connection_error'), async () => {
    const receiver = await startRawReceiver(answering(OK));
    return at(receiver, { ownPorts: [receiver.port] });
  }),
  refused('connection', 'a name that leads to its own port', reason('connection_error'), async () => {
    const receiver = await startRawReceiver(answering(OK));
    const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    return at(receiver, { url: `http://other.test:${receiver.port}/`, ownPorts: [receiver.port], lookup });
  }),
  refused('connection', 'a URL of another scheme', reason('unsupported_url'), async () => nowhere('ftp://127.0.0.1/')),
  {
    group: 'connection',
    name: 'a name whose first address refuses',
    expected: { outcome: 'accepted', status: 200, kept: 2 },
    endless: false,
    silent: false,
    start: async () => {
      const receiver = await startRawReceiver(answering(OK));
      const lookup: Lookup = async () => [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ];
      return at(receiver, { url: `http://two.test:${receiver.port}/`, lookup });
    },
  },
];

function reason(code: NonNullable<ExpectedAnswer['reason']>): ExpectedAnswer {
  return { outcome: 'no_connection', reason: code };
}

export const tableKinds: readonly TableKind[] = [...receiverKinds.map(plain), ...tlsKinds, ...connectionKinds];

export const makeAuthorities = async (): Promise<Authorities> => ({
  root: await createAuthority(),
  stranger: await createAuthority('Somebody Else'),
});

/** Makes one attempt at a receiver of this kind, with its own transport. */
export async function meet(kind: TableKind, authorities: Authorities): Promise<TableRow> {
  const { url, bytes, silence, lookup, ownPorts = [], ca = [], close } = await kind.start(authorities);
  const trusted = [authorities.root.cert, ...ca];
  const transport = createHttpTransport({
    clock: systemClock,
    timers: systemTimers,
    ca: () => trusted,
    ownPorts: () => ownPorts,
    lookup,
  });
  const headers = [['Content-Type', 'application/json']] as const;
  const before = { cpuMs: cpuMs(), peakMb: peakMb() };
  const calledAt = performance.now();
  const sending = transport.send({ url, headers, body: Buffer.from('{"type":"track"}'), limitMs: LIMIT_MS });
  // The authorities are read before the attempt begins, and that takes long where they are read for the first time.
  const startedAt = performance.now();
  const timer = kind.endless ? timerLasts(LIMIT_MS) : null;
  const result = await sending;
  const endedAt = performance.now();
  const used = { cpuMs: cpuMs() - before.cpuMs, peakMb: peakMb() - before.peakMb };
  await transport.close();
  await silence();
  const bytesToServer = bytes();
  await close();
  const { outcome, status, responseBody, responseCut: cut } = result;
  const { group, name } = kind;
  return {
    group,
    name,
    outcome,
    reason: result.reason,
    status,
    cut,
    ms: endedAt - startedAt,
    sinceCallMs: endedAt - calledAt,
    timerMs: await timer,
    ...used,
    kept: responseBody.length,
    bytesToServer,
  };
}

/**
 * Runs the kinds that last to their deadline in parallel and the others one by one. Results are in the order of the
 * kinds.
 */
export async function meetAll(authorities: Authorities): Promise<TableRow[]> {
  const lasting = new Map(tableKinds.filter(({ endless }) => endless).map((kind) => [kind, meet(kind, authorities)]));
  const rows: TableRow[] = [];
  for (const kind of tableKinds) if (!lasting.has(kind)) rows.push(await meet(kind, authorities));
  rows.push(...(await Promise.all(lasting.values())));
  return tableKinds.map(({ name, group }) => rows.find((row) => row.name === name && row.group === group)!);
}
