/** Why a port could not be listened on, in words that a person can act on. */
import { findPortHolder, type PortHolder } from './port-holder.ts';

export type ListenErrorCode = 'port_in_use' | 'port_denied' | 'listen_failed';

/** Why the listener did not start. `holder` is the program that holds the port, where known. */
export class ListenError extends Error {
  readonly code: ListenErrorCode;
  readonly port: number;
  readonly holder: PortHolder | null;
  constructor(code: ListenErrorCode, port: number, holder: PortHolder | null, cause: unknown) {
    super(listenMessage(code, port, holder, cause), { cause });
    this.name = 'ListenError';
    this.code = code;
    this.port = port;
    this.holder = holder;
  }
}

/** Looks for the program that holds a taken port. */
export async function listenError(error: unknown, port: number): Promise<ListenError> {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new ListenError('port_in_use', port, await findPortHolder(port), error);
    case 'EACCES':
      return new ListenError('port_denied', port, null, error);
    default:
      return new ListenError('listen_failed', port, null, error);
  }
}

/** The system's code of an error, such as `EADDRINUSE`; empty without one. */
export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function listenMessage(code: ListenErrorCode, port: number, holder: PortHolder | null, cause: unknown): string {
  switch (code) {
    case 'port_in_use': {
      const who = holder === null ? '' : ` ${holder.name} (process ${holder.pid}) is listening on it.`;
      return `Port ${port} is in use, so no events can arrive.${who}`;
    }
    case 'port_denied':
      return `Port ${port} may not be used by this user, so no events can arrive. Choose a port from 1024 on.`;
    case 'listen_failed':
      return `Port ${port} could not be opened, so no events can arrive. ${(cause as Error).message}`;
  }
}
