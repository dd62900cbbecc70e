import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import SourcesScreen from '../../../src/renderer/screens/sources/sources-screen.tsx';
import type { FakeEngine, FakeOptions } from '../../helpers/fake-engine.ts';
import { byName, click, connectFake, disconnectFake, type Rendered, render, settle, type } from './harness.tsx';

let engine: FakeEngine;
let shown: Rendered;
async function open(options: FakeOptions = {}): Promise<void> {
  engine = await connectFake(options);
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
  disconnectFake();
  vi.unstubAllGlobals();
});

const text = () => document.body.textContent ?? '';
const card = () => document.querySelector('section[aria-labelledby="https-title"]') as HTMLElement;
const asked = (name: string) => engine.calls.filter((call) => call.name === name).map(({ input }) => input);
const ON = { enabled: true, state: 'listening' } as const;
const IN_USE = { enabled: true, state: 'port_in_use', holder: 'node (process 123)' } as const;

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
    expect(card().textContent).toContain('https://localhost:8768');
    expect(card().textContent).toContain('/home/dev/acme-shop/.hookbench/authority.pem');
    expect(card().textContent).toMatch(/(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/);
    await click(byName('[role="switch"]', 'Receive calls over https'));
    expect(asked('ingest.https').at(-1)).toEqual({ enabled: false });
    expect(card().querySelector('dl')).toBeNull();
  });

  it('give the certificate as PEM', async () => {
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await open();
    await click(byName('[role="switch"]', 'Receive calls over https'));
    await click(byName('button', 'Copy PEM'));
    expect(writeText).toHaveBeenCalledWith(expect.stringContaining('-----BEGIN CERTIFICATE-----'));
    expect(text()).toContain('Certificate copied');
    engine.failNext('ingest.authority', new ContractError('authority_failed'));
    await click(byName('button', 'Copy PEM'));
    expect(text()).toContain('The local certificate authority cannot be made or read.');
    expect(writeText).toHaveBeenCalledTimes(1);
  });

  it('name the program that has the port, and take another one', async () => {
    await open({ https: IN_USE });
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
    expect(asked('ingest.https').at(-1)).toEqual({ enabled: true, port: 9000 });
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    expect(card().textContent).toContain('https://localhost:9000');
  });

  it.each([
    ['authority_not_trusted', 'A client does not trust the certificate.'],
    ['plain_http', 'A client speaks http to this port.'],
    ['handshake_failed', 'A client could not agree on a secure connection.'],
  ] as const)('say why a connection came to nothing: %s', async (reason, title) => {
    await open({ https: { ...ON, refused: { count: 2, lastAt: Date.now() - 4_000, reason } } });
    expect(card().textContent).toContain(title);
    expect(card().textContent).toContain('2 connections to port 8768 came to nothing, the last 4 s ago');
  });
});

describe('something that speaks https to the http port', () => {
  const heard = { count: 3, lastAt: Date.now() };

  it('is told above the screen, with the way out', async () => {
    await open({ tlsHellos: heard });
    expect(text()).toContain('Something speaks https to the http port 8765');
    expect(text()).toContain('Point it at http://localhost:8765, or turn the https listener on.');
    await click(byName('button', 'Turn https on'));
    expect(asked('ingest.https')).toEqual([{ enabled: true }]);
    expect(text()).toContain('or at https://localhost:8768 with the certificate from Sources');
    await click(byName('button', 'Open Sources'));
    expect(location.hash).toBe('#/sources');
  });

  it('can be waved away, until it is heard again', async () => {
    await open({ tlsHellos: { count: 1, lastAt: Date.now() + 1 } });
    await click(byName('button', 'Dismiss'));
    expect(text()).not.toContain('Something speaks https');
    engine.setTlsHellos({ count: 2, lastAt: Date.now() + 60_000 });
    await settle();
    expect(text()).toContain('Something speaks https');
  });

  it('is not told when it was long ago', async () => {
    await open({ tlsHellos: { count: 3, lastAt: Date.now() - 11 * 60_000 } });
    expect(text()).not.toContain('Something speaks https');
  });
});
