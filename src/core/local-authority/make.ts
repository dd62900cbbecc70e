/**
 * Makes the certificates of the local authority. It is loaded only when one is needed, because its library is large
 * and the start must not wait for it.
 */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as unknown as Crypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** How far the clock of a client may be behind for it to accept the certificate. */
const BACKDATED_MS = DAY_MS;
export const AUTHORITY_DAYS = 730;
export const LEAF_DAYS = 90;

/** PEM, as node:tls takes them. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority that can vouch for localhost, 127.0.0.1 and ::1 and for nothing else. `now` in epoch milliseconds. */
export async function makeAuthority(now: number): Promise<KeyedCertificate> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The date tells two authorities apart in a list of trusted ones.
    name: `CN=Hookbench local authority ${new Date(now).toISOString().slice(0, 10)}, O=Hookbench`,
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(),
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.Extension('2.5.29.30', true, localhostOnly()),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await pemOf(keys) };
}

/** A server certificate for localhost that `authority` vouches for; `cert` holds it alone. */
export async function issueLeaf(authority: KeyedCertificate, now: number): Promise<KeyedCertificate> {
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost, O=Hookbench',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    signingAlgorithm: ALGORITHM,
    serialNumber: serialNumber(),
    notBefore: new Date(Math.max(now - BACKDATED_MS, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(now + LEAF_DAYS * DAY_MS, issuer.notAfter.getTime())),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await pemOf(keys) };
}

/** NameConstraints (RFC 5280, section 4.2.1.10) as DER: permitted are localhost, 127.0.0.1/32 and ::1/128. */
function localhostOnly(): Uint8Array<ArrayBuffer> {
  const loopback6 = [...new Array<number>(15).fill(0), 1];
  const names = [
    der(0x82, [...Buffer.from('localhost', 'latin1')]),
    der(0x87, [127, 0, 0, 1, 255, 255, 255, 255]),
    der(0x87, [...loopback6, ...new Array<number>(16).fill(255)]),
  ];
  const permitted = der(
    0xa0,
    names.flatMap((name) => der(0x30, name)),
  );
  return Uint8Array.from(der(0x30, permitted));
}

/** Short form of the length only: everything here is below 128 bytes. */
const der = (tag: number, content: readonly number[]): number[] => [tag, content.length, ...content];

function newKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

async function pemOf({ privateKey }: CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}

function signingKey(pem: string): Promise<CryptoKey> {
  const der = x509.PemConverter.decodeFirst(pem);
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']) as Promise<CryptoKey>;
}

/** A leading 1 keeps the number positive and its length constant. */
function serialNumber(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}
