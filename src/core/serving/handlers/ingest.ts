/** Ingest: its settings, its listeners and its certificate. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError, errorCodes } from '../../../contract/errors.ts';
import type { AuthorityView, HttpsView } from '../../../contract/values.ts';
import type { IngestServer } from '../../ingest/server.ts';
import type { LocalAuthority } from '../../local-authority/authority.ts';
import type { KeptIngestSettings } from '../../workspace/ingest-settings.ts';
import type { EngineStatus } from '../engine-status.ts';

export interface IngestDeps {
  readonly settings: KeptIngestSettings;
  readonly server: IngestServer;
  readonly authority: LocalAuthority;
  readonly status: EngineStatus;
  httpsView(): HttpsView;
  statusChanged(): void;
}

type IngestCommand = 'ingest.save' | 'ingest.listen' | 'ingest.https' | 'ingest.authority';

export const ingestHandlers = (deps: IngestDeps): Pick<Handlers, IngestCommand> => ({
  'ingest.save': async (edit) => {
    await deps.settings.save(edit);
    return deps.settings.view();
  },
  'ingest.listen': async ({ port }) => {
    await listen(deps, port);
    return deps.status.view();
  },
  'ingest.https': async (change) => {
    await deps.server.https.change(change);
    return deps.httpsView();
  },
  'ingest.authority': () => certificate(deps),
});

/**
 * Listens on the given port and saves it. Without one, tries the port again that it could not have, or listens on the
 * saved one. When that fails, listens on the earlier port again, if there was one.
 */
async function listen({ server, settings }: IngestDeps, given: number | undefined): Promise<void> {
  const before = server.listening;
  const port = given ?? (before.state === 'listening' ? settings.port : before.port);
  const { state, holder, message } = await server.listen(port);
  if (state === 'listening') {
    if (given !== undefined) await settings.save({ port: given });
    return;
  }
  if (before.state !== 'listening' || before.port === port) return;
  if ((await server.listen(before.port)).state !== 'listening') return;
  const still = `Calls still arrive on ${before.port}.`;
  if (state === 'port_in_use')
    throw new ContractError('port_in_use', `${holder ?? 'Another program'} has port ${port}. ${still}`, 'port');
  const why = message?.replace(', so no events can arrive', '') ?? errorCodes.cannot_listen;
  throw new ContractError('cannot_listen', `${why} ${still}`, 'port');
}

async function certificate({ authority, statusChanged }: IngestDeps): Promise<AuthorityView & { pem: string }> {
  try {
    const { view, pem } = await authority.certificate();
    statusChanged();
    return { ...view, pem };
  } catch (error) {
    throw new ContractError('authority_failed', `${errorCodes.authority_failed} ${(error as Error).message}`);
  }
}
