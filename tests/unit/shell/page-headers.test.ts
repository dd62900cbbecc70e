import { expect, test } from 'vitest';
import { newNonce, openerPolicy, pageHeaders } from '../../../src/shell/page-headers.ts';

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

test('a page connects to nothing but its own origin unless it is told to', () => {
  expect(pageHeaders('N')['Content-Security-Policy']?.split('; ')).toContain("connect-src 'self'");
});

test('each page has a nonce of its own, of 128 bits', () => {
  const nonces = Array.from({ length: 20 }, newNonce);
  expect(new Set(nonces).size).toBe(20);
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
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
