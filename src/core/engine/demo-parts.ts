/** What the demo uses of the engine: the commands of a client, the ingest port, and settings as of a config file. */
import type { DemoBench } from '../demo/deps.ts';
import type { Connection } from '../serving/handlers/app.ts';
import { takeConfig } from '../workspace/settings-owner.ts';
import { applyDelivery } from './apply-delivery.ts';
import { createHandlers } from './handlers.ts';
import type { EngineParts } from './parts.ts';

/** The demo follows no changes. */
const noConnection: Connection = {
  hello: () => {
    throw new Error('The demo does not subscribe.');
  },
  setHidden: () => {},
};

export function demoBench(parts: EngineParts): DemoBench {
  const { server, receivers, retryClock, owners, ports } = parts;
  return {
    post: async (path, body, writeKey) => {
      const { state, port } = server.listening;
      return state === 'listening' ? ((await ports.post?.({ port, path, writeKey }, body)) ?? 0) : 0;
    },
    take: async (config) => {
      await takeConfig(owners, config);
      applyDelivery(parts);
    },
    receivers: () => {
      const { state, port } = receivers.view().http;
      return state === 'listening' ? `http://localhost:${port}` : null;
    },
    speed: () => retryClock.state.speed,
    commands: createHandlers(parts, noConnection, 'local_socket'),
  };
}
