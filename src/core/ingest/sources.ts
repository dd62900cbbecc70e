/** The source of a write key, made on the way where the workspace accepts any key (decisions, Ingest). */
import type { Source } from '../model/records.ts';
import type { Logger } from '../ports.ts';
import type { IngestWorkspace } from './ports.ts';
import { canBeSourceKey } from './write-key.ts';

export class SourceFinder {
  readonly #workspace: IngestWorkspace;
  readonly #logger: Logger;
  /** Requests with the same new key that arrive together must make one source. */
  readonly #making = new Map<string, Promise<Source | undefined>>();

  constructor(workspace: IngestWorkspace, logger: Logger) {
    this.#workspace = workspace;
    this.#logger = logger;
  }

  find(writeKey: string | null): Source | undefined {
    return writeKey === null ? undefined : this.#workspace.sourceByKey(writeKey);
  }

  /** Undefined when sources are not made for any key, or no more can be made. */
  make(writeKey: string | null): Promise<Source | undefined> | undefined {
    if (writeKey === null || !this.#workspace.settings().acceptAnyKey || !canBeSourceKey(writeKey)) return undefined;
    const underWay = this.#making.get(writeKey);
    if (underWay !== undefined) return underWay;
    const made = this.#create(writeKey).finally(() => this.#making.delete(writeKey));
    this.#making.set(writeKey, made);
    return made;
  }

  async #create(writeKey: string): Promise<Source | undefined> {
    try {
      return await this.#workspace.createSource(writeKey);
    } catch (error) {
      // The calls are kept as of an unknown source, so nothing is lost.
      this.#logger.log('warn', 'source_not_made', { message: (error as Error).message });
      return undefined;
    }
  }
}
