/**
 * What one visit to the shop looks like: a script of calls, one at a time. All chance comes from the given numbers, so
 * that the same numbers give the same visit.
 */
import { COMPANIES, emailOf, NEWCOMERS, SHOPPERS, type Shopper } from './people.ts';
import { PRODUCTS, type Product, type ShopSource } from './shop.ts';

/** A call without its id and time. */
export interface Planned {
  readonly source: ShopSource;
  readonly type: 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias';
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Chance {
  next(): number;
}

export type Visit = Generator<Planned, void>;

const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance.next() * list.length)]!;
const hex = (chance: Chance, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(chance.next() * 16).toString(16)).join('');
const cents = (euros: number): number => Math.round(euros * 100) / 100;

type Who = Readonly<Record<string, unknown>>;

const call = (
  source: ShopSource,
  type: Planned['type'],
  who: Who,
  fields: Readonly<Record<string, unknown>>,
): Planned => ({ source, type, fields: { ...who, ...fields } });

const track = (source: ShopSource, who: Who, event: string, properties: object = {}): Planned =>
  call(source, 'track', who, { event, properties });

const page = (who: Who, name: string, path: string): Planned =>
  call('web', 'page', who, { name, properties: { path, title: `${name} | Fern & Fable` } });

export const identify = (source: ShopSource, { userId, ...person }: Shopper): Planned => ({
  source,
  type: 'identify',
  fields: {
    userId,
    traits: {
      email: emailOf(person.name, userId),
      name: person.name,
      plan: person.plan,
      address: { city: person.city, country: person.country },
    },
    context: { locale: person.locale },
  },
});

export const group = ({ userId, company }: Shopper): Planned => {
  const { groupId, ...traits } = COMPANIES[company ?? 0]!;
  return { source: 'checkout', type: 'group', fields: { userId, groupId, traits } };
};

const shown = ({ sku, name, category, price }: Product): object => ({
  sku,
  name,
  category,
  price,
  currency: 'EUR',
});

interface Line {
  readonly product: Product;
  readonly quantity: number;
}

/** What a basket costs, with shipping where it is below 60 euros. */
function order(chance: Chance, lines: readonly Line[]): object {
  const goods = lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
  const shipping = goods < 60 ? 4.9 : 0;
  return {
    orderId: `A-${10_000 + Math.floor(chance.next() * 90_000)}`,
    total: cents(goods + shipping),
    shipping,
    currency: 'EUR',
    items: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    products: lines.map(({ product, quantity }) => ({ ...shown(product), quantity })),
  };
}

const basket = (chance: Chance): Line[] =>
  Array.from({ length: 1 + Math.floor(chance.next() * 3) }, () => ({
    product: pick(chance, PRODUCTS),
    quantity: chance.next() < 0.2 ? 2 : 1,
  }));

/** Names of the same event in the phone app's translations. */
const ORDER_COMPLETED: Readonly<Record<string, string>> = {
  'cs-CZ': 'Objednávka dokončena',
  'ar-AE': 'تم إكمال الطلب',
};

function* webVisit(chance: Chance): Visit {
  const { userId, locale } = pick(chance, SHOPPERS);
  const who = { userId, context: { locale } };
  const lines = basket(chance);
  yield page(who, 'Home', '/');
  for (const { product } of lines) {
    yield track('web', who, 'Product Viewed', shown(product));
    yield track('web', who, 'Product Added', shown(product));
  }
  yield track('web', who, 'Cart Viewed', { items: lines.length });
  if (chance.next() < 0.25) return;
  yield page(who, 'Checkout / Review', '/checkout/review');
  yield track('checkout', who, 'Shipping Method Selected', { method: pick(chance, ['standard', 'express', 'pickup']) });
  yield track('checkout', who, 'Payment Method Added', { method: pick(chance, ['card', 'paypal', 'invoice']) });
  const bought = order(chance, lines);
  yield track('checkout', who, 'Order Completed', bought);
  if (chance.next() < 0.15) yield track('checkout', who, 'Refund Issued', { ...bought, reason: 'Changed my mind' });
}

function* phoneVisit(chance: Chance): Visit {
  const shopper = pick(chance, SHOPPERS);
  const { userId, locale } = shopper;
  const who = { userId, context: { locale, device: { type: pick(chance, ['ios', 'android']) } } };
  const lines = basket(chance);
  yield call('phone', 'screen', who, { name: 'Home', properties: {} });
  yield track('phone', who, 'Product Viewed', shown(lines[0]!.product));
  yield call('phone', 'screen', who, { name: 'Order Summary', properties: { items: lines.length } });
  if (chance.next() < 0.4) return;
  yield track('phone', who, ORDER_COMPLETED[locale] ?? 'Order Completed', order(chance, lines));
}

/** Somebody looks around without an account, then signs up. */
function* firstVisit(chance: Chance, signsUp = chance.next() < 0.6): Visit {
  const anonymousId = hex(chance, 6);
  const unknown = { anonymousId };
  const product = pick(chance, PRODUCTS);
  yield page(unknown, 'Home', '/');
  yield track('web', unknown, 'Product Viewed', shown(product));
  yield track('web', unknown, 'Product Added', shown(product));
  if (!signsUp) return;
  const userId = `usr_${hex(chance, 4)}`;
  const name = pick(chance, NEWCOMERS);
  yield call('web', 'alias', { userId }, { previousId: anonymousId });
  const traits = { email: emailOf(name, userId), name, plan: 'free' };
  yield call('web', 'identify', { userId, anonymousId }, { traits });
  yield track('web', { userId, anonymousId }, 'Signed Up', { plan: 'free' });
}

const BUSINESS = SHOPPERS.filter(({ company }) => company !== null);

function* businessVisit(chance: Chance): Visit {
  const shopper = pick(chance, BUSINESS);
  const who = { userId: shopper.userId };
  const { name: company } = COMPANIES[shopper.company!]!;
  yield track('web', who, 'Signed In', { method: 'password' });
  yield page(who, 'Billing / Invoices', '/billing/invoices');
  yield track('checkout', who, 'Invoice Paid', {
    invoiceId: `INV-${2_000 + Math.floor(chance.next() * 8_000)}`,
    total: cents(180 + chance.next() * 900),
    currency: 'EUR',
  });
  if (chance.next() < 0.5) yield group(shopper);
  else
    yield call('web', 'identify', who, {
      traits: { plan: shopper.plan, company, seats: 3 + Math.floor(chance.next() * 40) },
    });
}

/** A profile is saved. */
function* profileVisit(chance: Chance): Visit {
  yield identify('web', pick(chance, SHOPPERS));
}

/** A newsletter is tracked, but its sender does not want it delivered. */
function* newsletterVisit(chance: Chance): Visit {
  const who = { userId: pick(chance, SHOPPERS).userId };
  yield call('web', 'track', who, {
    event: 'Newsletter Opened',
    properties: { campaign: 'Autumn letter' },
    integrations: { Webhooks: false },
  });
}

/** More than 32 KB of rows in one call: ingest rejects it. */
const IMPORTED_ROWS = 400;

function* importVisit(chance: Chance): Visit {
  const rows = Array.from({ length: IMPORTED_ROWS }, (_unused, i) => {
    const { sku, name, category, price } = pick(chance, PRODUCTS);
    return { row: i + 1, sku, name, category, price, stock: Math.floor(chance.next() * 200) };
  });
  yield track('checkout', { userId: 'usr_0a77' }, 'Catalog Imported', { rows });
}

/** One of each that a person may look for: a screen, a new customer, a call that is not for webhooks, one that is too large. */
export function* oneOfEach(chance: Chance): Visit {
  yield* phoneVisit(chance);
  yield* firstVisit(chance, true);
  yield* newsletterVisit(chance);
  yield* importVisit(chance);
}

/** The order that the tour shows. */
export function* shownOrder(chance: Chance): Visit {
  const who = { userId: 'usr_8f21', context: { locale: 'de-AT' } };
  yield track('checkout', who, 'Order Completed', order(chance, basket(chance)));
}

const KINDS: ReadonlyArray<readonly [share: number, visit: (chance: Chance) => Visit]> = [
  [0.4, webVisit],
  [0.2, phoneVisit],
  [0.16, firstVisit],
  [0.12, businessVisit],
  [0.06, profileVisit],
  [0.04, newsletterVisit],
  [0.02, importVisit],
];

/** A visit of any kind. */
export function anyVisit(chance: Chance): Visit {
  let left = chance.next();
  for (const [share, visit] of KINDS) {
    left -= share;
    if (left < 0) return visit(chance);
  }
  return webVisit(chance);
}
