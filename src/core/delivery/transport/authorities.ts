/** The certificates of a PEM text, for authorities that the user adds. */
import { X509Certificate } from 'node:crypto';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Every readable certificate of the text, in order. */
export function readAuthorities(text: string): string[] {
  return (text.match(PEM_CERTIFICATE) ?? []).filter(isCertificate);
}

/** What is wrong with a text of certificates, or null. */
export function authoritiesProblem(text: string): string | null {
  const blocks = text.match(PEM_CERTIFICATE) ?? [];
  if (blocks.length === 0) return 'The file holds no PEM certificate.';
  const bad = blocks.findIndex((pem) => !isCertificate(pem));
  return bad < 0 ? null : `Certificate ${bad + 1} of the file cannot be read.`;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
