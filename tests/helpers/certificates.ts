import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as unknown as Crypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** A certificate with its key, as node:tls takes them. `cert` holds the chain when there is one. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestAuthority extends TestCertificate {
  readonly certificate: x509.X509Certificate;
  readonly keys: CryptoKeyPair;
}

export interface CertificateOptions {
  readonly commonName?: string;
  /** DNS names, by default `localhost`. */
  readonly names?: readonly string[];
  /** IP addresses, by default 127.0.0.1 and ::1. */
  readonly ips?: readonly string[];
  /** By default from yesterday to tomorrow. */
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A self-signed root authority. */
export async function createAuthority(commonName = 'Hookbench Test Root'): Promise<TestAuthority> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(),
    ...validity({}),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys, cert: certificate.toString('pem'), key: await privateKeyPem(keys) };
}

/** A server certificate that `authority` vouches for. */
export async function issueCertificate(
  authority: TestAuthority,
  options: CertificateOptions = {},
): Promise<TestCertificate> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: subjectOf(options),
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(),
    ...validity(options),
    extensions: [
      ...leafExtensions(options),
      await x509.AuthorityKeyIdentifierExtension.create(authority.keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys) };
}

/** A self-signed server certificate. */
export async function createSelfSigned(options: CertificateOptions = {}): Promise<TestCertificate> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: subjectOf(options),
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(),
    ...validity(options),
    extensions: leafExtensions(options),
  });
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys) };
}

/** `certificate` followed by its authority, as a misconfigured server sends it. */
export function withRoot(certificate: TestCertificate, authority: TestAuthority): TestCertificate {
  return { cert: `${certificate.cert}\n${authority.cert}`, key: certificate.key };
}

export const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

function subjectOf({ commonName = 'localhost' }: CertificateOptions): string {
  return `CN=${commonName}`;
}

function validity({ notBefore = daysFromNow(-1), notAfter = daysFromNow(1) }: CertificateOptions): {
  notBefore: Date;
  notAfter: Date;
} {
  return { notBefore, notAfter };
}

function leafExtensions({ names = ['localhost'], ips = ['127.0.0.1', '::1'] }: CertificateOptions): x509.Extension[] {
  const alternatives = [
    ...names.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  return [
    new x509.BasicConstraintsExtension(false),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
  ];
}

function newKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

async function privateKeyPem(keys: CryptoKeyPair): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}

/** A leading zero keeps the number positive. */
function serialNumber(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex')}`;
}
