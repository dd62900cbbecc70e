import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import SourcesScreen from '../../../src/renderer/screens/sources/sources-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { takenPort } from '../../helpers/taken-port.ts';
import { byName, click, connectEngine, disconnect, type Rendered, render, settle, type, until } from './harness.tsx';

let engine: SimEngine;
let shown: Rendered;
/** With https on any free port. `before` happens while no window is open. */
async function open(setup: SimEngineSetup = {}, before: () => Promise<void> = async () => {}): Promise<void> {
  engine = await connectEngine({ config: { ingest: { https: { port: 0 } } }, ...setup });
  await before();
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
/** In TLS 1.2, fatal: the client does not know the authority of the certificate (RFC 5246, section 7.2). */
const UNKNOWN_CA = Buffer.from([21, 3, 3, 0, 2, 2, 48]);
/** Says hello, and answers the certificate with an alert. Node's own client would just leave. */
const distrustingClient = async (port: number): Promise<void> => {
  const hello = await helloOf({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(hello);
  socket.once('data', () => socket.end(UNKNOWN_CA));
  return connected(socket.resume());
};
/** The first bytes that a TLS client sends. */
const helloOf = (options: ConnectionOptions): Promise<Buffer> =>
  new Promise((resolve) => {
    const wire = new Duplex({ read: () => {}, write: resolve });
    connectTls({ ...options, socket: wire }).on('error', () => {});
  });
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
    const port = await takenPort(2);
    await open({ config: { ingest: { https: { enabled: true, port } } } });
    await until(() => https().state === 'port_in_use');
    expect(card().querySelector('[role="alert"]')?.textContent).toContain(`Port ${port} is in use.`);
    expect(card().textContent).toContain(`(process ${process.pid}) is listening on it`);
    await click(byName('button', 'Choose a port', card()));
    const dialog = () => document.querySelector('[role="dialog"]');
    const field = dialog()!.querySelector('input') as HTMLInputElement;
    expect(field.value).toBe(`${port + 1}`);
    await type(field, `${port}`);
    await click(byName('[role="dialog"] button', 'Listen'));
    await until(() => dialog()!.textContent!.includes(`Port ${port} is in use as well.`));
    await type(field, `${port + 2}`);
    await click(byName('[role="dialog"] button', 'Listen'));
    expect(asked('ingest.https').at(-1)).toEqual({ enabled: true, port: port + 2 });
    await until(() => dialog() === null);
    expect(card().textContent).toContain(`https://localhost:${port + 2}`);
  });

  it.each([
    ['authority_not_trusted', 'A client does not trust the certificate.', distrustingClient],
    ['plain_http', 'A client speaks http to this port.', plainClient],
    ['handshake_failed', 'A client could not agree on a secure connection.', oldClient],
  ] as const)('say why a connection came to nothing: %s', async (reason, title, client) => {
    await open({ config: { ingest: { https: { enabled: true, port: 0 } } } });
    await listens();
    const { port } = https();
    for (let i = 0; i < 2; i += 1) await client(port);
    await until(() => https().refused?.count === 2);
    expect(https().refused?.reason).toBe(reason);
    expect(card().textContent).toContain(title);
    await engine.pass(4_000);
    await until(
      () => card().textContent?.includes(`2 connections to port ${port} came to nothing, the last 4 s ago`) === true,
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

  it('is told until it was long ago', async () => {
    // Later than anything that another test has waved away.
    await open({ start: Date.now() + 60 * MINUTE }, hello);
    await until(() => text().includes('Something speaks https'));
    await engine.pass(11 * MINUTE);
    await until(() => !text().includes('Something speaks https'));
  });
});
