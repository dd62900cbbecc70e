import { randomBytes } from 'node:crypto';

/** A fresh style nonce: 128 bits as base64. */
export const newNonce = (): string => randomBytes(16).toString('base64');

type OpenerPolicy = 'same-origin' | 'noopener-allow-popups';

/** The first Chromium that knows `noopener-allow-popups`. Browsers that do not know a value take it for none. */
const CHROMIUM_WITH_NOOPENER = 131;

/**
 * Both values cut the page off from whoever opened it. But Chromium does not take a page's scripts from its cache of
 * compiled code when the page comes into a new tab with `same-origin`, and then takes twice as long to the first row.
 * `brands` is the header `Sec-CH-UA`, which only Chromium sends.
 */
export function openerPolicy(brands: string | undefined): OpenerPolicy {
  const version = Number(/"Chromium";v="(\d{1,4})"/.exec(brands ?? '')?.[1] ?? 0);
  return version >= CHROMIUM_WITH_NOOPENER ? 'noopener-allow-popups' : 'same-origin';
}

/**
 * The headers of every answer of either shell, found or not (reliability, section 6). Only our own files may bring
 * scripts; injected styles need the nonce of the page.
 */
export function pageHeaders(
  nonce: string,
  connect: readonly string[] = [],
  opener: OpenerPolicy = 'same-origin',
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': opener,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  };
}
