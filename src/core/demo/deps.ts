/** What the demo needs from the rest of the core. */
import type { Handlers } from '../../contract/channel.ts';
import type { Config } from '../../contract/config.ts';
import type { TourStep } from '../../contract/demo-limits.ts';
import type { Clock, Logger, Timers } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';

/** How a demo is started. */
export interface DemoOptions {
  readonly seed: number;
  /** Calls a minute. */
  readonly rate: number;
}

/** What a restart must know. */
export interface KeptDemo {
  /** Calls of the sequence that ingest has taken. */
  readonly sent: number;
  readonly step: TourStep | null;
}

/** The commands that the demo uses. */
export type DemoCommands = Pick<
  Handlers,
  | 'app.status'
  | 'audiences.list'
  | 'audiences.save'
  | 'audiences.sync'
  | 'audiences.getSync'
  | 'deletions.list'
  | 'deletions.create'
  | 'receivers.list'
  | 'receivers.save'
  | 'receivers.restart'
  | 'clock.setSpeed'
>;

/** What the demo is given once the parts of the engine exist. */
export interface DemoBench {
  /** Posts JSON to the ingest port and gives the status; 0 when there was no answer. */
  post(path: string, body: string, writeKey: string): Promise<number>;
  /** Takes over settings as a config file would. */
  take(config: Config): Promise<void>;
  /** The address of the receivers over http, without a path; null while they do not listen. */
  receivers(): string | null;
  /** The speed of the retry clock. */
  speed(): number;
  readonly commands: DemoCommands;
}

export interface DemoDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly write: Writer['write'];
  readonly kept: { read(): KeptDemo | undefined; save(kept: KeptDemo, changes: Changes): void };
  /** Called when something that clients see has changed. */
  changed(): void;
}
