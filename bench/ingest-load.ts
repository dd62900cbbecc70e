/** Posts batches as fast as they are answered: bytes made once, only the messageIds change. */
import { connect, type Socket } from 'node:net';

/** About 600 bytes, as a server SDK sends it. */
const call = (messageId: string, timestamp: string): unknown => ({
  type: 'track',
  messageId,
  event: 'Order Completed',
  userId: 'usr_0042',
  timestamp,
  properties: {
    n: 42,
    orderId: 'A-42',
    total: 184.5,
    currency: 'EUR',
    coupon: 'WINTER & CO',
    items: 3,
    note: 'x'.repeat(180),
  },
  context: { library: { name: '@segment/analytics-node', version: '3.1.0' }, ip: '203.0.113.24', locale: 'de-AT' },
  integrations: {},
});

const PLACE = '0000000000';
const ANSWER_END = '{"success":true}';

let nextId = 0;

/** One request's bytes, into which new messageIds are written for each sending. */
class Template {
  readonly #bytes: Buffer;
  readonly #places: number[] = [];

  /** Used within five seconds: an older time of sending would be taken for a wrong clock. */
  constructor(batch: number) {
    const now = new Date().toISOString();
    const calls = Array.from({ length: batch }, () => call(`node-next-1763659864000-${PLACE}`, now));
    const body = JSON.stringify({ batch: calls, sentAt: now });
    const lines = [
      'POST /v1/batch HTTP/1.1',
      'Host: localhost',
      `Authorization: Basic ${Buffer.from('bench:').toString('base64')}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    this.#bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
    for (let at = this.#bytes.indexOf(PLACE); at !== -1; at = this.#bytes.indexOf(PLACE, at + PLACE.length)) {
      this.#places.push(at);
    }
  }

  /** The bytes are written again at the next call: the caller has sent them by then. */
  next(): Buffer {
    for (const place of this.#places) {
      nextId += 1;
      this.#bytes.write(String(nextId).padStart(PLACE.length, '0'), place, 'latin1');
    }
    return this.#bytes;
  }
}

/** Requests answered in `ms` milliseconds of wall time, over `connections` connections with one request each at a time. */
export async function load(port: number, batch: number, connections: number, ms: number): Promise<number> {
  let answered = 0;
  const endsAt = performance.now() + ms;
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const template = new Template(batch);
      let received = '';
      const socket: Socket = connect({ port, host: '127.0.0.1' }, () => socket.write(template.next()));
      socket.setNoDelay(true);
      socket.setEncoding('latin1');
      socket.on('data', (text: string) => {
        received += text;
        // The reference answers in chunks.
        if (!received.includes(ANSWER_END)) return;
        if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received));
        if (received.includes('chunked') && !received.endsWith('0\r\n\r\n')) return;
        received = '';
        answered += 1;
        if (performance.now() < endsAt) socket.write(template.next());
        else socket.end();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return answered;
}
