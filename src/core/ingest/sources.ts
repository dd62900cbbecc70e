/** Finds the source of a write key, and makes one where the workspace accepts any key (decisions, Ingest). */
import type { Source } from '../model/records.ts';
import type { Logger } from '../ports.ts';
import type { IngestWorkspace } from './ports.ts';
import { canBeSourceKey } from './write-key.ts';

export class SourceFinder {
  readonly #workspace: IngestWorkspace;
  readonly #logger: Logger;
  /** Requests with the same new key that arrive together must share one source. */
  readonly #making = new Map<string, Promise<Source | undefined>>();

  constructor(workspace: IngestWorkspace, logger: Logger) {
    this.#workspace = workspace;
    this.#logger = logger;
  }

  find(writeKey: string | null): Source | undefined {
    return writeKey === null ? undefined : this.#workspace.sourceByKey(writeKey);
  }

  /** Undefined when the workspace does not accept any key, or can make no more sources. */
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
      // The calls are kept under an unknown source, so nothing is lost.
      this.#logger.log('warn', 'source_not_made', { message: (error as Error).message });
      return undefined;
    }
  }
}
