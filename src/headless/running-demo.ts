/** Asks the instance that runs on a folder for a one-time address of its page, over its local socket. */
import { connectContract } from '../contract/channel.ts';
import { controlSocketPath } from '../core/serving/control-path.ts';
import { connectControlSocket } from '../core/serving/control-socket.ts';

/** Null when none runs. Rejects with a `ContractError` when the instance is no demo. */
export async function addressOfRunning(workspace: string): Promise<string | null> {
  const channel = await connectControlSocket(controlSocketPath(workspace)).catch(() => null);
  if (channel === null) return null;
  const client = connectContract(channel, () => {});
  try {
    return (await client.call('demo.address')).url;
  } finally {
    client.close();
    channel.close();
  }
}
