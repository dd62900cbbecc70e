/** A contract client of the instance that runs on a workspace, over its local socket. */
import { type Client, connectContract } from '../contract/channel.ts';
import { controlSocketPath } from '../core/serving/control-path.ts';
import { connectControlSocket } from '../core/serving/control-socket.ts';

export interface Running {
  /** The contract's call. It also rejects when the instance ends meanwhile. */
  readonly call: Client['call'];
  close(): void;
}

/** No instance runs on the workspace. */
export class NotRunningError extends Error {
  readonly code = 'not_running';
}

/** Null when none runs. */
export async function openRunning(workspace: string): Promise<Running | null> {
  const channel = await connectControlSocket(controlSocketPath(workspace)).catch(() => null);
  if (channel === null) return null;
  const client = connectContract(channel, () => {});
  let ended: (error: Error) => void = () => {};
  const gone = new Promise<never>((_resolve, reject) => {
    ended = reject;
  });
  gone.catch(() => {});
  channel.onClose(() => ended(new Error('The running instance ended the connection.')));
  return {
    call: (name, ...input) => Promise.race([client.call(name, ...input), gone]),
    close: () => {
      client.close();
      channel.close();
    },
  };
}

/** Runs `act` on the running instance. Rejects with a {@link NotRunningError} when none runs. */
export async function withRunning<T>(workspace: string, act: (running: Running) => Promise<T>): Promise<T> {
  const running = await openRunning(workspace);
  if (running === null) throw new NotRunningError(`No instance runs on ${workspace}. Start one with hookbench serve.`);
  try {
    return await act(running);
  } finally {
    running.close();
  }
}
