/** Suppressed users: their calls are rejected. The whole list of ids is kept in memory too. */
import type { Changes } from './changes.ts';

export interface Suppression {
  /** Exactly as it was given. */
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** The deletion request that suppressed it, or null. */
  readonly requestId: number | null;
  /** Calls rejected since then; counted by ingest. */
  readonly hits: number;
  readonly lastHitAt: number | null;
}

export interface SuppressionWindow {
  /** Ids above this one, in the order of their bytes. */
  readonly after?: string | undefined;
  /** Only ids that contain this text. */
  readonly search?: string | undefined;
  readonly limit: number;
}

export interface SuppressionStore {
  userIds(): string[];
  window(window: SuppressionWindow): Suppression[];
  /** How many match. */
  count(search?: string): number;
  get(userId: string): Suppression | undefined;
  /** Users and hits by request, newest request first, those without one last. */
  totals(): Array<{ readonly requestId: number | null; readonly users: number; readonly hits: number }>;
  /** One that is there already stays as it is. True when it is new. */
  add(suppression: Pick<Suppression, 'userId' | 'since' | 'requestId'>, changes: Changes): boolean;
  /** False when there was none. */
  remove(userId: string, changes: Changes): boolean;
}
