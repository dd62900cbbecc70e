/**
 * The receivers' screen on the real engine. Where a test needs requests, the receivers' worker runs and the test sends
 * them over the loopback interface; elsewhere receivers are off, because their programs can be edited all the same.
 */
import { act } from 'react';
import { afterEach } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import type { ReceiverView } from '../../../src/contract/receivers.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import ReceiversScreen from '../../../src/renderer/screens/receivers/receivers-screen.tsx';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { rawRequest, sendRaw } from '../../helpers/raw-http.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { connectEngine, disconnect, type Rendered, render, settle, until } from '../base/harness.tsx';

const SECRET = 'a secret that ends in 12';
export const CONFIG: Config = { webhooks: { sharedSecret: SECRET } };

export let engine: SimEngine;
let shown: Rendered;
export async function open(setup: SimEngineSetup = {}, receiverId: string | null = 'flaky'): Promise<void> {
  engine = await connectEngine({ config: CONFIG, ...setup });
  navigate({ screen: 'receivers', receiverId });
  shown = await render(
    <>
      <ReceiversScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
/** Both listeners work. */
export async function openRunning(receiverId: string | null = 'flaky', config = CONFIG): Promise<void> {
  await open({ receivers: true, config }, receiverId);
  await until(() => view().http.state === 'listening' && view().https.state === 'listening');
}
export function close(): void {
  shown.unmount();
  disconnect();
}
afterEach(close);

export const text = () => document.body.textContent ?? '';
export const inputs = (name: string) => engine.calls.filter((one) => one.name === name).map(({ input }) => input);
export const view = () => engine.engine.parts.receivers.view();
export const receiver = (id: string): ReceiverView => view().entries.find((one) => one.id === id)!;
export const row = (id: string) => document.querySelector<HTMLElement>(`[role="row"][data-id="${id}"]`)!;
export const hits = (id: string) => row(id).lastElementChild?.textContent;
export const dialog = () => document.querySelector('[role="dialog"]')?.textContent ?? '';

/** Posts a signed body to a receiver and returns the status of its answer. */
export async function post(
  id: string,
  body = JSON.stringify({ type: 'track', event: 'Order Completed' }),
): Promise<number> {
  const { port } = view().http;
  const head = rawRequest('POST', `/r/${id}`, [
    ['Host', `localhost:${port}`],
    ['User-Agent', 'Hookbench/1.0'],
    ['X-Signature', signatureOf(SECRET, Buffer.from(body))],
    ['Content-Length', String(Buffer.byteLength(body))],
  ]);
  return (await sendRaw(port, head + body)).status;
}
/** As {@link post}, while the screen goes on. */
export const send = (...request: Parameters<typeof post>): Promise<number> => act(() => post(...request));
