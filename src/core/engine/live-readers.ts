/** How each live part is read: with its type in `contract/live.ts`, all that a further part needs. */
import type { LiveReaders } from '../serving/live.ts';
import { sourceView } from '../serving/views.ts';
import type { EngineParts } from './parts.ts';

export const liveReaders = ({
  status,
  retryClock,
  workspace,
  webhookViews,
  receivers,
  faults,
}: EngineParts): LiveReaders => ({
  status: () => status.view(),
  clock: () => retryClock.state,
  sources: () => workspace.sources.all.map(sourceView),
  webhooks: () => webhookViews.all(),
  destination: () => workspace.destination.view(),
  ingest: () => workspace.ingest.view(),
  receivers: () => receivers.view(),
  faults: () => faults.view(),
});
