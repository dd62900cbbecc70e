/** What a client is told without asking: everything small when it connects, and from then on what changed. */
import type { FaultsView } from './faults.ts';
import type { ReceiversView } from './receivers.ts';
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
 * The parts of the engine's state that every client holds. Each is small and is sent whole. A further part is a line
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
}
export type LivePart = keyof LiveParts;

export interface WorkspaceInfo {
  name: string;
  folder: string;
  version: string;
  shell: 'electron' | 'headless';
}

/** The answer to `app.hello`. */
export interface Hello {
  /** Changes when the engine starts anew; a `seq` of another epoch means a reset. */
  epoch: string;
  seq: number;
  /** True when the asked difference could not be given: drop every cached message row. */
  reset: boolean;
  workspace: WorkspaceInfo;
  parts: LiveParts;
}

/** One push of the engine, at most every 100 ms (500 ms while hidden). */
export interface ChangeBatch {
  seq: number;
  /** True: too much changed or was missed; drop cached rows and ask again. */
  reset: boolean;
  messages: MessageRow[];
  /** Row ids. */
  removedMessages: number[];
  /** Those that changed since the batch before. A reset always has `status`. */
  parts: Partial<LiveParts>;
}
