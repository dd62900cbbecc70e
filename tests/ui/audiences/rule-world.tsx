/** The rule editor on the real engine: calls come through ingest, and people are counted of what is stored. */
import { act } from 'react';
import { expect } from 'vitest';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import { dropDraft } from '../../../src/renderer/screens/audiences/rule/drafts.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  type Rendered,
  render,
  settle,
  type as typeText,
  until,
} from '../base/harness.tsx';

const CRM = { name: 'CRM sync', url: 'http://crm.test/hook', headers: {}, enabled: true };
export const KEY = 'wk_shop';

let engine: SimEngine;
let shown: Rendered;

interface Shopper {
  readonly country: string;
  readonly orders: number;
  readonly name?: string;
}

/** Six people: `usr_1` to `usr_6`. */
const SHOP: readonly Shopper[] = [
  { country: 'AT', orders: 4, name: 'Mira Kovač' },
  { country: 'DE', orders: 3 },
  { country: 'DE', orders: 2 },
  { country: 'US', orders: 5 },
  { country: 'FR', orders: 0 },
  { country: 'IT', orders: 7 },
];

const identify = (userId: string, { country, name }: Shopper) => ({
  type: 'identify',
  userId,
  traits: { address: { country }, ...(name !== undefined && { name }) },
});
export const order = (userId: string, total = 30) => ({
  type: 'track',
  userId,
  event: 'Order Completed',
  properties: { total },
});

/** Opens the editor of a new audience beside the stored calls of the shop. */
export async function open(shop: readonly Shopper[] = SHOP): Promise<SimEngine> {
  engine = await connectEngine({
    config: {
      sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { entries: [CRM] },
    },
  });
  const batch = shop.flatMap((shopper, i) => [
    identify(`usr_${i + 1}`, shopper),
    ...Array.from({ length: shopper.orders }, () => order(`usr_${i + 1}`)),
  ]);
  expect(await engine.post('/v1/batch', { batch }, KEY)).toBe(200);
  navigate({ screen: 'audiences', audienceId: null, tab: 'pending', page: 'edit' });
  shown = await render(
    <>
      <AudiencesScreen />
      <ToastRegion />
    </>,
  );
  await settle();
  return engine;
}

export function close(): void {
  shown.unmount();
  dropDraft('new');
  dropDraft(1);
  disconnect();
}

export const text = () => document.body.textContent ?? '';
export const input = (name: string, scope: ParentNode = document) => byName('input', name, scope) as HTMLInputElement;
export const tree = () => document.querySelector<HTMLElement>('[role="tree"]')!;
export const items = () => [...tree().querySelectorAll<HTMLElement>('[role="treeitem"]')];
export const labels = () => items().map((item) => item.getAttribute('aria-description') ?? '');
export const part = (id: string) =>
  items().find((item) => item.getAttribute('aria-description')!.startsWith(`${id}: `))!;
export const matching = () => byName('section', 'Matching people').textContent ?? '';
/** Arguments of each call of this command. */

export async function choose(label: string, value: string, scope: ParentNode): Promise<void> {
  const select = byName('select', label, scope) as HTMLSelectElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

export async function add(kind: string): Promise<HTMLElement> {
  const before = items().length;
  await click(byName('button', 'Condition'));
  await click(byName('[role="menuitem"]', kind));
  await until(() => items().length === before + 1);
  return items().at(-1)!;
}

/** `address.country is one of AT, DE, FR, IT`. */
export async function addCountry(values = 'AT, DE, FR, IT'): Promise<void> {
  const item = await add('Trait of the user');
  await typeText(input('Trait', item), 'address.country');
  await choose('Comparison', 'is_one_of', item);
  await typeText(input('Value', item), values);
}

export async function addOrders(times: string): Promise<void> {
  const item = await add('How often an event came');
  await typeText(input('Event', item), 'Order Completed');
  await typeText(input('Times', item), times);
}
