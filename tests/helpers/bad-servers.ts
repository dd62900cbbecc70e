/** Servers whose certificate is refused, and servers where TLS fails. Nothing of a request may reach them. */
import type { TlsOptions } from 'node:tls';
import type { AttemptReason } from '../../src/core/model/attempt.ts';
import {
  type CertificateOptions,
  createSelfSigned,
  daysFromNow,
  issueCertificate,
  type TestAuthority,
  type TestCertificate,
  withRoot,
} from './certificates.ts';

/** `root` is trusted, `stranger` is not. */
export interface Authorities {
  readonly root: TestAuthority;
  readonly stranger: TestAuthority;
}

export interface BadCertificate {
  readonly name: string;
  readonly reason: AttemptReason;
  readonly certificate: (authorities: Authorities) => Promise<TestCertificate>;
}

const issued =
  (options: CertificateOptions = {}) =>
  ({ root }: Authorities): Promise<TestCertificate> =>
    issueCertificate(root, options);
const past = { notBefore: daysFromNow(-3), notAfter: daysFromNow(-2) };
const future = { notBefore: daysFromNow(2), notAfter: daysFromNow(3) };

export const badCertificates: readonly BadCertificate[] = [
  { name: 'a self-signed certificate', reason: 'self_signed', certificate: () => createSelfSigned() },
  { name: 'an expired self-signed certificate', reason: 'self_signed', certificate: () => createSelfSigned(past) },
  {
    name: 'a self-signed root in the chain',
    reason: 'self_signed_in_chain',
    certificate: async ({ stranger }) => withRoot(await issueCertificate(stranger), stranger),
  },
  { name: 'an unknown authority', reason: 'unknown_ca', certificate: ({ stranger }) => issueCertificate(stranger) },
  { name: 'an expired certificate', reason: 'certificate_expired', certificate: issued(past) },
  { name: 'a certificate of tomorrow', reason: 'certificate_not_yet_valid', certificate: issued(future) },
  {
    name: 'a certificate of another host',
    reason: 'wrong_host',
    certificate: issued({ names: ['example.com'], ips: [] }),
  },
];

/** Servers with a good certificate whose handshake fails. */
export const failingHandshakes: ReadonlyArray<{ readonly name: string; readonly tls: TlsOptions }> = [
  { name: 'TLS 1.1', tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } },
  { name: 'no common cipher', tls: { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' } },
  { name: 'a client certificate demanded', tls: { maxVersion: 'TLSv1.2', requestCert: true } },
];
