/** How an engine is started. */
import type { Config } from '../../contract/config.ts';
import type { KeyStorage } from '../../contract/live.ts';
import type { DemoOptions } from '../demo/deps.ts';

/** What the user may choose for one start. A shell reads it from its command line. */
export interface StartChoices {
  /** Wins over config and stored settings; 0 takes any free port. */
  readonly ingestPort?: number | undefined;
  /** Turns the https listener on for this run; 0 takes any free port. */
  readonly httpsPort?: number | undefined;
  /** Wins over the stored setting for this run. */
  readonly acceptAnyKey?: boolean | undefined;
  /** Opens the store even when it is not the one that was here before. */
  readonly acceptStore?: boolean | undefined;
  /** These win over config and stored settings; 0 takes any free port. */
  readonly receiversPort?: number | undefined;
  readonly receiversHttpsPort?: number | undefined;
}

/** Picks the choices of a start out of other options. */
export const choicesOf = ({
  ingestPort,
  httpsPort,
  acceptAnyKey,
  acceptStore,
  receiversPort,
  receiversHttpsPort,
}: StartChoices): StartChoices => ({
  ingestPort,
  httpsPort,
  acceptAnyKey,
  acceptStore,
  receiversPort,
  receiversHttpsPort,
});

export interface EngineOptions extends StartChoices {
  /** Absolute path of the workspace folder; made with mode 0700 when absent. */
  readonly workspace: string;
  readonly version: string;
  readonly shell: 'electron' | 'headless';
  /** Where the shell has the key that seals secrets. */
  readonly keyStorage?: KeyStorage | undefined;
  /** A config file's values, with every `{env}` replaced by its value. */
  readonly config?: Config | undefined;
  /** False leaves the local control socket of the command line closed. */
  readonly controlSocket?: boolean | undefined;
  /** Built or source path of `receivers-worker.ts`. Without it receivers are off. */
  readonly receiversWorker?: string | URL | undefined;
  /** Built or source path of `people-worker.ts`. Without it people are kept in the engine's thread, as tests do. */
  readonly peopleWorker?: string | URL | undefined;
  /**
   * Built or source path of `background-worker.ts`. Without it the search index is in the engine's thread, and the store
   * moves its log within commits, as in tests.
   */
  readonly backgroundWorker?: string | URL | undefined;
  /** A store with fewer messages has no search index. By default 4,096. */
  readonly searchFrom?: number | undefined;
  /** The port on which the shell serves the interface. No webhook may lead there. */
  readonly uiPort?: number | undefined;
  /** Makes the workspace a demo that fills itself (docs/demo.md). */
  readonly demo?: DemoOptions | undefined;
}
