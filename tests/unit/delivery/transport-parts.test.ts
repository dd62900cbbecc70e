/** Certificates, authorities, kept bodies and phases: what the transport is made of, without a socket. */
import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { authoritiesProblem, readAuthorities } from '../../../src/core/delivery/transport/authorities.ts';
import {
  certificateInfo,
  createTrust,
  isSelfSigned,
  refusedCertificate,
} from '../../../src/core/delivery/transport/certificate.ts';
import { KeptBody } from '../../../src/core/delivery/transport/kept-body.ts';
import { PhaseRecorder } from '../../../src/core/delivery/transport/phases.ts';
import { MAX_RESPONSE_BODY_BYTES } from '../../../src/core/model/attempt.ts';
import { createAuthority, createSelfSigned, issueCertificate, type TestAuthority } from '../../helpers/certificates.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

let authority: TestAuthority;
let own: X509Certificate;
let issued: X509Certificate;
beforeAll(async () => {
  authority = await createAuthority();
  own = new X509Certificate((await createSelfSigned()).cert);
  issued = new X509Certificate((await issueCertificate(authority)).cert);
});

const coded = (code: string): Error => Object.assign(new Error('in its words'), { code });
/** Enough of a certificate for what only reads it. */
const shown = (over: object): X509Certificate =>
  ({
    subject: 'CN=a',
    issuer: 'CN=b',
    validFrom: 'Jan  1 00:00:00 2026 GMT',
    validTo: 'Feb  1 00:00:00 2026 GMT',
    fingerprint256: 'AA:BB',
    ...over,
  }) as X509Certificate;

describe('a self-signed certificate', () => {
  test('vouches for itself; a root does too, and one that an authority signed does not', () => {
    expect([own, new X509Certificate(authority.cert), issued].map(isSelfSigned)).toEqual([true, true, false]);
  });

  test('is one whose own key made its signature, not one that only bears the name', () => {
    const named = { subject: 'CN=a', issuer: 'CN=a' };
    expect(isSelfSigned(shown({ ...named, verify: () => false }))).toBe(false);
    expect(isSelfSigned(shown({ subject: 'CN=b', issuer: 'CN=a', verify: () => true }))).toBe(false);
    const odd = (): boolean => {
      throw new Error('a key of another kind');
    };
    expect(isSelfSigned(shown({ ...named, verify: odd }))).toBe(true);
  });
});

describe('a refused certificate', () => {
  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self_signed_in_chain'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'unknown_ca'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown_ca'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_ca'],
    ['CERT_UNTRUSTED', 'unknown_ca'],
    ['CERT_HAS_EXPIRED', 'certificate_expired'],
    ['CERT_NOT_YET_VALID', 'certificate_not_yet_valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong_host'],
    ['HOSTNAME_MISMATCH', 'wrong_host'],
    ['CERT_REVOKED', 'certificate_invalid'],
  ])('with %s is refused as %s', (code, reason) => {
    expect(refusedCertificate(issued, coded(code))).toEqual({
      outcome: 'refused_certificate',
      reason,
      detail: `${code}: in its words`,
    });
    expect(refusedCertificate(undefined, coded(code)).reason).toBe(reason);
  });

  test('that is self-signed is refused for that first of all', () => {
    expect(refusedCertificate(own, coded('CERT_HAS_EXPIRED')).reason).toBe('self_signed');
    expect(refusedCertificate(own, null)).toEqual({
      outcome: 'refused_certificate',
      reason: 'self_signed',
      detail: 'The certificate is self-signed; a trust list does not change that.',
    });
  });
});

describe('what is told of a certificate', () => {
  test('are its names on one line, its days and its fingerprint', () => {
    const text = { subject: 'O=x\nCN=a', issuer: 'O=y\nCN=b\nC=z', subjectAltName: 'DNS:a, DNS:b' };
    expect(certificateInfo(shown(text))).toEqual({
      subject: 'O=x, CN=a',
      issuer: 'O=y, CN=b, C=z',
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2026-02-01T00:00:00.000Z',
      names: 'DNS:a, DNS:b',
      fingerprint256: 'AA:BB',
    });
  });

  test('may be no names, days that are none, and at most 2,000 characters', () => {
    const info = certificateInfo(shown({ subject: 'x'.repeat(2_001), subjectAltName: undefined, validTo: 'never' }));
    expect([info.names, info.validTo, info.subject.length]).toEqual(['', 'never', 2_000]);
  });
});

test('whom we trust can be built with authorities of a person, and without', () => {
  expect(createTrust([authority.cert]).context).toBeDefined();
  expect(createTrust([]).context).toBeDefined();
});

describe('a text of authorities', () => {
  const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

  test('is every certificate that can be read, in order', () => {
    const one = authority.cert.trim();
    const other = own.toString().trim();
    expect(readAuthorities(`# mine\n${one}\n${BROKEN}\ntext\n${other}`)).toEqual([one, other]);
    expect(authoritiesProblem(`${one}\n${other}`)).toBeNull();
  });

  test('without one, or with a broken one, says so', () => {
    expect([readAuthorities('text'), authoritiesProblem('text')]).toEqual([[], 'The file holds no PEM certificate.']);
    expect(authoritiesProblem(BROKEN)).toBe('Certificate 1 of the file cannot be read.');
    expect(authoritiesProblem(`${authority.cert}\n${BROKEN}`)).toBe('Certificate 2 of the file cannot be read.');
  });
});

describe('the part of a body that is kept', () => {
  test('is all of a short one, in order, however it comes', () => {
    const body = new KeptBody();
    for (const part of ['a', 'bc', '', 'def', 'g']) body.append(Buffer.from(part));
    expect([body.received, body.isFull]).toEqual([7, false]);
    const taken = body.take();
    expect(Buffer.from(taken).toString()).toBe('abcdefg');
    expect(taken.buffer.byteLength).toBe(7);
    expect(body.take()).toHaveLength(0);
  });

  test('is a copy, of one chunk as long as it is', () => {
    const body = new KeptBody();
    const chunk = Buffer.from('abc');
    body.append(chunk);
    chunk.fill('x');
    const taken = body.take();
    expect([Buffer.from(taken).toString(), taken.buffer.byteLength]).toEqual(['abc', 3]);
  });

  test('is no more than the most that is kept, and then it is full', () => {
    const body = new KeptBody();
    body.append(Buffer.alloc(MAX_RESPONSE_BODY_BYTES - 1, 'a'));
    body.append(Buffer.from('b'));
    expect(body.isFull).toBe(false);
    body.append(Buffer.from('cd'));
    expect([body.received, body.isFull]).toEqual([MAX_RESPONSE_BODY_BYTES + 2, true]);
    const taken = Buffer.from(body.take());
    expect([taken.length, taken.subarray(-2).toString()]).toEqual([MAX_RESPONSE_BODY_BYTES, 'ab']);
  });

  test('of 65,536 chunks of one byte grows by doubling', () => {
    const made: number[] = [];
    const Real = Uint8Array;
    vi.stubGlobal('Uint8Array', function counted(length: number) {
      made.push(length);
      return new Real(length);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const body = new KeptBody();
    for (let i = 0; i < 65_536; i++) body.append(Real.of(i & 0xff));
    expect(made).toEqual([0, ...Array.from({ length: 17 }, (_, power) => 2 ** power)]);
    const taken = body.take();
    expect([taken.length, taken.at(0), taken.at(-1)]).toEqual([65_536, 0, 255]);
  });
});

describe('phases', () => {
  test('are each recorded under their name, and one is open at a time', async () => {
    const time = new SimTime();
    const recorder = new PhaseRecorder(time);
    expect(recorder.open).toBeNull();
    recorder.leave();
    for (const [i, phase] of (['dns', 'tcp', 'tls', 'certificate', 'send', 'wait', 'read'] as const).entries()) {
      recorder.enter(phase);
      expect(recorder.open).toBe(phase);
      await time.advance(i + 1.0006);
    }
    recorder.leave();
    expect(recorder.open).toBeNull();
    await time.advance(50);
    recorder.leave();
    expect(recorder.phases()).toEqual({
      queueMs: null,
      dnsMs: 1.001,
      tcpMs: 2.001,
      tlsMs: 3.001,
      certificateMs: 4.001,
      sendMs: 5.001,
      waitMs: 6.001,
      readMs: 7.001,
    });
  });

  test('entered again add up', async () => {
    const time = new SimTime();
    const recorder = new PhaseRecorder(time);
    for (let i = 0; i < 3; i++) {
      recorder.enter('send');
      await time.advance(2);
      recorder.enter('wait');
      await time.advance(5);
    }
    recorder.leave();
    expect(recorder.phases()).toMatchObject({ sendMs: 6, waitMs: 15, dnsMs: null });
  });
});
