/** The seam to rules and computed traits: who is in, or has which value, by stored traffic. */

/** One user with the value that a definition gives: JSON text, `true` for a member of an audience. */
export interface ComputedUser {
  readonly userId: string;
  readonly value: string;
}

export interface MembersOf {
  /** Null when the definition can be computed, else what is wrong with it. */
  problemOf(kind: 'audience' | 'trait', definition: string): string | null;
  /**
   * At most `limit` users with a value, above `after`, in the order of their ids' UTF-8 bytes, as they are now on the
   * retry clock. Fewer than `limit` when there are no more.
   */
  window(
    kind: 'audience' | 'trait',
    definition: string,
    after: string | null,
    limit: number,
  ): Promise<readonly ComputedUser[]>;
  /** `listener` runs when users of a definition may have changed. */
  onChanged(listener: () => void): void;
}
