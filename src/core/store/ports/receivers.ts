/** Receivers that the user made or edited. Reads are few and small, because the lab keeps them in memory. */
import type { Changes } from './changes.ts';

/** A receiver as it is stored. `steps` is any JSON array; only the lab interprets it. */
export interface StoredReceiver<S = unknown> {
  readonly id: string;
  readonly name: string;
  readonly tls: boolean;
  readonly steps: readonly S[];
  readonly check: {
    readonly on: boolean;
    readonly onMismatch: 'reject' | 'mark';
    readonly secret: 'shared' | 'wrong';
  };
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface ReceiverStore {
  /** Oldest first. Empty when they cannot be read. */
  all(): StoredReceiver[];
  /** Inserts, or updates everything but the creation time. */
  save(receiver: StoredReceiver, changes: Changes): void;
  /** False when there was none. */
  remove(id: string, changes: Changes): boolean;
}
