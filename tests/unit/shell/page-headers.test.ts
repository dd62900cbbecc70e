import { expect, test } from 'vitest';
import { pageHeaders } from '../../../src/shell/page-headers.ts';

/** Written out, so that no source can be let in unseen. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-N'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' ws://127.0.0.1:1",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

test('the policy and the other headers are these and no others', () => {
  const { 'Content-Security-Policy': policy, ...others } = pageHeaders('N', ['ws://127.0.0.1:1']);
  expect(policy?.split('; ')).toEqual(POLICY);
  expect(others).toEqual({
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  });
});

test('scripts come from our own files alone: nothing inline, evaluated, or of another place', () => {
  const policy = pageHeaders('N')['Content-Security-Policy'] ?? '';
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
  expect(policy).not.toMatch(/unsafe|\*|https?:|blob:/);
});
