/**
 * On the real engine, but for a client that refuses the certificate (Node's own tells the server nothing) and a taken
 * port (each search for the program behind it reads all of /proc).
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import SourcesScreen from '../../../src/renderer/screens/sources/sources-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import type { FakeEngine, FakeOptions } from '../../helpers/fake-engine.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import {
  byName,
  click,
  connectEngine,
  connectFake,
  disconnect,
  type Rendered,
  render,
  settle,
  type,
  until,
} from './harness.tsx';

let engine: SimEngine;
let shown: Rendered;
/** With https on any free port. `before` happens while no window is open. */
async function open(setup: SimEngineSetup = {}, before: () => Promise<void> = async () => {}): Promise<void> {
  engine = await connectEngine({ config: { ingest: { https: { port: 0 } } }, ...setup });
  await before();
  await show();
}
async function openFake(https: FakeOptions['https']): Promise<FakeEngine> {
  const fake = await connectFake({ https });
  await show();
  return fake;
}
async function show(): Promise<void> {
  shown = await render(
    <>
      <SourcesScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
afterEach(() => {
  shown.unmount();
  disconnect();
  vi.unstubAllGlobals();
});

const text = () => document.body.textContent ?? '';
const card = () => document.querySelector('section[aria-labelledby="https-title"]') as HTMLElement;
const asked = (name: string) => engine.calls.filter((call) => call.name === name).map(({ input }) => input);
const https = () => useRecords.getState().status!.https;
const listens = () => until(() => https().state === 'listening');

/** Ends once the connection has. */
const connected = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
/** Speaks TLS 1.1 at most. */
const oldClient = (port: number): Promise<void> =>
  connected(
    connectTls({
      port,
      host: '127.0.0.1',
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  );
const plainClient = (port: number): Promise<void> => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\n\r\n');
  return connected(socket.resume());
};

describe('calls over https', () => {
  it('are off at first, with why one would want them and nothing else', async () => {
    await open();
    expect(card().textContent).toContain('Ruby, PHP, Swift, Kotlin, C# and Android');
    expect(card().querySelector('dl')).toBeNull();
  });

  it('turned on, show the address, the certificate and its fingerprint', async () => {
    await open();
    await click(byName('[role="switch"]', 'Receive calls over https'));
    expect(asked('ingest.https')).toEqual([{ enabled: true }]);
    await listens();
    expect(card().textContent).toContain(`https://localhost:${https().port}`);
    expect(card().textContent).toContain(https().authority?.file);
    expect(card().textContent).toMatch(/(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/);
    await click(byName('[role="switch"]', 'Receive calls over https'));
    expect(asked('ingest.https').at(-1)).toEqual({ enabled: false });
    await until(() => https().state === 'stopped');
    expect(card().querySelector('dl')).toBeNull();
  });

  it('give the certificate as PEM', async () => {
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await open();
    await click(byName('[role="switch"]', 'Receive calls over https'));
    await listens();
    await click(byName('button', 'Copy PEM'));
    await until(() => text().includes('Certificate copied'));
    expect(writeText).toHaveBeenCalledWith(expect.stringContaining('-----BEGIN CERTIFICATE-----'));
    engine.failNext('ingest.authority', new ContractError('authority_failed'));
    await click(byName('button', 'Copy PEM'));
    expect(text()).toContain('The local certificate authority cannot be made or read.');
    expect(writeText).toHaveBeenCalledTimes(1);
  });

  it('name the program that has the port, and take another one', async () => {
    const fake = await openFake({ enabled: true, state: 'port_in_use', holder: 'node (process 123)' });
    expect(card().querySelector('[role="alert"]')?.textContent).toContain('Port 8768 is in use.');
    expect(card().textContent).toContain('node (process 123) is listening on it');
    await click(byName('button', 'Choose a port', card()));
    const port = document.querySelector('[role="dialog"] input') as HTMLInputElement;
    expect(port.value).toBe('8769');
    await type(port, '8768');
    await click(byName('[role="dialog"] button', 'Listen'));
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Port 8768 is in use as well.');
    await type(port, '9000');
    await click(byName('[role="dialog"] button', 'Listen'));
    expect(fake.calls.at(-1)?.input).toEqual({ enabled: true, port: 9000 });
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    expect(card().textContent).toContain('https://localhost:9000');
  });

  it('say that a client does not trust the certificate', async () => {
    const refused = { count: 2, lastAt: Date.now() - 4_000, reason: 'authority_not_trusted' } as const;
    await openFake({ enabled: true, state: 'listening', refused });
    expect(card().textContent).toContain('A client does not trust the certificate.');
    expect(card().textContent).toContain('2 connections to port 8768 came to nothing, the last 4 s ago');
  });

  it.each([
    ['plain_http', 'A client speaks http to this port.', plainClient],
    ['handshake_failed', 'A client could not agree on a secure connection.', oldClient],
  ] as const)('say why a connection came to nothing: %s', async (reason, title, client) => {
    await open({ config: { ingest: { https: { enabled: true, port: 0 } } }, start: Date.now() - 4_000 });
    await listens();
    const { port } = https();
    for (let i = 0; i < 2; i += 1) await client(port);
    await until(() => https().refused?.count === 2);
    expect(https().refused?.reason).toBe(reason);
    expect(card().textContent).toContain(title);
    expect(card().textContent).toMatch(
      new RegExp(`2 connections to port ${port} came to nothing, the last \\d+ s ago`),
    );
  });
});

describe('something that speaks https to the http port', () => {
  const MINUTE = 60_000;
  const httpPort = () => useRecords.getState().status!.listener.port;
  /** Says hello as a TLS client does. */
  const hello = () => oldClient(httpPort());

  it('is shown above the screen, with a remedy', async () => {
    await open({}, hello);
    await until(() => text().includes(`Something speaks https to the http port ${httpPort()}`));
    expect(text()).toContain(`Point it at http://localhost:${httpPort()}, or turn the https listener on.`);
    await click(byName('button', 'Turn https on'));
    expect(asked('ingest.https')).toEqual([{ enabled: true }]);
    await listens();
    expect(text()).toContain(`or at https://localhost:${https().port} with the certificate from Sources`);
    await click(byName('button', 'Open Sources'));
    expect(location.hash).toBe('#/sources');
  });

  it('can be waved away, until it is heard again', async () => {
    await open({}, hello);
    await until(() => text().includes('Something speaks https'));
    await click(byName('button', 'Dismiss'));
    expect(text()).not.toContain('Something speaks https');
    await hello();
    await until(() => text().includes('Something speaks https'));
  });

  it('is not told when it was long ago', async () => {
    await open({ start: Date.now() - 11 * MINUTE }, hello);
    await until(() => useRecords.getState().status!.tlsHellos !== null);
    expect(text()).not.toContain('Something speaks https');
  });
});
