import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { X509Certificate as Peculiar, PemConverter } from '@peculiar/x509';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSealer } from '../../../src/core/adapters/sealer.ts';
import { createLocalAuthority, type LocalAuthority } from '../../../src/core/local-authority/authority.ts';
import { issueCertificate, type TestAuthority } from '../../helpers/certificates.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const DAY_MS = 86_400_000;
const KEY = Buffer.alloc(32, 3);

interface Made {
  readonly authority: LocalAuthority;
  readonly folder: string;
  readonly time: SimTime;
  readonly logged: string[];
}

function authorityIn(folder = tempWorkspace(), time = new SimTime(Date.now()), key = KEY): Made {
  const logged: string[] = [];
  const logger = { log: (_level: string, event: string) => void logged.push(event) };
  return {
    authority: createLocalAuthority({ folder, sealer: createSealer(key), clock: time, logger }),
    folder,
    time,
    logged,
  };
}

/** What Node says of a server with this identity, or null when it is trusted. */
async function verdict(
  identity: { cert: string; key: string },
  ca: string,
  servername: string,
): Promise<string | null> {
  const server: Server = createServer(identity);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, ca }, () => {
      resolve(null);
      socket.destroy();
    });
    socket.on('error', (error) => resolve(error.message));
  });
}

describe('the local authority', () => {
  it('is made once, even when two ask at once, and found again', async () => {
    const { authority, folder } = authorityIn();
    expect(authority.known()).toBeNull();
    const [one, two] = await Promise.all([authority.certificate(), authority.certificate()]);
    expect(one).toEqual(two);
    expect(authority.known()).toEqual(one.view);
    expect(readFileSync(one.view.file, 'utf8').trim()).toBe(one.pem);
    const again = authorityIn(folder);
    expect(again.authority.known()).toEqual(one.view);
    expect(await again.authority.certificate()).toEqual(one);
    expect(again.logged).toEqual([]);
  });

  it('is good for two years and can vouch for nothing but this machine', async () => {
    const { authority, time } = authorityIn();
    const { pem, view } = await authority.certificate();
    expect(Math.round((view.validTo - time.wall()) / DAY_MS)).toBe(730);
    const constraints = new Peculiar(pem).getExtension('2.5.29.30');
    expect(constraints?.critical).toBe(true);
    if (existsSync('/usr/bin/openssl')) {
      const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: pem, encoding: 'utf8' });
      expect(text).toMatch(
        /Permitted:\s+DNS:localhost\s+IP:127\.0\.0\.1\/255\.255\.255\.255\s+IP:0:0:0:0:0:0:0:1\/FFFF/,
      );
      expect(text).toContain('CA:TRUE, pathlen:0');
    }
  });

  it('is not believed when it is made to vouch for another host', async () => {
    const { authority, folder } = authorityIn();
    const { pem } = await authority.certificate();
    const stolen = createSealer(KEY).open(readFileSync(join(folder, 'authority.key')));
    const privateKey = await crypto.subtle.importKey(
      'pkcs8',
      PemConverter.decodeFirst(stolen),
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['sign'],
    );
    const certificate = new Peculiar(pem);
    const publicKey = await certificate.publicKey.export();
    const keys = { privateKey, publicKey } as CryptoKeyPair;
    const thief: TestAuthority = { cert: pem, key: stolen, certificate, keys };
    const forged = await issueCertificate(thief, { commonName: 'bank.test', names: ['bank.test'], ips: [] });
    expect(await verdict(forged, pem, 'bank.test')).toBe('permitted subtree violation');
    const harmless = await issueCertificate(thief, {});
    expect(await verdict(harmless, pem, 'localhost')).toBeNull();
  });

  it('issues certificates that clients take, with the authority behind them', async () => {
    const { authority, time } = authorityIn();
    const { pem } = await authority.certificate();
    const leaf = await authority.issue();
    expect(leaf.cert).toContain(pem);
    expect(await verdict(leaf, pem, 'localhost')).toBeNull();
    expect(Math.round((leaf.validTo - time.wall()) / DAY_MS)).toBe(90);
  });

  it('is made anew a month before it ends, and its certificates never outlive it', async () => {
    const { authority, folder, time } = authorityIn();
    const { view } = await authority.certificate();
    time.jumpWall(690 * DAY_MS);
    const late = await authorityIn(folder, time).authority.issue();
    expect(late.validTo).toBeLessThanOrEqual(view.validTo);
    time.jumpWall(20 * DAY_MS);
    const next = authorityIn(folder, time);
    expect(next.authority.known()).toBeNull();
    expect((await next.authority.certificate()).view.fingerprint256).not.toBe(view.fingerprint256);
  });

  it.each([
    ['another key of the workspace', (folder: string) => authorityIn(folder, undefined, Buffer.alloc(32, 9))],
    [
      'a key that was altered',
      (folder: string) => {
        writeFileSync(join(folder, 'authority.key'), 'x');
        return authorityIn(folder);
      },
    ],
    [
      'a certificate that is none',
      (folder: string) => {
        writeFileSync(join(folder, 'authority.pem'), 'x');
        return authorityIn(folder);
      },
    ],
  ])('%s: a new one is made, and the log says so', async (_, spoil) => {
    const { authority, folder } = authorityIn();
    const { view } = await authority.certificate();
    const spoilt = spoil(folder);
    const made = await spoilt.authority.certificate();
    expect(made.view.fingerprint256).not.toBe(view.fingerprint256);
    expect(spoilt.logged.at(-1)).toBe('local_authority_made');
    expect(spoilt.logged[0]).toMatch(/unreadable$/);
    expect(await verdict(await spoilt.authority.issue(), made.pem, 'localhost')).toBeNull();
  });

  it('says why it cannot be made', async () => {
    const { authority } = authorityIn(join(tempWorkspace(), 'gone'));
    await expect(authority.certificate()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('has a fingerprint as other tools show it', async () => {
    const { view, pem } = await authorityIn().authority.certificate();
    expect(view.fingerprint256).toBe(new X509Certificate(pem).fingerprint256);
  });
});
