/**
 * The real engine on simulated ports, for tests of the interface. Time stands still until a test moves it, webhooks
 * answer without sockets, and calls go through ingest itself. Only the listener is real, so that its state can be
 * tested.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Answer, Channel } from '../../src/contract/channel.ts';
import type { CommandName, CommandOutput } from '../../src/contract/commands.ts';
import type { Config } from '../../src/contract/config.ts';
import type { ContractError } from '../../src/contract/errors.ts';
import type { KeyStorage } from '../../src/contract/live.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import type { DemoOptions } from '../../src/core/demo/deps.ts';
import type { EngineShell } from '../../src/core/demo/handlers.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import { openStores } from '../../src/core/store/stores.ts';
import { channelPair } from './channel-pair.ts';
import { memoryFolder } from './memory-folder.ts';
import { simPorts } from './sim-ports.ts';
import { always, answer, SimTransport } from './sim-transport.ts';
import { tempWorkspace } from './temp-workspace.ts';
import { turnUntilDone } from './turns.ts';

/** A change batch is sent at most this long after its change, in milliseconds. */
const BATCH_MS = 100;

const RECEIVERS_WORKER = resolve(import.meta.dirname, '../../src/core/receivers/receivers-worker.ts');

export interface SimEngineSetup {
  readonly config?: Config;
  /** A workspace folder that the test keeps. By default a temporary one. */
  readonly folder?: string;
  /** 32 bytes that seal the secrets. By default random ones. */
  readonly key?: Uint8Array;
  /** The wall time at which it starts, in epoch milliseconds. By default now. */
  readonly start?: number;
  /** By default 0, any free port. */
  readonly ingestPort?: number;
  readonly shell?: 'electron' | 'headless';
  readonly keyStorage?: KeyStorage;
  /** True starts the worker of the receivers on any free ports. By default receivers are off. */
  readonly receivers?: boolean | ReceiversSetup;
  /** Makes the workspace a demo. Its calls go through ingest without a socket. */
  readonly demo?: DemoOptions;
  /** From how many messages on there is a search index. By default 4,096. */
  readonly searchFrom?: number;
  /** What the demo asks of the shell; by default nothing can open one. */
  readonly demoShell?: EngineShell;
  /** Reads certificates; throws when there is no such file. */
  readonly readFile?: (path: string) => Uint8Array;
}

export interface ReceiversSetup {
  /** By default the worker that Hookbench ships. */
  readonly worker?: string | URL;
  /** Any free port by default, as for https. */
  readonly port?: number;
  readonly httpsPort?: number;
}

export interface SimEngine {
  readonly engine: Engine;
  /** The workspace folder. */
  readonly folder: string;
  readonly transport: SimTransport;
  /** Commands that clients called so far, with their arguments. */
  readonly calls: ReadonlyArray<{ readonly name: string; readonly input: unknown }>;
  /** Makes the next call of this command fail before it reaches the engine. */
  failNext(name: string, error: ContractError): void;
  /** Keeps calls of this command from the engine until what it gives is called. */
  hold(name: CommandName): () => void;
  /** Answers this command in place of the engine from now on. */
  answer(name: string, answer: (input: never) => unknown): void;
  /** Changes what the engine answers to this command from now on, as a mistake of the engine would. */
  amend<N extends CommandName>(name: N, change: (value: CommandOutput<N>) => CommandOutput<N>): void;
  /** Opens a channel for one more client. */
  open(): Channel;
  /** Serves one more client at the other end of this channel. Returns what ends that. */
  connect(channel: Channel): () => void;
  /**
   * Posts calls as an SDK would and returns the status: 0 when the answer is not one of HTTP. A text is posted as it is.
   */
  post(path: string, body: unknown, writeKey: string, headers?: Readonly<Record<string, string>>): Promise<number>;
  /** Moves time and lets everything that follows happen. */
  pass(ms?: number): Promise<void>;
  /** Ends it before the test does. Harmless when repeated. */
  stop(): Promise<void>;
}

/** Without `app.visibility`, which a window also asks by itself when it has heard nothing for 5 s of real time. */
export const pageCallsOf = ({ calls }: Pick<SimEngine, 'calls'>): SimEngine['calls'] =>
  calls.filter(({ name }) => name !== 'app.visibility');

/** A stop waits 6 s of simulated time for open attempts. With the usual 2 ms a turn that took 7 s of real time. */
const STOP_SPEED = 20;

/** Starts an engine, which the end of the test stops. By default a webhook answers 200 at once. */
export async function startSimEngine(setup: SimEngineSetup = {}): Promise<SimEngine> {
  const { config, start = Date.now(), ingestPort = 0, shell = 'headless', readFile = readFileSync } = setup;
  const { time, ...ports } = simPorts(1, start);
  const transport = new SimTransport(time, time);
  const folder = setup.folder ?? tempWorkspace(memoryFolder());
  const engine = new Engine(
    {
      workspace: folder,
      version: '0.0.0-test',
      shell,
      keyStorage: setup.keyStorage,
      config,
      ingestPort,
      controlSocket: false,
      ...receiverOptions(setup.receivers),
      demo: setup.demo,
      searchFrom: setup.searchFrom,
    },
    {
      ...ports,
      sealer: createSealer(setup.key ?? randomBytes(32)),
      logger: { log: () => {} },
      readFile,
      openStore: openStores,
      transport: () => usualAnswers(transport),
      post: (to, body) => postTo(engine, to.path, body, to.writeKey),
      shell: setup.demoShell,
    },
  );
  const pass = (ms = BATCH_MS): Promise<void> => time.advance(ms);
  const wishes: Wishes = { calls: [], failures: new Map(), answers: new Map(), changes: new Map(), held: new Map() };
  const connect = (channel: Channel) => engine.connect(watched(channel, wishes), 'app');
  const stop = () => turnUntilDone(engine.stop(), (ms) => pass(STOP_SPEED * ms));
  const starting = engine.start();
  await turnUntilDone(starting, pass);
  onTestFinished(stop);
  return {
    engine,
    folder,
    transport,
    calls: wishes.calls,
    pass,
    stop,
    failNext: (name, error) => wishes.failures.set(name, error),
    hold: (name) => {
      const waiting: (() => void)[] = [];
      wishes.held.set(name, waiting);
      return () => {
        wishes.held.delete(name);
        for (const go of waiting) go();
      };
    },
    answer: (name, answer) => wishes.answers.set(name, answer),
    amend: (name, change) => wishes.changes.set(name, change as (value: never) => unknown),
    open: () => {
      const [own, client] = channelPair();
      connect(own);
      return client;
    },
    connect,
    post: async (path, body, writeKey, headers = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return turnUntilDone(postTo(engine, path, text, writeKey, headers), pass);
    },
  };
}

/** The status; 0 when the answer is not one of HTTP. */
async function postTo(
  engine: Engine,
  path: string,
  body: string,
  writeKey: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { status, write } = await engine.parts.faults.handle({
    method: 'POST',
    target: path,
    headers: [
      ['Host', '127.0.0.1:8765'],
      ['Content-Type', 'application/json'],
      ['Authorization', `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`],
      ...Object.entries(headers),
    ],
    body: Buffer.from(body),
    remote: '127.0.0.1',
    secure: false,
  });
  return write === undefined ? status : 0;
}

/** A workspace folder whose secrets no later engine can read, because their key is gone. */
export async function workspaceWithoutKey(config: Config): Promise<string> {
  const { folder, stop } = await startSimEngine({ config });
  await stop();
  return folder;
}

function receiverOptions(wanted: SimEngineSetup['receivers'] = false) {
  if (wanted === false) return {};
  const { worker = RECEIVERS_WORKER, port = 0, httpsPort = 0 } = wanted === true ? {} : wanted;
  return { receiversWorker: worker, receiversPort: port, receiversHttpsPort: httpsPort };
}

function usualAnswers(transport: SimTransport): SimTransport {
  const send = transport.send.bind(transport);
  transport.send = (request) => {
    if (!transport.answers(request.url)) transport.on(request.url, always(answer(200)));
    return send(request);
  };
  return transport;
}

/** What clients asked, and what a test wants to be answered in place of the engine's answers. */
interface Wishes {
  readonly calls: { name: string; input: unknown }[];
  readonly failures: Map<string, ContractError>;
  readonly answers: Map<string, (input: never) => unknown>;
  readonly changes: Map<string, (value: never) => unknown>;
  /** What lets the calls go on that wait, by command. */
  readonly held: Map<string, (() => void)[]>;
}

/** A text of birpc: a call, or the answer to one. */
interface Text {
  readonly i?: string;
  readonly m?: string;
  readonly a?: [string, unknown];
  readonly r?: Answer;
}

function watched(channel: Channel, { calls, failures, answers, changes, held }: Wishes): Channel {
  /** Commands whose answers are changed, by the id of the call. */
  const changing = new Map<string | undefined, string>();
  return {
    ...channel,
    onText: (listener: (text: string) => void) =>
      channel.onText((text) => {
        const { i, m, a } = JSON.parse(text) as Text;
        if (m !== 'call' || a === undefined) return listener(text);
        const [name, input] = a;
        calls.push({ name, input });
        const reply = (answer: Answer) => channel.post(JSON.stringify({ t: 's', i, r: answer }));
        const error = failures.get(name);
        failures.delete(name);
        const instead = answers.get(name);
        if (changes.has(name)) changing.set(i, name);
        if (error !== undefined) {
          const { code, message, field } = error;
          reply({ ok: false, error: { code, message, field } });
        } else if (held.has(name)) held.get(name)?.push(() => listener(text));
        else if (instead === undefined) listener(text);
        else void Promise.resolve(instead(input as never)).then((value) => reply({ ok: true, value }));
      }),
    post: (text) => {
      const { i, r } = JSON.parse(text) as Text;
      const change = changes.get(changing.get(i) ?? '');
      if (change === undefined || !r?.ok) return channel.post(text);
      changing.delete(i);
      channel.post(JSON.stringify({ t: 's', i, r: { ok: true, value: change(r.value as never) } }));
    },
  };
}
