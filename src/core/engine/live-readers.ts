/** How each live part is read. A new part needs only a reader here and its type in `contract/live.ts`. */
import type { LiveReaders } from '../serving/live.ts';
import { sourceView } from '../serving/views.ts';
import type { EngineParts } from './parts.ts';

export const liveReaders = ({
  status,
  retryClock,
  bulkReplay,
  workspace,
  webhookViews,
  receivers,
  faults,
  people,
  search,
  audiences,
  deletions,
  demo,
}: EngineParts): LiveReaders => ({
  status: () => status.view(),
  clock: () => retryClock.state,
  sources: () => workspace.sources.all.map(sourceView),
  webhooks: () => webhookViews.all(),
  destination: () => workspace.destination.view(),
  ingest: () => workspace.ingest.view(),
  receivers: () => receivers.view(),
  faults: () => faults.view(),
  people: () => people.view(),
  search: () => search.view(),
  audiences: () => audiences.view(),
  deletions: () => deletions.view(),
  demo: () => demo.view(),
  replayJob: () => bulkReplay.job,
  savedFilters: () => workspace.savedFilters.all,
  exports: () => workspace.exports.view(),
});
