import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/contract/config.ts';

const problem = (value: unknown): string => {
  const parsed = parseConfig(typeof value === 'string' ? value : JSON.stringify(value));
  return parsed.ok ? 'ok' : `${parsed.error.code} ${parsed.error.path}`;
};

test('names, keys and URLs are enough; the rest has defaults', () => {
  const parsed = parseConfig(
    JSON.stringify({
      sources: [{ name: 'a', writeKey: 'k' }],
      webhooks: { entries: [{ name: 'w', url: 'http://localhost:1/' }], retry: {} },
    }),
  );
  expect(parsed).toEqual({
    ok: true,
    config: {
      sources: [{ name: 'a', writeKey: 'k', kind: 'server', enabled: true, webhooks: true }],
      webhooks: {
        entries: [{ name: 'w', url: 'http://localhost:1/', headers: {}, enabled: true }],
        retry: { baseMs: 10_000, factor: 2, maxMs: 1_200_000, windowMs: 14_400_000, jitter: 0.2, seed: 1 },
      },
    },
  });
});

test.each([
  [{ sources: [{ name: 'a' }] }, 'config_invalid sources[0].writeKey'],
  [{ sources: [{ name: 'a', writeKey: 'k', kind: 'robot' }] }, 'config_invalid sources[0].kind'],
  [{ sources: [{ name: 'a', writeKey: 'a:b' }] }, 'config_invalid sources[0].writeKey'],
  [{ webhooks: { timeoutMs: 500 } }, 'config_invalid webhooks.timeoutMs'],
  [{ webhooks: { profile: 'mine' } }, 'config_invalid webhooks.profile'],
  [{ webhooks: { retryOn: ['accepted'] } }, 'config_invalid webhooks.retryOn[0]'],
  [{ webhooks: { userAgent: 'a\r\nb' } }, 'config_invalid webhooks.userAgent'],
  [{ webhooks: { retry: { jitter: 2 } } }, 'config_invalid webhooks.retry.jitter'],
  [
    { webhooks: { entries: [{ name: 'w', url: 'http://x/', headers: { a: 1 } }] } },
    'config_invalid webhooks.entries[0].headers.a',
  ],
  [{ webhooks: { entries: Array(6).fill({ name: 'w', url: 'http://x/' }) } }, 'config_invalid webhooks.entries'],
  [{ ingest: { port: 70_000 } }, 'config_invalid ingest.port'],
  [{ ingest: { prot: 1 } }, 'config_invalid ingest.prot'],
  [{ clock: { speed: 3 } }, 'config_invalid clock.speed'],
  [{ surprise: true }, 'config_invalid surprise'],
  ['[]', 'config_invalid '],
  ['{"a":', 'config_not_json '],
])('%j is refused at %s', (config, expected) => {
  expect(problem(config)).toBe(expected);
});
