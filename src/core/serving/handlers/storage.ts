/** The limits of storage, and removal. */
import type { Handlers } from '../../../contract/channel.ts';
import type { Retention } from '../../retention/retention.ts';
import type { KeptStorageLimits } from '../../workspace/storage-limits.ts';
import type { EngineStatus } from '../engine-status.ts';

export interface StorageDeps {
  readonly storage: KeptStorageLimits;
  readonly retention: Retention;
  readonly status: EngineStatus;
}

export const storageHandlers = ({
  storage,
  retention,
  status,
}: StorageDeps): Pick<Handlers, 'storage.save' | 'storage.clear'> => ({
  'storage.save': async (edit) => {
    await storage.save(edit);
    return status.view();
  },
  'storage.clear': (range) => retention.clear(range),
});
