/** How an engine is started. */
import type { Config } from '../../contract/config.ts';

/** What a person may ask of one start. A shell takes it from its command line. */
export interface StartChoices {
  /** Wins over config and stored settings; 0 takes any free port. */
  readonly ingestPort?: number | undefined;
  /** Turns the https listener on for this run; 0 takes any free port. */
  readonly httpsPort?: number | undefined;
  /** Wins over the stored setting for this run. */
  readonly acceptAnyKey?: boolean | undefined;
  /** Takes the store as it is, also when it is not the one that was here. */
  readonly acceptStore?: boolean | undefined;
  /** Win over config and stored settings; 0 takes any free one. */
  readonly receiversPort?: number | undefined;
  readonly receiversHttpsPort?: number | undefined;
}

/** The choices among other options: each of them, and nothing else. */
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
  /** A config file's values, every `{env}` already replaced by its value. */
  readonly config?: Config | undefined;
  /** False leaves the local control socket of the command line closed. */
  readonly controlSocket?: boolean | undefined;
  /** Built or source path of `receivers-worker.ts`; without it receivers are off. */
  readonly receiversWorker?: string | URL | undefined;
  /** Where the shell shows the interface: no webhook may lead there. */
  readonly uiPort?: number | undefined;
}
