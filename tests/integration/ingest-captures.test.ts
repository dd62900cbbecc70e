/** What real clients sent, replayed byte for byte in method, path, headers and body. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parsedViewOf } from '../../src/core/ingest/parsed-view.ts';
import { send, startIngest, stopAll } from '../helpers/ingest-http.ts';
import { sourceWith, textOf } from '../helpers/ingest-parts.ts';

afterEach(stopAll);

interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: unknown;
}
interface Capture {
  readonly client: string;
  readonly captures: readonly { readonly scenario: string; readonly requests: readonly CapturedRequest[] }[];
}

const files = ['analytics-go-v2', 'analytics-node-next', 'analytics-next-browser'];
const KEYS = ['WK_go2', 'WK_node', 'WK_br'];

const requests = files.flatMap((file) => {
  const path = new URL(`../fixtures/wire/${file}.json`, import.meta.url);
  const capture = JSON.parse(readFileSync(path, 'utf8')) as Capture;
  return capture.captures.flatMap(({ scenario, requests: all }) =>
    all.map((request, at) => ({ name: `${file}: ${scenario} (${at + 1})`, request })),
  );
});
// The assertion of the token request is not in the capture; ingest-service-routes has one.
const toIngest = requests.filter(({ request }) => request.path !== '/token');

const bodyOf = (request: CapturedRequest) => (request.body === undefined ? undefined : JSON.stringify(request.body));

const callsIn = (body: unknown): object[] => {
  const { batch } = body as { batch?: object[] | null };
  return batch === undefined ? [body as object] : (batch ?? []);
};

describe('what real clients send', () => {
  it('is all here', () => {
    expect(toIngest.length).toBeGreaterThan(15);
  });

  it.each(toIngest)('$name', async ({ request }) => {
    const ingest = await startIngest();
    ingest.sources.push(...KEYS.map((writeKey, at) => sourceWith({ id: at + 10, writeKey })));
    const body = bodyOf(request);
    const headers = request.headers.flatMap(([name, value]) =>
      name.toLowerCase() === 'content-length'
        ? [name, String(Buffer.byteLength(body ?? ''))]
        : [name, value.replace('PORT', '8765')],
    );
    const answer = await send(ingest.port, { method: request.method, path: request.path, headers, body });
    expect(answer.status).toBe(request.method === 'OPTIONS' ? 204 : 200);
    if (request.method !== 'POST' || request.path === '/v1/m') {
      expect(ingest.store.kept).toEqual([]);
      return;
    }
    expect(answer.body.toString()).toBe('{"success":true}');
    const { request: stored, messages } = ingest.store.kept[0]!;
    expect(stored.sourceId).not.toBeNull();
    const calls = callsIn(request.body);
    if (calls.length === 0) {
      expect(messages).toMatchObject([{ state: 'rejected', reason: 'empty_batch' }]);
      return;
    }
    expect(messages).toHaveLength(calls.length);
    messages.forEach((message, position) => {
      const call = calls[position] as Record<string, unknown>;
      expect(message).toMatchObject({ state: 'queued', reason: null, type: call.type, messageId: call.messageId });
      const wire = JSON.parse(textOf(message.wire));
      expect(JSON.stringify(wire)).toBe(textOf(message.wire));
      expect(wire).toMatchObject({ type: call.type, version: 1 });
      if (call.properties !== undefined && call.type !== 'identify') expect(wire.properties).toEqual(call.properties);
      expect(wire.context.library.name).toMatch(/^(analytics-go|@segment\/analytics-node|analytics\.js)$/);
      const isBrowser = wire.context.library.name === 'analytics.js';
      expect(wire.context.ip === '127.0.0.1').toBe(isBrowser);
      const view = JSON.parse(parsedViewOf({ ...stored, ...message }) ?? 'null');
      expect(view).toMatchObject({ messageId: call.messageId, timestamp: wire.timestamp, context: wire.context });
      expect(view.writeKey).toBeUndefined();
    });
  });
});
