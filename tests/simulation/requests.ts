/** What SDKs send to a world: request bytes like those of real SDKs, and the expected result of each. */
import { gzipSync } from 'node:zlib';
import type { IngestRequest } from '../../src/core/ingest/request.ts';
import type { Header } from '../../src/core/model/header.ts';
import type { Dice } from './dice.ts';

export const WRITE_KEY = 'wk_sim_main';

/** One call of a request. `mark` is in its user id and so in its delivered bytes. */
export interface SentCall {
  readonly messageId: string;
  readonly mark: string;
}

export interface SentRequest {
  readonly name: string;
  readonly request: IngestRequest;
  readonly calls: readonly SentCall[];
}

type Json = Readonly<Record<string, unknown>>;

/** Draws requests one by one, and remembers them so that some come twice. */
export class Producer {
  readonly #dice: Dice;
  readonly #sent: SentRequest[] = [];
  #count = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  next(wall: number): SentRequest {
    const made = this.#draw(wall);
    this.#sent.push(made);
    return made;
  }

  #draw(wall: number): SentRequest {
    const dice = this.#dice;
    const kind = dice.below(20);
    if (kind < 3 && this.#sent.length > 0) return { ...dice.pick(this.#sent), name: 'again' };
    if (kind < 8) return this.#batch(wall);
    if (kind === 8) return this.#rejected(wall);
    if (kind === 9) return this.#unknownKey(wall);
    if (kind === 10) return this.#notSelected(wall);
    if (kind === 11) return this.#nonsense();
    return this.#single(wall);
  }

  #single(wall: number): SentRequest {
    const type = this.#dice.pick(['track', 'track', 'track', 'identify', 'page', 'screen', 'group', 'alias'] as const);
    const { body, call } = this.#call(type, wall);
    return post(type, `/v1/${type}`, { ...body, type: undefined }, [call], this.#dice.chance(0.1));
  }

  #batch(wall: number): SentRequest {
    const n = this.#dice.between(2, 5);
    const made = Array.from({ length: n }, () => this.#call(this.#dice.pick(['track', 'identify', 'page']), wall));
    const body = { batch: made.map((one) => one.body), sentAt: new Date(wall).toISOString() };
    return post(
      'batch',
      '/v1/batch',
      body,
      made.map((one) => one.call),
      this.#dice.chance(0.1),
    );
  }

  /** Good calls beside a bad one: the good ones are kept. */
  #rejected(wall: number): SentRequest {
    const good = this.#call('track', wall);
    const bad = this.#call('track', wall);
    const broken = this.#dice.chance(0.5)
      ? { ...bad.body, event: undefined }
      : { ...bad.body, userId: undefined, anonymousId: undefined };
    return post('rejected', '/v1/batch', { batch: [good.body, broken] }, [good.call, bad.call], false);
  }

  #unknownKey(wall: number): SentRequest {
    const { body, call } = this.#call('track', wall);
    return post('unknownKey', '/v1/track', body, [call], false, `wk_nobody_${this.#dice.below(3)}`);
  }

  #notSelected(wall: number): SentRequest {
    const { body, call } = this.#call('track', wall);
    const integrations = this.#dice.chance(0.5) ? { All: false } : { Webhooks: false };
    return post('notSelected', '/v1/track', { ...body, integrations }, [call], false);
  }

  #nonsense(): SentRequest {
    const text = this.#dice.pick(['{"userId":', '', '[]', '"x"', '{"batch":[]}', '{"a":1}x']);
    return { name: 'nonsense', request: requestOf('/v1/batch', Buffer.from(text), WRITE_KEY, false), calls: [] };
  }

  #call(type: string, wall: number): { body: Json; call: SentCall } {
    this.#count += 1;
    const mark = `u-${this.#count}-`;
    const messageId = `sim-${this.#count}`;
    const who = this.#dice.chance(0.8) ? { userId: mark } : { anonymousId: mark };
    const body = {
      type,
      messageId,
      timestamp: new Date(wall - this.#dice.below(5_000)).toISOString(),
      context: { library: { name: 'sim', version: '1.0.0' } },
      ...(type === 'alias' ? { userId: mark, previousId: `anon-${this.#count}` } : who),
      ...this.#fieldsOf(type),
    };
    return { body, call: { messageId, mark } };
  }

  #fieldsOf(type: string): Json {
    const plan = this.#dice.pick(['pro', 'free', 'größer', '\u2028', '__proto__']);
    switch (type) {
      case 'track':
        return {
          event: this.#dice.pick(['Signed Up', 'Order Completed', 'Бронь']),
          properties: { plan, n: this.#count },
        };
      case 'identify':
        return { traits: { plan, email: `${this.#count}@example.test` } };
      case 'page':
      case 'screen':
        return { name: 'Home', properties: { plan } };
      case 'group':
        return { groupId: `g-${this.#count}`, traits: { plan } };
      default:
        return {};
    }
  }
}

function post(
  name: string,
  path: string,
  body: Json,
  calls: readonly SentCall[],
  gzip: boolean,
  key = WRITE_KEY,
): SentRequest {
  return { name, request: requestOf(path, Buffer.from(JSON.stringify(body)), key, gzip), calls };
}

function requestOf(target: string, body: Buffer, key: string, gzip: boolean): IngestRequest {
  const headers: Header[] = [
    ['Host', '127.0.0.1:8765'],
    ['Content-Type', 'application/json'],
    ['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['User-Agent', 'analytics-node/2.2.1'],
  ];
  if (gzip) headers.push(['Content-Encoding', 'gzip']);
  return { method: 'POST', target, headers, body: gzip ? gzipSync(body) : body, remote: '127.0.0.1' };
}
