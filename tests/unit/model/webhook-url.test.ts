import { describe, expect, it } from 'vitest';
import { MAX_WEBHOOK_URL_LENGTH, readWebhookUrl } from '../../../src/core/model/webhook-url.ts';

describe('a webhook URL', () => {
  it.each([
    ['http://example.com', 'http://example.com/'],
    ['HTTPS://Example.COM:443/Path?q=1', 'https://example.com/Path?q=1'],
    ['  http://localhost:3000/hook ', 'http://localhost:3000/hook'],
    ['http://[::1]:80/a/../b', 'http://[::1]/b'],
    ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['https://example.com/?a=b%20c&d', 'https://example.com/?a=b%20c&d'],
  ])('%s becomes %s', (input, url) => {
    expect(readWebhookUrl(input)).toEqual({ ok: true, url });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['example.com/hook', 'not_http'],
    ['ftp://example.com/', 'not_http'],
    ['file:///etc/passwd', 'not_http'],
    ['javascript:alert(1)', 'not_http'],
    ['http:example.com', 'not_http'],
    ['see http://example.com/', 'not_a_url'],
    ['x-http://example.com/', 'not_http'],
    ['https://:pass@example.com/', 'credentials'],
    ['//example.com/', 'not_http'],
    ['http://', 'not_a_url'],
    ['http://exa mple.com/', 'not_a_url'],
    ['http://example.com/\r\nX: y', 'not_a_url'],
    ['http://example.com:99999/', 'not_a_url'],
    ['http://[::1/', 'not_a_url'],
    ['http://example.com:0/', 'bad_port'],
    ['https://user:pass@example.com/', 'credentials'],
    ['https://user@example.com/', 'credentials'],
    ['https://example.com@evil.example/', 'credentials'],
  ])('%j is refused as %s', (input, code) => {
    expect(readWebhookUrl(input)).toMatchObject({
      ok: false,
      problem: { code, message: expect.stringMatching(/\.$/) },
    });
  });

  it('has at most 4,096 characters, also once escaped', () => {
    const base = 'http://example.com/';
    const fits = base + 'a'.repeat(MAX_WEBHOOK_URL_LENGTH - base.length);
    expect(readWebhookUrl(fits)).toEqual({ ok: true, url: fits });
    expect(readWebhookUrl(`${fits}a`)).toMatchObject({ problem: { code: 'too_long' } });
    expect(readWebhookUrl(base + 'é'.repeat(1000))).toMatchObject({
      problem: { code: 'too_long', message: 'A URL can have at most 4096 characters.' },
    });
    // Too long before it is looked at, whatever else is wrong with it.
    expect(readWebhookUrl('x'.repeat(4097))).toMatchObject({ problem: { code: 'too_long' } });
  });
});

describe('a URL that leads back to Hookbench', () => {
  const own = [8765, 80];

  it.each([
    'http://127.0.0.1:8765/v1/track',
    'http://localhost:8765/',
    'http://LOCALHOST.:8765/',
    'http://app.localhost:8765/',
    'http://127.1.2.3:8765/',
    'http://127.100.200.250:8765/',
    'http://[::ffff:127.100.200.250]:8765/',
    'http://0.0.0.0:8765/',
    'http://0:8765/',
    'http://2130706433:8765/',
    'http://0x7f000001:8765/',
    'http://[::1]:8765/',
    'http://[::]:8765/',
    'http://[::ffff:127.0.0.1]:8765/',
    'http://[::127.0.0.1]:8765/',
    'https://localhost:8765/',
    'http://localhost/',
  ])('%s is a loop', (input) => {
    const message = 'This URL is Hookbench itself; its messages would go in circles.';
    expect(readWebhookUrl(input, own)).toEqual({ ok: false, problem: { code: 'loop', message } });
  });

  it.each([
    'http://127.0.0.1:3000/',
    'http://example.com:8765/',
    'https://localhost/',
    'http://128.0.0.1:8765/',
    'http://localhost.example.com:8765/',
    'http://127.0.0.1.example.com:8765/',
    'http://[2001:db8::7f00:1]:8765/',
    'http://x127.0.0.1.example:8765/',
    'http://10.127.0.0.1.example:8765/',
    'http://[::7f00:1:2]:8765/',
    'http://[::1:7f00:1]:8765/',
  ])('%s is not', (input) => {
    expect(readWebhookUrl(input, own)).toMatchObject({ ok: true });
  });
});
