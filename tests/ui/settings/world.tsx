/** A section of the settings in the whole window on the real engine, for its tests. */
import { afterEach } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { App } from '../../../src/renderer/app.tsx';
import { navigate, type SettingsSection } from '../../../src/renderer/stores/route.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  press,
  type Rendered,
  render,
  type as typeText,
  until,
} from '../base/harness.tsx';

const HOOK = 'http://crm.test/hook';
const CONFIG: Config = {
  sources: [{ name: 'checkout', writeKey: 'wk_1', kind: 'server', enabled: true, webhooks: true }],
  webhooks: { entries: [{ name: 'CRM', url: HOOK, headers: {}, enabled: true }] },
};

export let engine: SimEngine;
let shown: Rendered | null = null;
interface OpenOptions extends SimEngineSetup {
  /** Calls that were delivered before the window opened. */
  readonly delivered?: number;
  /** Calls that came after them and wait to be tried again. */
  readonly waiting?: number;
}
export async function open(section: SettingsSection, options: OpenOptions = {}): Promise<void> {
  const { delivered = 0, waiting = 0, config, ...setup } = options;
  const before = async (started: SimEngine): Promise<void> => {
    await receive(started, delivered);
    if (waiting === 0) return;
    started.transport.on(HOOK, always(answer(500)));
    await receive(started, waiting);
  };
  engine = await connectEngine({ config: { ...CONFIG, ...config }, ...setup }, before);
  navigate({ screen: 'settings', section });
  shown = await render(<App />);
  await until(() => document.querySelector('nav[aria-label="Settings"]') !== null);
}
export async function receive({ post, pass }: SimEngine, count: number): Promise<void> {
  const batch = Array.from({ length: count }, () => ({ type: 'track', userId: 'u', event: 'Order Completed' }));
  if (count > 0) await post('/v1/batch', { batch }, 'wk_1');
  await pass(1_000);
}
afterEach(async () => {
  for (const close of document.querySelectorAll<HTMLElement>('[aria-label="Close notice"]')) await click(close);
  shown?.unmount();
  shown = null;
  disconnect();
});

/** Arguments of the calls of one command. */
export const calls = (name: string) => engine.calls.filter((one) => one.name === name).map(({ input }) => input);
export const text = () => document.body.textContent ?? '';
export const field = (name: string) =>
  byName('main input:not([type="radio"]):not([type="checkbox"])', name) as HTMLInputElement;
export const about = (name: string) =>
  document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent ?? '';
export async function enter(name: string, value: string): Promise<void> {
  await typeText(field(name), value);
  await press(field(name), 'Enter');
}
export const main = () => document.querySelector('main')!;
export const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]');
