/** What people and their traits are made of: the stored calls that name a user. */
import type { JsonObject } from '../../model/call.ts';
import type { CallType } from '../../model/vocabulary.ts';

/** A stored call with a user id that a client sent and that was not rejected. */
export interface UserCall {
  /** Row id of the message. */
  readonly id: number;
  readonly type: CallType;
  /** Of a track call: its event. */
  readonly event: string;
  readonly userId: string;
  /** Null when it came without a source. */
  readonly sourceId: number | null;
  /** Wall time. */
  readonly receivedAt: number;
  /** The delivered body; null when it cannot be read. */
  readonly body: JsonObject | null;
}

/** A stored call as far as it names somebody. */
export interface NamedCall {
  /** Row id of its message. */
  readonly id: number;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  /** Of an alias call: the id before. */
  readonly previousId: string | null;
}

/** One call of a person. */
export type PersonCall = Omit<UserCall, 'userId'> & Pick<NamedCall, 'userId' | 'anonymousId'>;

export interface UserCallPage {
  readonly calls: readonly UserCall[];
  /** Every call with an id that was not rejected and is no notice of a deletion; {@link calls} are among them. */
  readonly named: readonly NamedCall[];
  /** Everything up to this id was read. */
  readonly readTo: number;
}

/** Read-only, and from any thread. Each method is one short read, so that it holds up no checkpoint. */
export interface UserCallStore {
  /** The next calls with ids above `after` and up to `upTo`, among at most `limit` messages. Damaged pages are left out. */
  page(after: number, upTo: number, limit: number): UserCallPage;
  /** The bodies that can be read, by row id. */
  bodies(ids: readonly number[]): ReadonlyMap<number, JsonObject>;
  /** Those of {@link UserCallPage.named} with these ids, ascending. Damaged rows are left out. */
  personCalls(ids: readonly number[]): readonly PersonCall[];
  newestId(): number;
  close(): void;
}
