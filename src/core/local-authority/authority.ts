/**
 * The local authority of a workspace issues the server certificates of the https listener. It is made once and kept as
 * `authority.pem` and, sealed, `authority.key`. Its certificates are good for localhost only (name constraints). Its
 * private key is sealed with the key of the workspace and never leaves this module (docs/security.md).
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Logger, Sealer } from '../ports.ts';
import { narrow, readIfThere, writePrivate } from './files.ts';
import type { KeyedCertificate } from './make.ts';

export const AUTHORITY_FILE = 'authority.pem';
export const AUTHORITY_KEY_FILE = 'authority.key';

const DAY_MS = 86_400_000;
/** It is made again when it is valid for less than this, because no server certificate may outlive it. */
const RENEW_AUTHORITY_MS = 30 * DAY_MS;

export interface AuthorityView {
  /** SHA-256 in upper-case hex pairs with colons, as openssl and browsers show it. */
  readonly fingerprint256: string;
  /** Epoch milliseconds. */
  readonly validTo: number;
  /** The absolute path of the certificate. */
  readonly file: string;
}

export interface LocalAuthority {
  /** The authority on disk if it is still valid, else null. Makes nothing. */
  known(): AuthorityView | null;
  /** The certificate of the authority as PEM, made when there is none. Rejects when it cannot be written. */
  certificate(): Promise<{ readonly view: AuthorityView; readonly pem: string }>;
  /** A new server certificate for localhost with its authority behind it, valid for 90 days. */
  issue(): Promise<KeyedCertificate & { readonly validTo: number }>;
}

export interface LocalAuthorityParts {
  /** The workspace folder. */
  readonly folder: string;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createLocalAuthority(parts: LocalAuthorityParts): LocalAuthority {
  return new WorkspaceAuthority(parts);
}

class WorkspaceAuthority implements LocalAuthority {
  readonly #parts: LocalAuthorityParts;
  #kept: { readonly view: AuthorityView; readonly pem: string } | null | undefined;
  /** Two callers at the same time must get the same authority. */
  #making: Promise<KeyedCertificate> | null = null;

  constructor(parts: LocalAuthorityParts) {
    this.#parts = parts;
  }

  known(): AuthorityView | null {
    if (this.#kept === undefined) this.#kept = this.#readCertificate();
    return this.#kept?.view ?? null;
  }

  async certificate(): Promise<{ view: AuthorityView; pem: string }> {
    const { cert } = await this.#authority();
    return this.#kept ?? { view: this.#viewOf(cert), pem: cert };
  }

  async issue(): Promise<KeyedCertificate & { validTo: number }> {
    const authority = await this.#authority();
    const { issueLeaf } = await import('./make.ts');
    const { cert, key } = await issueLeaf(authority, this.#parts.clock.wall());
    return { cert: `${cert}\n${authority.cert}`, key, validTo: endOf(new X509Certificate(cert)) };
  }

  #authority(): Promise<KeyedCertificate> {
    this.#making ??= this.#readOrMake().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async #readOrMake(): Promise<KeyedCertificate> {
    const kept = this.#readCertificate();
    const key = kept === null ? null : this.#readKey(kept.pem);
    if (kept !== null && key !== null) {
      this.#kept = kept;
      return { cert: kept.pem, key };
    }
    const { makeAuthority } = await import('./make.ts');
    const made = await makeAuthority(this.#parts.clock.wall());
    // The key goes first: a certificate without its key counts as none.
    writePrivate(this.#path(AUTHORITY_KEY_FILE), this.#parts.sealer.seal(made.key));
    writePrivate(this.#path(AUTHORITY_FILE), `${made.cert}\n`);
    const view = this.#viewOf(made.cert);
    this.#kept = { view, pem: made.cert };
    this.#parts.logger.log('info', 'local_authority_made', { fingerprint: view.fingerprint256 });
    return made;
  }

  /** Null when there is none, when it expires soon, or when the file holds no certificate. */
  #readCertificate(): { view: AuthorityView; pem: string } | null {
    try {
      const bytes = readIfThere(this.#path(AUTHORITY_FILE));
      if (bytes === null) return null;
      const pem = Buffer.from(bytes).toString('utf8').trim();
      const view = this.#viewOf(pem);
      return view.validTo - this.#parts.clock.wall() > RENEW_AUTHORITY_MS ? { view, pem } : null;
    } catch (error) {
      this.#parts.logger.log('warn', 'local_authority_unreadable', { message: (error as Error).message });
      return null;
    }
  }

  /**
   * Null when it cannot be opened: the workspace has another key, the file was altered, or it fits another
   * certificate.
   */
  #readKey(pem: string): string | null {
    const path = this.#path(AUTHORITY_KEY_FILE);
    try {
      const sealed = readIfThere(path);
      if (sealed === null) return null;
      narrow(path);
      const key = this.#parts.sealer.open(sealed);
      if (!new X509Certificate(pem).checkPrivateKey(createPrivateKey(key)))
        throw new Error('It is not the key of this certificate.');
      return key;
    } catch (error) {
      this.#parts.logger.log('warn', 'local_authority_key_unreadable', { message: (error as Error).message });
      return null;
    }
  }

  #viewOf(pem: string): AuthorityView {
    const certificate = new X509Certificate(pem);
    return {
      fingerprint256: certificate.fingerprint256,
      validTo: endOf(certificate),
      file: this.#path(AUTHORITY_FILE),
    };
  }

  #path(name: string): string {
    return join(this.#parts.folder, name);
  }
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);
