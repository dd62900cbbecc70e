/** Fake receivers for the fake engine: the built-in set with hits, and commands that change it. */
import type { Handlers } from '../../src/contract/channel.ts';
import { ContractError } from '../../src/contract/errors.ts';
import type {
  HitDetail,
  HitView,
  ReceiverListenerView,
  ReceiversView,
  ReceiverView,
  RecentHit,
  receiverCommands,
  SignatureVerdict,
} from '../../src/contract/receivers.ts';
import type { WebhookView } from '../../src/contract/values.ts';
import { BUILT_IN } from '../../src/core/receivers/built-in.ts';
import { slugOf } from '../../src/core/receivers/slug.ts';

export interface FakeReceiversOptions {
  readonly now: () => number;
  readonly hostile: boolean;
  readonly fresh: boolean;
  push(receivers: ReceiversView): void;
  addWebhook(name: string, url: string): WebhookView;
}

const LISTENING: ReceiverListenerView = { state: 'listening', port: 8766, message: null, holder: null };

/** Hits, strip and verdict as in the mock-up. */
const DRAWN: Record<string, { hits: number; strip: string; verdict: SignatureVerdict | null }> = {
  ok: { hits: 418, strip: 'oooooooooooooooooooo', verdict: 'verified' },
  flaky: { hits: 96, strip: 'xxxoxxxoxxxoxxxoxxxo', verdict: 'verified' },
  '500': { hits: 38, strip: 'xxxxxxxxxxxxxxxxxxxx', verdict: 'verified' },
  slow: { hits: 21, strip: 'ooooooooooooooooo', verdict: 'verified' },
  timeout: { hits: 14, strip: 'tttttttttttttt', verdict: 'verified' },
  redirect: { hits: 6, strip: 'rrrrrr', verdict: 'verified' },
  badsig: { hits: 12, strip: 'uuuuuuuuuuuu', verdict: 'mismatch' },
};
const OUTCOMES: Record<string, Pick<RecentHit, 'status' | 'answer'>> = {
  o: { status: 200, answer: 'status' },
  x: { status: 500, answer: 'status' },
  t: { status: null, answer: 'hang' },
  r: { status: 302, answer: 'redirect' },
  u: { status: 401, answer: 'signature' },
};
const NAMES = ['Order Completed', 'Order Summary', 'Payment Method Added', 'Checkout / Review', 'email, name, locale'];
const HOSTILE_NAMES = [
  `<img src=x onerror=alert(1)>${'W'.repeat(400)}`,
  'left\u202Eright\u200B zero\u0007bell',
  'تم إكمال الطلب',
  '🚀'.repeat(40),
];

/** Listening, with nothing received, for tests of the shells. */
export const quietReceivers = (): ReceiversView => ({
  http: { ...LISTENING, state: 'off' },
  https: { ...LISTENING, state: 'off', port: 8767 },
  entries: [],
});

export function createFakeReceivers(options: FakeReceiversOptions) {
  const { now, hostile, fresh, push } = options;
  const startedAt = now();
  let http: ReceiverListenerView = LISTENING;
  let https: ReceiverListenerView = { ...LISTENING, port: 8767 };
  let entries: ReceiverView[] = BUILT_IN.map((receiver) => drawn(receiver.id));
  const cleared = new Set<string>();

  function drawn(id: string): ReceiverView {
    const receiver = BUILT_IN.find((one) => one.id === id)!;
    const { hits, strip, verdict } = fresh
      ? { hits: 0, strip: '', verdict: null }
      : (DRAWN[id] ?? { hits: 0, strip: '', verdict: null });
    return {
      ...(structuredClone(receiver) as Pick<ReceiverView, 'id' | 'name' | 'tls' | 'steps' | 'check'>),
      builtIn: true,
      edited: false,
      url: null,
      hits,
      recent: [...strip].map((mark, i) => ({ ...OUTCOMES[mark]!, at: startedAt - 1_000 * (strip.length - i) })),
      position: id === 'flaky' ? { step: 0, hit: 1 } : { step: 0, hit: 0 },
      verdict,
    };
  }
  if (hostile)
    entries.push({
      ...drawn('ok'),
      id: 'x'.repeat(60),
      name: 'left\u202Eright\u200B <b>bold</b> '.repeat(4).trim(),
      builtIn: false,
      steps: Array.from({ length: 20 }, (_unused, i) => ({
        response: { kind: 'status' as const, status: 100 + i * 40, headers: [], body: '\u0000' },
        times: i % 2 === 0 ? (10_000 as const) : ('forever' as const),
        delayMs: 60_000,
      })),
    });

  const view = (): ReceiversView => ({
    http,
    https,
    entries: entries.map((entry) => {
      const { state, port } = entry.tls ? https : http;
      const scheme = entry.tls ? 'https' : 'http';
      return { ...entry, url: state === 'listening' ? `${scheme}://localhost:${port}/r/${entry.id}` : null };
    }),
  });
  const tell = (): void => push(view());
  const get = (id: string): ReceiverView => {
    const found = view().entries.find((entry) => entry.id === id);
    if (found === undefined) throw new ContractError('receiver_not_found');
    return found;
  };
  const change = (id: string, part: Partial<ReceiverView>): ReceiverView => {
    get(id);
    entries = entries.map((entry) => (entry.id === id ? { ...entry, ...part } : entry));
    tell();
    return get(id);
  };
  const hit = (entry: ReceiverView, n: number): HitView => {
    const outcome = entry.recent.at(-1 - ((entry.hits - n) % 20)) ?? OUTCOMES.o!;
    const names = hostile ? HOSTILE_NAMES : NAMES;
    return {
      id: n,
      receiver: entry.id,
      at: startedAt - (entry.hits - n) * 4_107,
      method: 'POST',
      path: `/r/${entry.id}`,
      type: n % 5 === 4 ? 'identify' : 'track',
      name: names[n % names.length]!,
      status: outcome.status,
      answer: outcome.answer,
      verdict: entry.verdict,
      reserialises: n % 7 !== 0,
      bodyBytes: 313,
      durationMs: 41.2,
      gone: false,
    };
  };

  const handlers: Pick<Handlers, keyof typeof receiverCommands> = {
    'receivers.list': view,
    'receivers.save': ({ id, ...edit }) => {
      if (id !== undefined) return change(id, { ...edit, edited: get(id).builtIn, position: { step: 0, hit: 0 } });
      const made = { ...drawn('gone'), ...edit, id: slugOf(edit.name), builtIn: false };
      entries = [...entries, made];
      tell();
      return get(made.id);
    },
    'receivers.remove': ({ id }) => {
      if (get(id).builtIn) throw new ContractError('receiver_built_in');
      entries = entries.filter((entry) => entry.id !== id);
      tell();
      return null;
    },
    'receivers.reset': ({ id }) => change(id, drawn(id)),
    'receivers.restart': ({ id }) => {
      change(id, { position: { step: 0, hit: 0 } });
      return null;
    },
    'receivers.clear': ({ id }) => {
      cleared.add(id);
      change(id, { hits: 0, recent: [], verdict: null });
      return null;
    },
    'receivers.hits': ({ id, before, limit }) => {
      const entry = get(id);
      const kept = Math.min(entry.hits, 1_000);
      const top = Math.min(entry.hits, (before ?? Number.MAX_SAFE_INTEGER) - 1);
      const rows: HitView[] = [];
      for (let n = top; n > entry.hits - kept && rows.length < limit; n -= 1) rows.push(hit(entry, n));
      const last = rows.at(-1)?.id ?? 0;
      return { rows, kept, nextBefore: last > entry.hits - kept + 1 ? last : null };
    },
    'receivers.hit': ({ id, hit: n }): HitDetail => {
      const entry = get(id);
      if (n > entry.hits) throw new ContractError('hit_not_found');
      const body = JSON.stringify({ version: 1, type: 'track', event: hit(entry, n).name, userId: 'usr_8f21' });
      return {
        ...hit(entry, n),
        headers: [
          { name: 'Host', value: 'localhost:8766' },
          { name: 'User-Agent', value: 'Hookbench/1.0' },
          { name: 'X-Signature', value: '9c1185a5c5e9fc54612808977ee8f548b2258d31' },
        ],
        bodyBase64: Buffer.from(body).toString('base64'),
        bodyCut: false,
      };
    },
    'receivers.useAsWebhook': ({ id }) => {
      const { name, url } = get(id);
      if (url === null) throw new ContractError('receivers_off');
      return options.addWebhook(name, url);
    },
    'receivers.listen': ({ port, httpsPort }) => {
      if (port !== undefined) http = { ...LISTENING, port };
      if (httpsPort !== undefined) https = { ...LISTENING, port: httpsPort };
      tell();
      return view();
    },
  };
  return {
    handlers,
    view,
    /** Adds a hit to a receiver. */
    receive: (id: string): void => {
      const entry = get(id);
      const one = { ...OUTCOMES.o!, at: now() };
      change(id, { hits: entry.hits + 1, recent: [...entry.recent, one].slice(-20), verdict: 'verified' });
    },
    setListeners: (part: { http?: Partial<ReceiverListenerView>; https?: Partial<ReceiverListenerView> }): void => {
      http = { ...http, ...part.http };
      https = { ...https, ...part.https };
      tell();
    },
  };
}
export type FakeReceivers = ReturnType<typeof createFakeReceivers>;
