/**
 * The way of a call from the listeners to the store and on to delivery: listeners, faults before ingest, ingest,
 * hand-over.
 */
import type { HttpsView } from '../../contract/values.ts';
import type { Suppressions } from '../deletions/suppressions.ts';
import { Arrivals } from '../delivery/arrivals.ts';
import { freshlyDue } from '../delivery/freshly-due.ts';
import { Faults } from '../faults/faults.ts';
import type { HttpsSettings } from '../ingest/https.ts';
import { createIngest } from '../ingest/ingest.ts';
import type { OpenPorts } from '../ingest/open-ports.ts';
import type { IngestObserver, IngestStore, IngestWorkspace } from '../ingest/ports.ts';
import type { Regulate } from '../ingest/regulations.ts';
import { IngestServer } from '../ingest/server.ts';
import { createLocalAuthority } from '../local-authority/authority.ts';
import type { Retention } from '../retention/retention.ts';
import type { RequestCounts } from '../serving/request-counts.ts';
import { Tally } from '../serving/tally.ts';
import { Kept } from '../workspace/kept.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { EnginePorts } from './engine-ports.ts';
import { browserSdkOwner, httpsOwner } from './settings-owners.ts';
import type { StoreParts } from './store-parts.ts';

export type IngestParts = ReturnType<typeof createIngestParts>;

type IngestDeps = StoreParts &
  Pick<DeliveryParts, 'retryClock' | 'metrics' | 'dispatcher'> & {
    readonly retention: Retention;
    readonly requestCounts: RequestCounts;
    readonly suppressions: Suppressions;
    readonly regulate: Regulate;
  };

/** `folder` is the absolute path of the workspace folder, which holds the local authority. */
export function createIngestParts(folder: string, ports: EnginePorts, deps: IngestDeps) {
  const { stores, write, workspace, retryClock, openPorts, feed, statusChanged } = deps;
  const { clock, timers, ids, random, sealer, logger } = ports;
  const { settings } = stores.workspace;

  const readSdkFolder = (): string | null => settings.get<string | null>('browser_sdk') ?? null;
  const browserSdkFolder = new Kept(write, readSdkFolder, () => {});
  const observer = createObserver(deps);
  const ingest = createIngest({
    store: ingestStore(deps),
    workspace: ingestWorkspace(workspace, openPorts, deps.suppressions),
    observer,
    clock,
    clockNow: () => retryClock.now(),
    regulate: deps.regulate,
    ids,
    logger,
    httpsPort: () => openPorts.https,
    browserSdkFolder: () => browserSdkFolder.value,
  });
  const faults = new Faults({
    handle: (request) => ingest.handle(request),
    clock,
    timers,
    random,
    stored: settings.get('faults'),
    save: (edit) =>
      write((changes) => {
        const kept = edit(settings.get('faults'));
        settings.save('faults', kept, changes);
        return kept;
      }),
    rowsOf: (messageId, writeKey) => stores.ingest.rowsOf(messageId, workspace.sources.byKey(writeKey ?? '')?.id),
    changed: () => feed.touch('faults'),
  });
  const authority = createLocalAuthority({ folder, sealer, clock, logger });
  const tlsHellos = new Tally(clock, logger, 'tls_on_http_port', statusChanged);
  const server = new IngestServer({
    handler: faults,
    openPorts,
    port: workspace.ingest.port,
    https: {
      issue: () => authority.issue(),
      kept: {
        read: () => settings.get<HttpsSettings>('https'),
        save: (kept) => write((changes) => settings.save('https', kept, changes)),
      },
    },
    clock,
    timers,
    logger,
    onTlsHello: () => tlsHellos.add(),
    changed: statusChanged,
  });
  const httpsView = (): HttpsView => ({ ...server.https.state, authority: authority.known() });
  const owners = [
    httpsOwner(server.https),
    browserSdkOwner(browserSdkFolder, (folder, changes) => settings.save('browser_sdk', folder, changes)),
    faults,
  ];
  return { ingest, observer, faults, authority, tlsHellos, server, httpsView, owners };
}

function ingestStore({ store, stores, retention, dispatcher }: IngestDeps): IngestStore {
  const arrivals = new Arrivals({ store: stores.ingest, dispatcher, mayBegin: () => !store.damage.known });
  return {
    full: () => retention.full,
    trouble: () => {
      if (!stores.writer.writable) return 'store_not_writable';
      return store.damage.known ? 'store_damaged' : null;
    },
    storeRequest: (arrived) => arrivals.storeRequest(arrived),
  };
}

const ingestWorkspace = (
  { sources, webhooks, destination, ingest }: Workspace,
  ports: OpenPorts,
  suppressions: Suppressions,
): IngestWorkspace => ({
  sourceByKey: (writeKey) => sources.byKey(writeKey),
  createSource: (writeKey) => sources.makeFor(writeKey),
  settings: () => ingest.settings,
  destination: () => {
    const { enabled, body } = destination.settings;
    return { enabled, body, webhookCount: webhooks.all.length };
  },
  suppressed: () => suppressions.ids,
  port: () => ports.http ?? 0,
});

/** Hands queued messages to delivery in the same turn as their commit. */
const createObserver = ({
  metrics,
  dispatcher,
  requestCounts,
  statusChanged,
  suppressions,
}: IngestDeps): IngestObserver => ({
  stored: ({ request, messages, stored, dueAt }) => {
    metrics.stored(request.receivedAt, messages, stored);
    dispatcher.offer(freshlyDue(messages, stored, request.receivedAt, dueAt));
    requestCounts.stored(messages.length);
    if (suppressions.ids.size > 0 && messages.some(({ reason }) => reason === 'user_suppressed')) suppressions.hit();
  },
  answered: ({ rejected }) => {
    requestCounts.answered(rejected);
    statusChanged();
  },
});
