/** The calls that the end-to-end benchmark posts. Their `n` says which one a receiver got. */

/**
 * `track`: one kind, about 600 bytes. `large`: the same of about 2 KB. `mixed`: all kinds but delete, about 800 bytes,
 * twenty to thirty properties.
 */
export const CALLS = { track: (n: number) => track(n, 180), large: (n: number) => track(n, 1_600), mixed } as const;
export type CallKind = keyof typeof CALLS;

/** As a server SDK sends it. */
function track(n: number, noteBytes: number): object {
  return {
    type: 'track',
    messageId: `node-next-${1_700_000_000_000 + n}-${crypto.randomUUID()}`,
    event: 'Order Completed',
    userId: `usr_${n % 997}`,
    timestamp: new Date().toISOString(),
    properties: {
      n,
      orderId: `A-${n}`,
      total: 184.5,
      currency: 'EUR',
      coupon: 'WINTER & CO',
      items: 3,
      note: 'x'.repeat(noteBytes),
    },
    context: { library: { name: '@segment/analytics-node', version: '3.1.0' }, ip: '203.0.113.24', locale: 'de-AT' },
    integrations: {},
  };
}

const WORDS = ['kettle', 'Zürich', 'grinder & co', 'autumn', 'A-4711', 'true', '203.0.113.24', 'Løkka'];

function propertiesOf(n: number): Record<string, unknown> {
  const properties: Record<string, unknown> = { n };
  for (let i = 0; i < 20 + (n % 11); i += 1) {
    const value = [WORDS[(n + i) % WORDS.length], (n * 31 + i) / 10, (n + i) % 3 === 0, null][i % 4];
    properties[`field_${i}`] = value;
  }
  return properties;
}

/** Six kinds in turn; three of six calls are track calls. */
const KINDS: ReadonlyArray<(n: number) => object> = [
  (n) => ({ type: 'track', event: 'Order Completed', properties: propertiesOf(n) }),
  (n) => ({ type: 'identify', traits: propertiesOf(n) }),
  (n) => ({ type: 'track', event: 'Product Viewed', properties: propertiesOf(n) }),
  (n) => ({ type: 'page', name: 'Checkout', properties: propertiesOf(n) }),
  (n) => ({ type: 'track', event: 'Cart Updated', properties: propertiesOf(n) }),
  (n) => ({ type: 'group', groupId: `grp_${n % 31}`, traits: propertiesOf(n) }),
];

function mixed(n: number): object {
  return {
    ...KINDS[n % KINDS.length]!(n),
    messageId: `node-next-${1_700_000_000_000 + n}-${crypto.randomUUID()}`,
    anonymousId: `anon-${n % 1_997}`,
    userId: `usr_${n % 997}`,
    timestamp: new Date().toISOString(),
    context: { library: { name: '@segment/analytics-node', version: '3.1.0' }, locale: 'de-AT' },
    integrations: {},
  };
}
