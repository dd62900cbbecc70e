/** The Webhooks destination: its rules and its secret. */
import type { Handlers } from '../../../contract/channel.ts';
import type { DestinationView } from '../../../contract/values.ts';
import type { Ids } from '../../ports.ts';
import type { Destination } from '../../workspace/destination.ts';

export interface DestinationDeps {
  readonly destination: Destination;
  readonly ids: Ids;
  /** Makes delivery take over the current webhooks and settings. */
  applyDelivery(): void;
}

type DestinationCommand = 'destination.save' | 'destination.setSecret' | 'destination.newSecret';

export function destinationHandlers({
  destination,
  ids,
  applyDelivery,
}: DestinationDeps): Pick<Handlers, DestinationCommand> {
  const applied = (): DestinationView => {
    applyDelivery();
    return destination.view();
  };
  return {
    'destination.save': async (edit) => {
      await destination.save(edit);
      return applied();
    },
    'destination.setSecret': async ({ secret }) => {
      await destination.setSecret(secret);
      return applied();
    },
    'destination.newSecret': async () => {
      const secret = ids.hex(24);
      await destination.setSecret(secret);
      return { secret, destination: applied() };
    },
  };
}
