/**
 * Rules and computed traits as audiences take them: a definition is JSON text, and gives users with values. The answer
 * waits until everyone is counted, because an answer from half a count would remove members.
 */
import type { z } from 'zod';
import { ContractError } from '../../contract/errors.ts';
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

/** Users who changed, with the value they have now: null for none. `everyone`: it is not known who changed. */
export interface MovedUsers {
  readonly everyone: boolean;
  readonly users: ReadonlyArray<{ readonly userId: string; readonly value: string | null }>;
  /** There are more of them. */
  readonly more: boolean;
}

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
    const definition = readable(kind, text);
    return this.#counted(definition, () => this.#users(definition, { after, limit }));
  }

  /** Null when not everyone is counted. */
  async #users(definition: Definition, window: Window): Promise<readonly ComputedUser[] | null> {
    if ('rule' in definition) {
      const members = await this.#people.ask('members', { ...definition, ...window });
      return members?.rows.map((userId) => ({ userId, value: MEMBER })) ?? null;
    }
    const values = await this.#people.ask('values', { ...definition, ...window });
    return values?.rows.map(({ userId, value }) => ({ userId, value: JSON.stringify(value) })) ?? null;
  }

  /**
   * At most `limit` users of a kept definition who came, went, or have another value since this was asked last; each
   * change is given once. Waits and rejects as {@link window} does.
   */
  async moved(kind: DefinitionKind, text: string, limit: number): Promise<MovedUsers> {
    const definition = readable(kind, text);
    const { users, ...rest } = await this.#counted(definition, () => this.#people.ask('moved', { definition, limit }));
    const changed = users.map(({ userId, value }) => ({
      userId,
      value: value === null ? null : JSON.stringify(value),
    }));
    return { ...rest, users: changed };
  }

  /** Asks again after each count, until everyone is counted. */
  async #counted<A>(definition: Definition, ask: () => Promise<A | null>): Promise<A> {
    for (;;) {
      const answer = await ask();
      if (answer !== null) return answer;
      await this.#people.whenCounted(definition);
    }
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

/** A definition that was saved, so it could be read then. */
function readable(kind: DefinitionKind, text: string): Definition {
  const read = readDefinition(kind, text);
  if (typeof read === 'string') throw new ContractError('invalid_argument', read, 'source.definition');
  return read;
}

function problemText({ issues }: z.ZodError): string {
  const { path, message } = issues[0]!;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
