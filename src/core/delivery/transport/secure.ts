import { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import type { CertificateInfo } from '../../model/attempt.ts';
import { certificateInfo, isSelfSigned, refusedCertificate } from './certificate.ts';
import type { Cancellable } from './dial.ts';
import { codeOf, detailOf, type Failure, failureOf, noConnection } from './failures.ts';
import type { PhaseRecorder } from './phases.ts';

/** The certificate is given in either case, if the server presented one. */
export type Secured = (
  ...result:
    | [failure: Failure, socket: null, certificate: CertificateInfo | null]
    | [failure: null, socket: TLSSocket, certificate: CertificateInfo | null]
) => void;

/**
 * TLS over a connected socket. `done` gets a socket only after Node's verification and our own check of the
 * certificate, and nothing of the request can be written before. A refused server receives 0 application bytes.
 */
export function secure(
  raw: Socket,
  hostname: string,
  trust: SecureContext,
  phases: PhaseRecorder,
  done: Secured,
): Cancellable {
  phases.enter('tls');
  // The raw socket's errors also arrive on the TLS socket.
  raw.on('error', ignore);
  const host = hostname.replace(/\.$/, '');
  const socket = connect({
    socket: raw,
    host,
    // A server name may not be an address (RFC 6066, section 3). The certificate is then checked against `host`.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secureContext: trust,
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  });

  let shown: X509Certificate | undefined;
  let handshakeDone = false;
  let over = false;
  const finish = (failure: Failure | null): void => {
    if (over) return;
    over = true;
    phases.leave();
    const info = shown ? certificateInfo(shown) : null;
    if (failure) {
      destroyBoth(socket, raw);
      done(failure, null, info);
    } else {
      socket.off('error', onError);
      socket.off('close', onClose);
      done(null, socket, info);
    }
  };
  const onError = (error: Error): void =>
    finish(handshakeDone ? failureAfterHandshake(shown, error) : failureInHandshake(error));
  const onClose = (): void =>
    finish(noConnection('connection_closed', 'The connection was closed in the TLS handshake.'));

  // Node verifies in a listener of the same event and then drops the certificate. Our listener must run first.
  socket.prependListener('secure', () => {
    handshakeDone = true;
    shown = peerCertificate(socket);
    phases.enter('certificate');
  });
  socket.once('secureConnect', () => finish(ownCheck(socket, shown ?? peerCertificate(socket))));
  socket.on('error', onError);
  socket.on('close', onClose);
  return {
    cancel() {
      over = true;
      destroyBoth(socket, raw);
    },
  };
}

/** The case that Node's verification accepts and the specification does not: a trusted self-signed certificate. */
function ownCheck(socket: TLSSocket, certificate: X509Certificate | undefined): Failure | null {
  if (!socket.authorized) return refusedCertificate(certificate, socket.authorizationError);
  if (!certificate) return refusedCertificate(undefined, new Error('The server showed no certificate.'));
  return isSelfSigned(certificate) ? refusedCertificate(certificate, null) : null;
}

/** Not getPeerX509Certificate: after it Node's own check of the host name sees an empty certificate (Node 24). */
function peerCertificate(socket: TLSSocket): X509Certificate | undefined {
  try {
    return new X509Certificate(socket.getPeerCertificate().raw);
  } catch {
    return undefined;
  }
}

function failureAfterHandshake(certificate: X509Certificate | undefined, error: Error): Failure {
  if (codeOf(error) === 'ERR_TLS_DH_PARAM_SIZE' || isSystemError(error)) return failureOf(error);
  return refusedCertificate(certificate, error);
}

/** Any error before the end of the handshake is a TLS failure, unless the connection itself was lost. */
function failureInHandshake(error: Error): Failure {
  if (isSystemError(error)) return failureOf(error);
  if (codeOf(error) === 'ECONNRESET') return noConnection('connection_closed', detailOf(error));
  return noConnection('tls_failed', detailOf(error));
}

/**
 * Errors of the operating system name the failed system call. Node's own ECONNRESET for a closed handshake does not.
 */
function isSystemError(error: Error): boolean {
  return 'syscall' in error;
}

function destroyBoth(socket: TLSSocket, raw: Socket): void {
  socket.on('error', ignore);
  socket.destroy();
  raw.destroy();
}

function ignore(): void {}
