/** Clients get live parts without asking: all of them when they connect, then each one that changes. */
import type { AudiencesView } from './audiences.ts';
import type { DeletionsView } from './deletions.ts';
import type { DemoView } from './demo.ts';
import type { ExportSettings } from './exchange.ts';
import type { FaultsView } from './faults.ts';
import type { PeopleView } from './people.ts';
import type { ReceiversView } from './receivers.ts';
import type { ReplayJobView } from './replays.ts';
import type { SavedFilters } from './saved-filters.ts';
import type { SearchView } from './search.ts';
import type {
  ClockView,
  DestinationView,
  IngestSettingsView,
  MessageRow,
  SourceView,
  StatusView,
  WebhookView,
} from './values.ts';

/**
 * The parts of the engine's state that every client holds. Each is small and is sent whole. A new part needs a line
 * here and its reader in the engine (`core/engine/live-readers.ts`).
 */
export interface LiveParts {
  status: StatusView;
  clock: ClockView;
  sources: SourceView[];
  webhooks: WebhookView[];
  destination: DestinationView;
  ingest: IngestSettingsView;
  receivers: ReceiversView;
  faults: FaultsView;
  people: PeopleView;
  search: SearchView;
  audiences: AudiencesView;
  deletions: DeletionsView;
  demo: DemoView;
  /** The newest replay of many messages; null when there was none. */
  replayJob: ReplayJobView | null;
  savedFilters: SavedFilters;
  exports: ExportSettings;
}
export type LivePart = keyof LiveParts;

/** Where the key is that seals secrets: sealed by the system, in the file `key`, or given in `HOOKBENCH_KEY`. */
export type KeyStorage = 'system' | 'file' | 'environment';

export interface WorkspaceInfo {
  name: string;
  folder: string;
  version: string;
  shell: 'electron' | 'headless';
  /** Null when the shell does not say. */
  keyStorage: KeyStorage | null;
}

/** The answer to `app.hello`. */
export interface Hello {
  /** Changes at every start of the engine. A `seq` of another epoch causes a reset. */
  epoch: string;
  seq: number;
  /** True when the changes since `since` are not known any more: drop every cached message row. */
  reset: boolean;
  workspace: WorkspaceInfo;
  parts: LiveParts;
}

/** One push of the engine, at most every 100 ms (500 ms while hidden). */
export interface ChangeBatch {
  seq: number;
  /** True when too much changed or was missed: drop cached rows and ask again. */
  reset: boolean;
  messages: MessageRow[];
  /** Row ids. */
  removedMessages: number[];
  /** The parts that changed since the previous batch. A reset always includes `status`. */
  parts: Partial<LiveParts>;
}
