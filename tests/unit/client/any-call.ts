/** A good call of each kind, and calls as a program without types can give them. */
import type { CallError, Kind } from '../../../src/client/index.ts';
import { simClient } from './sim-client.ts';

export const good: Readonly<Record<Kind, object>> = {
  identify: { userId: 'u' },
  track: { userId: 'u', event: 'E' },
  page: { userId: 'u' },
  screen: { anonymousId: 'a' },
  group: { userId: 'u', groupId: 'g' },
  alias: { userId: 'u', previousId: 'p' },
};
export const kinds = Object.keys(good) as Kind[];

/** What a program without types can give. */
export function call(kind: Kind, message: unknown, options = {}): CallError | null {
  const { client } = simClient(options);
  return (client[kind] as (given: unknown) => CallError | null).call(client, message);
}
