import type { X509Certificate } from 'node:crypto';
import tls, { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { AttemptReason, CertificateInfo } from '../../model/attempt.ts';
import type { Failure } from './failures.ts';
import { codeOf, detailOf } from './failures.ts';

const MAX_NAME_LENGTH = 2000;

/** Verification results of OpenSSL and Node, as they are spelled in `error.code`. */
const REASON_OF_VERIFICATION: Readonly<Record<string, AttemptReason>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self_signed_in_chain',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_ca',
  CERT_UNTRUSTED: 'unknown_ca',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_host',
  HOSTNAME_MISMATCH: 'wrong_host',
};

/**
 * Whether a certificate vouches for itself: issuer and subject are the same and its own key made its signature
 * (delivery specification, section 5). True even for one in a trust list: such a certificate must be refused as well.
 */
export function isSelfSigned(certificate: X509Certificate): boolean {
  if (certificate.issuer !== certificate.subject) return false;
  try {
    return certificate.verify(certificate.publicKey);
  } catch {
    // We cannot check a key of this kind, and nobody else vouches for it.
    return true;
  }
}

/** The failure for a certificate that was refused. `error` is the verification's error, if it gave one. */
export function refusedCertificate(certificate: X509Certificate | undefined, error: unknown): Failure {
  // Checked first: a self-signed certificate is refused for being self-signed, expired or not.
  const selfSigned = certificate !== undefined && isSelfSigned(certificate);
  const reason = selfSigned ? 'self_signed' : (REASON_OF_VERIFICATION[codeOf(error)] ?? 'certificate_invalid');
  const detail = error ? detailOf(error) : 'The certificate is self-signed; a trust list does not change that.';
  return { outcome: 'refused_certificate', reason, detail };
}

export function certificateInfo(certificate: X509Certificate): CertificateInfo {
  return {
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    validFrom: isoDate(certificate.validFrom),
    validTo: isoDate(certificate.validTo),
    names: nameText(certificate.subjectAltName),
    fingerprint256: certificate.fingerprint256,
  };
}

function nameText(text: string | undefined): string {
  return (text ?? '').replace(/\n/g, ', ').slice(0, MAX_NAME_LENGTH);
}

function isoDate(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/**
 * The authorities that we trust: Node's bundled list, the system's where available, and the user's own. The list is
 * always explicit, so that NODE_EXTRA_CA_CERTS and the like add none. All connections share one context, because
 * building it parses several hundred certificates.
 */
export function createTrust(ownAuthorities: readonly string[]): SecureContext {
  const ca = [...new Set([...rootCertificates, ...systemCertificates(), ...ownAuthorities])];
  return createSecureContext({ ca, minVersion: 'TLSv1.2' });
}

function systemCertificates(): string[] {
  try {
    // Accessed through the object, so that this file also loads on a runtime without the function.
    return tls.getCACertificates('system');
  } catch {
    return [];
  }
}
