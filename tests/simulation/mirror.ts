/** A screen in a world: the rows of a client that learns of changes only through the feed. */
import type { ChangeBatch } from '../../src/contract/live.ts';
import type { MessageRow } from '../../src/contract/values.ts';
import type { Life } from './life.ts';

export class Mirror {
  readonly #rows = new Map<number, string>();
  #life: Life | null = null;
  #since: { epoch: string; seq: number } | undefined;

  /** Connects to a new life, as a page that was left open does. */
  async attach(life: Life): Promise<void> {
    this.#life = life;
    const hello = await life.client.call('app.hello', { since: this.#since });
    this.#since = { epoch: hello.epoch, seq: hello.seq };
    await this.#fetch();
  }

  apply(batch: ChangeBatch): void {
    if (this.#since !== undefined) this.#since = { ...this.#since, seq: batch.seq };
    for (const row of batch.messages) this.#set(row);
    for (const id of batch.removedMessages) this.#rows.delete(id);
    if (batch.reset) void this.#fetch().catch(() => {});
  }

  rows(): ReadonlyMap<number, string> {
    return this.#rows;
  }

  async #fetch(): Promise<void> {
    this.#rows.clear();
    const { rows } = await this.#life!.client.call('messages.window', { fromRank: 0, count: 500 });
    for (const row of rows) this.#set(row);
  }

  #set({ id, state, round, cells }: MessageRow): void {
    this.#rows.set(id, `${state}/${round}/${cells}`);
  }
}
