/** A listener as the interface shows it. A taken port is a state, not an error. */
import { ListenError } from './listen-error.ts';
import type { Listening } from './listener.ts';

export interface ListenerState {
  /** `stopped` before start and after stop. */
  readonly state: 'listening' | 'port_in_use' | 'failed' | 'stopped';
  readonly port: number;
  readonly message: string | null;
  /** Name and process id of the program that holds the port, where known. */
  readonly holder: string | null;
}

export const listeningState = ({ port }: Listening): ListenerState => ({
  state: 'listening',
  port,
  message: null,
  holder: null,
});

export const stoppedState = (port: number): ListenerState => ({ state: 'stopped', port, message: null, holder: null });

/** Throws the error again if it is not a {@link ListenError}. */
export function notListening(error: unknown, port: number): ListenerState {
  if (!(error instanceof ListenError)) throw error;
  const { code, holder, message } = error;
  return {
    state: code === 'port_in_use' ? 'port_in_use' : 'failed',
    port,
    message,
    holder: holder === null ? null : `${holder.name} (process ${holder.pid})`,
  };
}
