/** What a connection gets, and how often. */
import type { Handlers } from '../../../contract/channel.ts';
import type { EngineStatus } from '../engine-status.ts';

/** One connection of a client to the change feed. */
export interface Connection {
  hello(since: { epoch: string; seq: number } | undefined): ReturnType<Handlers['app.hello']>;
  setHidden(hidden: boolean): void;
}

export const appHandlers = (
  connection: Connection,
  status: EngineStatus,
): Pick<Handlers, 'app.hello' | 'app.visibility' | 'app.status'> => ({
  'app.hello': ({ since }) => connection.hello(since),
  'app.visibility': ({ hidden }) => {
    connection.setHidden(hidden);
    return null;
  },
  'app.status': () => status.view(),
});
