/** The made-up shop: what it sells, where it sends calls from, and the five tools that receive them. */
import type { Config } from '../../contract/config.ts';

export type ShopSource = 'web' | 'checkout' | 'phone';

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly category: string;
  /** In euros. */
  readonly price: number;
}

export const PRODUCTS: readonly Product[] = [
  { sku: 'KET-21', name: 'Gooseneck Kettle', category: 'Kitchen', price: 64.9 },
  { sku: 'GRN-07', name: 'Burr Grinder', category: 'Kitchen', price: 129 },
  { sku: 'CUP-04', name: 'Stoneware Cup, Set of 4', category: 'Kitchen', price: 34.5 },
  { sku: 'BNS-11', name: 'House Espresso Beans 1 kg', category: 'Coffee', price: 22.4 },
  { sku: 'BNS-14', name: 'Ethiopia Guji 250 g', category: 'Coffee', price: 13.9 },
  { sku: 'FLT-02', name: 'Paper Filters, 100', category: 'Coffee', price: 6.5 },
  { sku: 'LMP-33', name: 'Clamp Desk Lamp', category: 'Office', price: 79 },
  { sku: 'CHR-08', name: 'Beech Stool', category: 'Office', price: 118.5 },
  { sku: 'NBK-19', name: 'Dotted Notebook A5', category: 'Office', price: 14.2 },
  { sku: 'BAG-05', name: 'Waxed Tote Bag', category: 'Travel', price: 49.9 },
  { sku: 'FLK-16', name: 'Steel Flask 0.7 l', category: 'Travel', price: 31 },
  { sku: 'UMB-01', name: 'Pocket Umbrella', category: 'Travel', price: 27.8 },
];

/** The name of each source on screen, and its write key. */
export const SOURCES: Readonly<Record<ShopSource, { readonly name: string; readonly writeKey: string }>> = {
  web: { name: 'Web shop', writeKey: 'wk_demo_web' },
  checkout: { name: 'Checkout', writeKey: 'wk_demo_checkout' },
  phone: { name: 'Phone app', writeKey: 'wk_demo_phone' },
};

interface Tool {
  /** Of its receiver: the last part of the URL. */
  readonly id: string;
  readonly name: string;
  readonly steps: NonNullable<NonNullable<Config['receivers']>['entries']>[number]['steps'];
}

const replies = (status: number, delayMs: number, times = 1): Tool['steps'][number] => ({
  response: { kind: 'status', status, headers: [], body: '' },
  times,
  delayMs,
});

export const FAILING_TOOL = 'email-tool';
export const SLOW_TOOL = 'ad-network';

/**
 * The five webhooks, by slot. Email tool answers 503 twice out of three times; Ad network never answers in
 * time once the calls from before are through.
 */
export const TOOLS: readonly Tool[] = [
  { id: 'crm', name: 'CRM', steps: [replies(200, 38)] },
  { id: FAILING_TOOL, name: 'Email tool', steps: [replies(503, 184, 2), replies(200, 120)] },
  { id: 'warehouse', name: 'Warehouse', steps: [replies(202, 91)] },
  {
    id: SLOW_TOOL,
    name: 'Ad network',
    steps: [{ response: { kind: 'hang', holdMs: 30_000 }, times: 1, delayMs: 0 }],
  },
  { id: 'archive', name: 'Archive', steps: [replies(200, 22)] },
];

/** What Ad network answers to the calls from before: it has become slow only now. */
const BEFORE_SLOW: Tool['steps'] = [replies(200, 71)];

/** What every tool answers during the outage of the last step of the tour. */
export const OUTAGE: Tool['steps'] = [replies(503, 60)];

const CHECK = { on: true, onMismatch: 'reject', secret: 'shared' } as const;

/** The demo's own secret, which protects nothing: it exists to be looked at in the Signature tab. */
const SHARED_SECRET = 'demo-shop-shared-secret';

/** The settings of a new demo workspace. Webhooks come later, when the receivers' port is known. */
export const shopConfig = (): Config => ({
  sources: (Object.keys(SOURCES) as ShopSource[]).map((source) => ({
    ...SOURCES[source],
    kind: source === 'phone' ? 'mobile' : source === 'web' ? 'web' : 'server',
    enabled: true,
    webhooks: true,
  })),
  webhooks: { sharedSecret: SHARED_SECRET },
  receivers: {
    entries: TOOLS.map(({ id, name, steps }) => {
      return { id, name, tls: false, steps: id === SLOW_TOOL ? BEFORE_SLOW : steps, check: CHECK };
    }),
  },
});

/** The webhooks, once receivers listen. `base` is their address without a path. */
export const toolWebhooks = (base: string): Config => ({
  webhooks: {
    entries: TOOLS.map(({ id, name }) => ({ name, url: `${base}/r/${id}`, headers: {}, enabled: true })),
  },
});
