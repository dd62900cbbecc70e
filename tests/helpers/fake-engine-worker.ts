/**
 * A stand-in for the engine's worker, for tests of the shells: it speaks the whole contract over fixed rows,
 * opens the control socket, and can be told to crash. It stores and delivers nothing.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Channel, Handlers } from '../../src/contract/channel.ts';
import { type CommandName, commands } from '../../src/contract/commands.ts';
import { ContractError } from '../../src/contract/errors.ts';
import type { Hello } from '../../src/contract/live.ts';
import { serveContract } from '../../src/contract/serve.ts';
import type { ListenerView, StatusView } from '../../src/contract/values.ts';
import type { EngineStartOptions, FromWorker, ToWorker } from '../../src/core/engine/engine-thread.ts';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import { serveControlSocket } from '../../src/core/serving/control-socket.ts';
import { fakeAttempts, fakeHello, fakeMessages, fakeStatus } from './fake-values.ts';

const options = workerData as EngineStartOptions;
const parent = parentPort;
if (parent === null) throw new Error('This file runs as a worker.');

const say = (message: FromWorker): void => parent.postMessage(message);

/** The name of the workspace chooses what goes wrong. */
const wants = (what: string): boolean => options.workspace.includes(what);

const ingest = createServer((_request, response) => response.end('{"success":true}'));

const listenForCalls = (): Promise<ListenerView> =>
  new Promise((resolve) => {
    const port = options.ingestPort ?? 0;
    ingest.once('error', (error) => {
      resolve({ state: 'port_in_use', port, message: error.message, holder: 'a test (process 1)' });
    });
    ingest.listen(port, '127.0.0.1', () => {
      const taken = (ingest.address() as AddressInfo).port;
      resolve({ state: 'listening', port: taken, message: null, holder: null });
    });
  });

function handlersFor(status: StatusView): Handlers {
  const hello: Hello = fakeHello(options, status);
  const known: Partial<Handlers> = {
    'app.hello': () => hello,
    'app.visibility': () => null,
    'app.status': () => {
      if (wants('crash-on-status')) setImmediate(() => process.exit(9));
      return status;
    },
    'messages.window': () => ({ total: 0, rows: [] }),
    'messages.counts': () => ({ counts: {}, scannedTo: 1, more: false, newest: 0, oldest: 0, total: 0 }),
    'messages.ids': () => ({ ids: [], rows: [], scannedTo: 0, more: false }),
    'messages.byIds': () => [],
    'messages.list': (input) => fakeMessages(input),
    'attempts.list': (input) => fakeAttempts(input),
    // Echoes its argument, for tests of what passes through a shell.
    'messages.reingestHeld': (input) => ({ calls: input.writeKey.length }),
  };
  const others = Object.keys(commands).map((name) => [
    name,
    () => {
      throw new ContractError('unknown_command', `The stand-in has no ${name}.`);
    },
  ]);
  return { ...(Object.fromEntries(others) as Record<CommandName, never>), ...known } as Handlers;
}

const portChannel = (port: MessagePort): Channel => ({
  post: (text) => port.postMessage(text),
  onText: (listener) => void port.on('message', listener),
  close: () => port.close(),
});

async function start(): Promise<void> {
  if (wants('already-in-use')) {
    say({ type: 'failed', code: 'workspace_in_use', message: 'Another instance has this workspace.' });
    return;
  }
  const listener = await listenForCalls();
  const handlers = handlersFor(fakeStatus(listener));
  const serve = (channel: Channel): void => void serveContract(channel, handlers, () => {});
  const control = await serveControlSocket(controlSocketPath(options.workspace), serve);
  parent?.on('message', (message: ToWorker) => {
    if (message.type === 'connect') serve(portChannel(message.port));
    else void control.close().then(() => process.exit(0));
  });
  say({ type: 'ready', info: { listener, workspace: options.workspace, notSending: [] } });
}

await start();
