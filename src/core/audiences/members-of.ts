/** The seam to rules and computed traits: who is in, or has which value, by stored traffic. */

/** One user with the value that a definition gives: JSON text, `true` for a member of an audience. */
export interface ComputedUser {
  readonly userId: string;
  readonly value: string;
}

/** Users who changed, with the value they have now: null for none. `everyone`: it is not known who changed. */
export interface MovedUsers {
  readonly everyone: boolean;
  readonly users: ReadonlyArray<{ readonly userId: string; readonly value: string | null }>;
  /** There are more of them. */
  readonly more: boolean;
}

export type DefinitionKind = 'audience' | 'trait';

export interface MembersOf {
  /** Null when the definition can be computed, else what is wrong with it. */
  problemOf(kind: DefinitionKind, definition: string): string | null;
  /** Definitions of the same key give the same users. Null for one that cannot be computed. */
  keyOf(kind: DefinitionKind, definition: string): string | null;
  /** Keeps these counted, and no others. Only they report changes. */
  keep(definitions: ReadonlyArray<{ readonly kind: DefinitionKind; readonly definition: string }>): void;
  /**
   * At most `limit` users with a value, above `after`, in the order of their ids' UTF-8 bytes, as they are now on the
   * retry clock. Fewer than `limit` when there are no more. Waits until everyone is counted. Error `people_off`: that
   * says nothing about who is in.
   */
  window(
    kind: DefinitionKind,
    definition: string,
    after: string | null,
    limit: number,
  ): Promise<readonly ComputedUser[]>;
  /**
   * At most `limit` users of a kept definition who came, went, or have another value since this was asked last; each
   * change is given once. Waits and rejects as {@link window} does.
   */
  moved(kind: DefinitionKind, definition: string, limit: number): Promise<MovedUsers>;
  /** `listener` runs with the key of a kept definition whose users may have changed. */
  onChanged(listener: (key: string) => void): void;
}
