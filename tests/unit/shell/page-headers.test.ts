import { expect, test } from 'vitest';
import { openerPolicy, pageHeaders } from '../../../src/shell/page-headers.ts';

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

test('a Chromium that knows it gets the policy with which it keeps compiled code; every other browser gets same-origin', () => {
  const brands = (version: number) => `"Not)A;Brand";v="24", "Chromium";v="${version}", "Google Chrome";v="${version}"`;
  expect(openerPolicy(brands(131))).toBe('noopener-allow-popups');
  expect(openerPolicy(brands(156))).toBe('noopener-allow-popups');
  expect(openerPolicy(brands(130))).toBe('same-origin');
  expect(openerPolicy('"Not Chromium";v="200"')).toBe('same-origin');
  expect(openerPolicy(undefined)).toBe('same-origin');
  expect(pageHeaders('N', [], 'noopener-allow-popups')['Cross-Origin-Opener-Policy']).toBe('noopener-allow-popups');
});
