/** `hookbench receive`: runs receivers without an engine and prints a line per request. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configErrorOf } from '../contract/config.ts';
import { jsonText } from '../contract/plain-text.ts';
import { type HitView, type ReceiverEntry, receiverEntries } from '../contract/receivers.ts';
import { systemClock, systemTimers } from '../core/adapters/clock.ts';
import type { ListenerState } from '../core/receivers/listen.ts';
import { ReceiverSet } from '../core/receivers/receiver-set.ts';
import { ReceiversServer, type Scheme } from '../core/receivers/server.ts';
import { ShellPortError } from '../headless/shell.ts';
import { ConfigFileError } from '../shell/config-file.ts';
import { type Options, UsageError, type Values } from '../shell/option-table.ts';
import { type Environment, portOption } from '../shell/start-options.ts';
import { onStopRequest } from '../shell/stop-signals.ts';
import { defineCommand } from './command.ts';
import { cell } from './output.ts';
import { secretFrom } from './secret.ts';

const DEFAULT_PORT = 8766;

const options = {
  program: {
    type: 'string',
    value: 'FILE',
    required: true,
    help: 'One receiver or a list of them, as in a hookbench.json',
  },
  port: { type: 'string', value: 'N', help: `The port of the receivers (${DEFAULT_PORT}); 0 takes any free one` },
  'https-port': { type: 'string', value: 'N', help: 'The port of receivers with "tls": true' },
  'secret-env': { type: 'string', value: 'NAME', help: 'The variable that holds the shared secret of X-Signature' },
  json: { type: 'boolean', help: 'Print one JSON object per line' },
} as const satisfies Options;

interface ReceiveOptions {
  readonly port: number;
  /** Null: no HTTPS port. */
  readonly httpsPort: number | null;
  readonly entries: readonly ReceiverEntry[];
  readonly secret: string | null;
  readonly json: boolean;
}

/** Runs until it is asked to stop. Rejects with a `ShellPortError`, a `ConfigFileError` or a {@link UsageError}. */
export const receiveCommand = defineCommand({
  name: 'receive',
  summary: 'Run receivers alone: endpoints that misbehave on purpose. Prints a line per request.',
  options,
  run: ({ values, env }) => receive(receiveOptions(values, env)),
});

function receiveOptions(values: Values<typeof options>, env: Environment): ReceiveOptions {
  if (values.program === undefined) throw new UsageError('--program FILE is needed: what the receivers answer.');
  const entries = readProgram(resolve(values.program));
  const httpsPort = portOption(values['https-port'], 'https-port');
  if (httpsPort === undefined && entries.some(({ tls }) => tls))
    throw new UsageError('A receiver of the program is served over HTTPS; say where with --https-port N.');
  return {
    port: portOption(values.port, 'port') ?? DEFAULT_PORT,
    httpsPort: httpsPort ?? null,
    entries,
    secret: secretFrom(values['secret-env'], env),
    json: values.json === true,
  };
}

/** One receiver or a list of them, as the config file has them. */
function readProgram(file: string): readonly ReceiverEntry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigFileError('config_unreadable', '', (error as Error).message);
  }
  const parsed = receiverEntries.min(1).safeParse(listOf(text.replace(/^\uFEFF/, '')));
  if (parsed.success) return parsed.data;
  const { path, message } = configErrorOf(parsed.error);
  throw new ConfigFileError('config_invalid', path, message);
}

function listOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch (error) {
    throw new ConfigFileError('config_not_json', '', (error as Error).message);
  }
}

async function receive(options: ReceiveOptions): Promise<void> {
  process.stdout.on('error', () => {});
  const set = new ReceiverSet(systemClock);
  set.configure(options.entries.map(({ name, ...entry }) => ({ ...entry, name: name ?? entry.id })));
  set.setSecret(options.secret);
  const server = new ReceiversServer({
    set,
    clock: systemClock,
    timers: systemTimers,
    certificate: async () => (await import('../core/receivers/certificate.ts')).makeSelfSigned(systemClock.wall()),
    changed: () => {},
    ended: (hit) => process.stdout.write(options.json ? `${jsonText(hit)}\n` : hitLine(hit)),
  });
  try {
    const ports = await listen(server, options);
    process.stdout.write(readyText(options, ports));
    await new Promise<void>((stop) => onStopRequest(async () => stop()));
  } finally {
    await server.stop();
  }
}

type Ports = Readonly<Record<Scheme, number | null>>;

async function listen(server: ReceiversServer, { port, httpsPort }: ReceiveOptions): Promise<Ports> {
  const http = boundPort(await server.listen('http', port), '--port');
  const https = httpsPort === null ? null : boundPort(await server.listen('https', httpsPort), '--https-port');
  return { http, https };
}

function boundPort({ state, port, holder, message }: ListenerState, option: string): number {
  if (state === 'listening') return port;
  if (state === 'port_in_use') throw new ShellPortError('receivers', port, holder, option);
  throw new Error(message ?? `Port ${port} could not be opened.`);
}

function readyText({ entries, json }: ReceiveOptions, ports: Ports): string {
  const receivers = entries.map(({ id, tls }) => ({
    id,
    url: `${tls ? 'https' : 'http'}://localhost:${tls ? ports.https : ports.http}/r/${id}`,
  }));
  if (json) return `${jsonText({ ready: true, receivers, pid: process.pid })}\n`;
  return `${receivers.map(({ id, url }) => `${id} answers on ${url}\n`).join('')}Ctrl-C stops.\n`;
}

const VERDICTS: Record<NonNullable<HitView['verdict']>, string> = {
  verified: 'verified',
  mismatch: 'mismatch',
  unsigned: 'unsigned',
  no_secret: 'no secret',
};

/** One request of the log on one line; control characters are written as code points. */
export function hitLine(hit: HitView): string {
  const verdict = hit.verdict === null ? '' : VERDICTS[hit.verdict];
  const cells = [
    new Date(hit.at).toISOString().slice(11, 23),
    cell(hit.receiver, 12),
    cell(hit.gone ? `${hit.status ?? hit.answer} cut` : String(hit.status ?? hit.answer), 12),
    cell(hit.type === null ? `${hit.method} ${hit.path}` : `${hit.type} ${hit.name}`, 40),
    cell(hit.reserialises === false ? `${verdict}, raw only` : verdict, 18),
    hit.durationMs === null ? '' : `${hit.durationMs.toFixed(0)} ms`,
  ];
  return `${cells.join('  ').trimEnd()}\n`;
}
