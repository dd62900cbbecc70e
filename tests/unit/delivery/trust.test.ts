/** Whom we trust: the authorities that TLS is given. */
import { rootCertificates } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { createTrust } from '../../../src/core/delivery/transport/certificate.ts';

const fakes = vi.hoisted(() => ({ contexts: [] as unknown[], system: (_kind: string): string[] => [] }));
vi.mock('node:tls', async (original) => {
  const real = await original<typeof import('node:tls')>();
  return {
    ...real,
    default: { getCACertificates: (kind: string) => fakes.system(kind) },
    createSecureContext: (options: unknown) => fakes.contexts.push(options),
  };
});

test('are the bundled ones, those of the system and our own, each once, for TLS 1.2 and later', () => {
  fakes.system = (kind) => [kind, rootCertificates[0]!];
  createTrust(['own', 'system']);
  expect(fakes.contexts.pop()).toEqual({ ca: [...rootCertificates, 'system', 'own'], minVersion: 'TLSv1.2' });
});

test('are the others where those of the system cannot be read', () => {
  fakes.system = () => {
    throw new Error('There is no such list.');
  };
  createTrust(['own']);
  expect(fakes.contexts.pop()).toEqual({ ca: [...rootCertificates, 'own'], minVersion: 'TLSv1.2' });
});
