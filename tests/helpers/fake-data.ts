/** Made-up messages for looking at screens: realistic by default, hostile when asked. Same id, same row. */
import type {
  CallTypeName,
  CertificateView,
  MessageRow,
  MessageStateName,
  OutcomeName,
  RecentAttempt,
  SourceView,
  WebhookView,
} from '../../src/contract/values.ts';

export const SIGNATURE = 'e54feca1c33a6928dfc9ef72905e3b1c9b769052';

const EVENTS: ReadonlyArray<[CallTypeName, string, string]> = [
  ['track', 'Cart Viewed', 'usr_41c0'],
  ['page', 'Checkout / Shipping', 'usr_41c0'],
  ['identify', 'plan, company, seats', 'usr_7d2e'],
  ['track', 'Product Added', ''],
  ['group', 'Acme Outlet GmbH', 'usr_7d2e'],
  ['track', 'Order Completed', 'usr_8f21'],
  ['delete', 'Deletion notice', 'usr_19aa'],
  ['identify', 'high_value_customers: true', 'usr_8f21'],
  ['track', 'ऑर्डर पूरा हुआ', 'usr_c3f5'],
  ['track', 'تم إكمال الطلب', 'usr_b812'],
  ['alias', 'anon 5e0c91 → usr_41c0', 'usr_41c0'],
  ['screen', 'Order Summary', 'usr_c3f5'],
  ['track', 'Newsletter Opened', 'usr_2b9d'],
  ['track', 'Shipping Method Selected for Express Delivery', 'usr_8f21'],
  ['page', 'Billing / Invoices', 'usr_5d10'],
  ['track', 'Refund Issued', 'usr_5d10'],
];

export const HOSTILE_NAMES: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  'Pay\u202Efdp.exe',
  'zero\u200Bwidth\u200B and \u0000 NUL \u001b[31mred',
  'x'.repeat(32_000),
  '👩‍👩‍👧‍👦'.repeat(40),
  'שלום עולם 123 (hello) ABC',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  '__proto__',
  '=HYPERLINK("http://evil.test","x")',
  'line one\nline two\ttabbed',
  '',
  'a b\u00a0c\u2003d',
];

const STATES: ReadonlyArray<[MessageStateName, string, Partial<MessageRow>]> = [
  ['delivering', 'sssrp', { round: 1 }],
  ['delivered', 'aafrp', { round: 1 }],
  ['delivered', 'aaarp', { round: 1 }],
  ['delivered', 'axfrp', { round: 2 }],
  ['delivered', 'aaarp', { round: 1 }],
  ['rejected', '.....', { reason: 'call_too_large', reasonDetail: '41.2 KB', size: 42_189 }],
  ['delivered', 'faarp', { round: 1 }],
  ['waiting', 'wwwwp', { round: 1 }],
  ['delivered', 'aaarp', { round: 1 }],
  ['retrying', 'wwwwp', { round: 3 }],
  ['failed', 'dmdrp', { round: 1 }],
  ['retrying', 'ftfrp', { round: 7 }],
  ['not_selected', '.....', { reason: 'integrations_off' }],
  ['delivered', 'aaarp', { round: 1 }],
  ['expired', 'fnfrp', { round: 31 }],
  ['queued', '.....', {}],
  ['stopped', 'flirp', { round: 4 }],
  ['paused', 'ppppp', {}],
  ['rejected', '.....', { reason: 'no_user_anon_id', type: 'track' }],
  ['rejected', '.....', { reason: 'unknown_source', reasonDetail: 'wk_x91', sourceId: null }],
  ['not_selected', '.....', { reason: 'source_destination_off' }],
];

export interface RowOptions {
  hostile: boolean;
  now: number;
  total: number;
}

/** The row of an id; ids count from 1, the newest is `total`. */
export function makeRow(id: number, { hostile, now, total }: RowOptions): MessageRow {
  const [type, name, user] = EVENTS[id % EVENTS.length]!;
  const [state, cells, more] = STATES[(id * 8) % STATES.length]!;
  const receivedAt = now - (total - id) * 2_731 - ((id * 137) % 900);
  const waiting = state === 'retrying';
  const evil = hostile && id % 3 === 0 ? HOSTILE_NAMES[(id / 3) % HOSTILE_NAMES.length]! : null;
  const started = cells !== '.....' && cells !== 'ppppp';
  return {
    id,
    messageId:
      evil !== null && id % 2 === 0
        ? `${evil.slice(0, 200)}-${id}`
        : `c7f2a0d4-6b1e-4c57-9a3d-${id.toString(16).padStart(12, '0')}`,
    sourceId: (id % 3) + 1,
    origin: id % 41 === 0 ? 'composer' : 'sdk',
    type,
    name: evil ?? name,
    userId: user === '' ? null : hostile && id % 5 === 0 ? `user\u202E${'7'.repeat(120)}` : user,
    anonymousId: '5e0c91b7-aa40',
    state,
    reason: null,
    reasonDetail: null,
    receivedAt,
    size: 313 + ((id * 71) % 900),
    round: 0,
    nextDueAt: waiting ? now + ((id % 9) + 1) * 4_000 * 60 : null,
    firstAttemptAt: started ? receivedAt + 19 : null,
    windowEndsAt: started ? receivedAt + 19 + 14_400_000 : null,
    finishedAt: ['delivered', 'failed', 'expired', 'stopped'].includes(state) ? receivedAt + 184 : null,
    cells,
    repeats: id % 17 === 0 ? 2 : 0,
    replays: id % 13 === 0 ? 1 : 0,
    notes:
      id % 12 === 0 ? [{ code: 'integrations_near_miss', field: 'integrations.webhooks', detail: 'Webhooks' }] : [],
    ...more,
  };
}

export const makeSources = (now: number, hostile: boolean): SourceView[] => [
  {
    id: 1,
    name: 'storefront-web',
    writeKey: 'wk_web_51ab',
    kind: 'web',
    enabled: true,
    webhooks: true,
    eventsOff: [],
    createdAt: now - 9e8,
  },
  {
    id: 2,
    name: 'checkout-api',
    writeKey: 'wk_dev_7f3a9c',
    kind: 'server',
    enabled: true,
    webhooks: true,
    eventsOff: [],
    createdAt: now - 8e8,
  },
  {
    id: 3,
    name: 'ios-app',
    writeKey: 'wk_ios_90de',
    kind: 'mobile',
    enabled: true,
    webhooks: false,
    eventsOff: [],
    createdAt: now - 7e8,
  },
  ...(hostile
    ? [
        {
          id: 4,
          name: 'متجر \u202E<b>bold</b> '.repeat(5).slice(0, 100),
          writeKey: 'k'.repeat(200),
          kind: 'server' as const,
          enabled: false,
          webhooks: true,
          eventsOff: ['Heartbeat', 'نبض \u202E<b>x</b>'],
          createdAt: now,
        },
      ]
    : []),
];

const RECENT: Record<string, { outcome: OutcomeName; status: number | null; reason: string | null }> = {
  o: { outcome: 'accepted', status: 200, reason: null },
  x: { outcome: 'failed', status: 503, reason: null },
  t: { outcome: 'timed_out', status: null, reason: null },
  r: { outcome: 'refused_certificate', status: null, reason: 'self_signed' },
  n: { outcome: 'no_connection', status: null, reason: 'connection_refused' },
  d: { outcome: 'declined', status: 410, reason: null },
  m: { outcome: 'declined', status: 302, reason: null },
  l: { outcome: 'throttled', status: 429, reason: null },
  i: { outcome: 'interrupted', status: null, reason: null },
};

const recent = (pattern: string, now: number): RecentAttempt[] =>
  [...pattern].map((mark, i) => ({ ...RECENT[mark]!, at: now - 4_000 - (pattern.length - 1 - i) * 61_000, was: null }));

export const TRUSTED: CertificateView = {
  subject: 'CN=crm.acme.test',
  issuer: 'CN=Acme Issuing CA 3, O=Acme GmbH, C=AT',
  validFrom: '2026-09-04T08:12:00.000Z',
  validTo: '2027-03-03T08:12:00.000Z',
  names: 'DNS:crm.acme.test, DNS:www.crm.acme.test',
  fingerprint256: '9C:41:7E:02:5B:D8:10:66:AF:3E:91:C7:28:F4:0A:BD:73:55:E2:19:84:CB:6D:30:F7:A8:12:9E:44:D1:5C:B0',
};
export const SELF_SIGNED: CertificateView = {
  subject: 'CN=erp.acme.test, O=Acme Legacy GmbH',
  issuer: 'CN=erp.acme.test, O=Acme Legacy GmbH',
  validFrom: '2026-01-14T00:00:00.000Z',
  validTo: '2031-01-13T00:00:00.000Z',
  names: 'DNS:erp.acme.test, DNS:erp',
  fingerprint256: '4E:1B:9A:70:22:C1:5F:0D:88:3A:E7:61:9C:04:D2:B5:7F:60:11:AB:39:CD:58:E0:92:47:6F:13:A8:2C:D4:90',
};
export const EVIL_CERTIFICATE: CertificateView = {
  ...SELF_SIGNED,
  subject: `CN=\u202Etset.emca\u0000<b>${'x'.repeat(1_900)}`,
  names: Array.from({ length: 60 }, (_, i) => `DNS:host-${i}.a-very-long-subdomain.acme.test`).join(', '),
  validTo: 'not a date',
};

export function makeWebhooks(now: number, hostile: boolean): WebhookView[] {
  const hook = (
    slot: number,
    name: string,
    url: string,
    pattern: string,
    more: Partial<WebhookView> = {},
  ): WebhookView => ({
    id: slot + 10,
    slot,
    name,
    url,
    headers: [],
    enabled: true,
    createdAt: now - 9e8,
    recent: recent(pattern, now),
    certificate: null,
    ...more,
  });
  return [
    hook(1, 'CRM sync', 'https://crm.acme.test/hooks/segment', 'oooooxxoooooooooooxxxxoo', {
      certificate: { info: TRUSTED, reason: null, at: now - 4_000 },
      headers: [
        { name: 'X-Tenant', value: 'acme' },
        { name: 'Authorization', hiddenLength: 31 },
      ],
    }),
    hook(2, 'Warehouse loader', 'http://localhost:4010/ingest', 'oooooooottttoooooooooooo'),
    hook(
      3,
      hostile ? HOSTILE_NAMES[0]! : 'Flaky receiver',
      hostile ? `https://long.acme.test/${'segment/'.repeat(240)}end` : 'http://localhost:8766/r/flaky',
      hostile ? 'nndmllioxn' : 'oxxoxooxxoxoxxooxoxxoxox',
      {
        headers: hostile
          ? Array.from({ length: 20 }, (_, i) => ({ name: `X-Header-${i}`, hiddenLength: i * 7 + 1 }))
          : [],
      },
    ),
    hook(4, hostile ? '\u202Eتطبيق ERP' : 'Legacy ERP', 'https://erp.acme.test:8443/webhooks', 'r'.repeat(24), {
      certificate: { info: hostile ? EVIL_CERTIFICATE : SELF_SIGNED, reason: 'self_signed', at: now - 4_000 },
    }),
    hook(5, 'Archive', 'http://localhost:8766/r/slow', '', { enabled: false }),
  ];
}

/** The normalised call and the delivered body of a row, as JSON text. */
export function makeBodies(row: MessageRow, hostile: boolean): { callJson: string; deliveredJson: string } {
  const big = hostile && row.id % 9 === 0;
  const properties = {
    orderId: `A-${10_000 + (row.id % 900)}`,
    total: 184.5,
    currency: 'EUR',
    coupon: 'WINTER & CO',
    items: 3,
    ...(hostile
      ? {
          html: HOSTILE_NAMES[0],
          bidi: HOSTILE_NAMES[1],
          rtl: 'تم إكمال الطلب',
          ...(big ? { blob: 'y'.repeat(28_000) } : {}),
        }
      : {}),
  };
  const context = { ip: '203.0.113.24', library: { name: 'analytics-go', version: '3.3.0' }, locale: 'de-AT' };
  const user = row.userId === null ? { anonymousId: row.anonymousId } : { userId: row.userId };
  const timestamp = new Date(row.receivedAt - 12).toISOString();
  const call = {
    type: row.type,
    messageId: row.messageId,
    event: row.name.slice(0, 4000),
    ...user,
    anonymousId: row.anonymousId,
    properties,
    context,
    timestamp,
    originalTimestamp: timestamp,
    integrations: { All: true },
    receivedAt: new Date(row.receivedAt).toISOString(),
  };
  const delivered = {
    type: row.type,
    event: row.name.slice(0, 4000),
    ...user,
    properties,
    context,
    timestamp,
    version: 1,
  };
  return { callJson: JSON.stringify(call), deliveredJson: JSON.stringify(delivered) };
}
