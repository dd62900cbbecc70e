/**
 * Rules and computed traits as audiences take them: a definition is JSON text, and gives users with values. The answer
 * waits until everyone is counted, because an answer from half a count would remove members.
 */
import type { z } from 'zod';
import { audienceRule, computedTrait } from '../../contract/people.ts';
import type { Definition, Window } from './messages.ts';
import { definitionKey } from './messages.ts';
import type { People } from './people.ts';

export type DefinitionKind = 'audience' | 'trait';

/** One user with the value that a definition gives, as JSON text: `true` for a member. */
export interface ComputedUser {
  readonly userId: string;
  readonly value: string;
}

type Keeper = Pick<People, 'ask' | 'hold' | 'release' | 'whenCounted' | 'onDefinition'>;

const MEMBER = 'true';

export class ComputedUsers {
  readonly #people: Keeper;
  readonly #kept = new Map<string, Definition>();

  constructor(people: Keeper) {
    this.#people = people;
  }

  /** Null when the definition can be computed, else what is wrong with it, with the path of the field. */
  problemOf(kind: DefinitionKind, definition: string): string | null {
    const read = readDefinition(kind, definition);
    return typeof read === 'string' ? read : null;
  }

  /**
   * Keeps these counted, and no others. Call it at the start and whenever a definition comes, changes or goes: only
   * what is kept reports changes.
   */
  keep(definitions: ReadonlyArray<{ readonly kind: DefinitionKind; readonly definition: string }>): void {
    const wanted = new Map<string, Definition>();
    for (const { kind, definition } of definitions) {
      const read = readDefinition(kind, definition);
      if (typeof read !== 'string') wanted.set(definitionKey(read), read);
    }
    for (const [key, definition] of this.#kept)
      if (!wanted.has(key)) {
        this.#kept.delete(key);
        this.#people.release(definition);
      }
    for (const [key, definition] of wanted)
      if (!this.#kept.has(key)) {
        this.#kept.set(key, definition);
        this.#people.hold(definition);
      }
  }

  /**
   * At most `limit` users with a value, above `after`, in the order of their ids' UTF-8 bytes, as they are now on the
   * retry clock. Fewer than `limit` when there are no more. Rejects with a `PeopleOffError` when people cannot be
   * counted; that says nothing about who is in.
   */
  async window(
    kind: DefinitionKind,
    text: string,
    after: string | null,
    limit: number,
  ): Promise<readonly ComputedUser[]> {
    const definition = readDefinition(kind, text);
    if (typeof definition === 'string') throw new Error(definition);
    for (;;) {
      await this.#people.whenCounted(definition);
      const users = await this.#users(definition, { after, limit });
      if (users !== null) return users;
    }
  }

  /** Null when a new count has begun meanwhile. */
  async #users(definition: Definition, window: Window): Promise<readonly ComputedUser[] | null> {
    if ('rule' in definition) {
      const members = await this.#people.ask('members', { ...definition, ...window });
      return members?.rows.map((userId) => ({ userId, value: MEMBER })) ?? null;
    }
    const values = await this.#people.ask('values', { ...definition, ...window });
    return values?.rows.map(({ userId, value }) => ({ userId, value: JSON.stringify(value) })) ?? null;
  }

  /** `listener` runs with the key of a kept definition whose users may have changed. */
  onChanged(listener: (key: string) => void): void {
    this.#people.onDefinition((key) => {
      if (this.#kept.has(key)) listener(key);
    });
  }

  /** Definitions of the same key give the same users. Null for one that cannot be computed. */
  keyOf(kind: DefinitionKind, text: string): string | null {
    const read = readDefinition(kind, text);
    return typeof read === 'string' ? null : definitionKey(read);
  }
}

/** The definition, or what is wrong with it. */
function readDefinition(kind: DefinitionKind, text: string): Definition | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The definition is not JSON.';
  }
  if (kind === 'audience') {
    const rule = audienceRule.safeParse(value);
    return rule.success ? { rule: rule.data } : problemText(rule.error);
  }
  const trait = computedTrait.safeParse(value);
  return trait.success ? { trait: trait.data } : problemText(trait.error);
}

function problemText({ issues }: z.ZodError): string {
  const { path, message } = issues[0]!;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
