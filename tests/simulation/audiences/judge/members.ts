/** Members of lists, and whom a rule or a trait has found: what is stored, and what nobody was told yet. */
import type { AudienceModel, PlannedTell, Values } from '../model.ts';
import type { UserFact } from '../rows.ts';
import type { Facts } from './facts.ts';
import { textOf } from './tells.ts';

export class MemberRules {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** At each commit: whom a definition has let in so far. The computed rules say whether that is right. */
  see(): void {
    for (const audience of this.#facts.audiences.values()) {
      if (audience.rule === null) continue;
      audience.membersBefore = audience.members;
      audience.members = valuesOf(audience, this.#facts.rows.users(audience.id));
    }
  }

  /** A life begins: what was asked and not answered happened or did not, step by step. */
  begun(): void {
    for (const audience of this.#facts.audiences.values()) if (audience.rule === null) this.settle(audience);
  }

  /** Nothing is being asked of this list any more. Takes what is stored, which must be what may have happened. */
  settle(audience: AudienceModel): void {
    const stored = this.#text(valuesOf(audience, this.#facts.rows.users(audience.id)));
    const found = audience.possible.find((members) => this.#text(members) === stored);
    if (found === undefined)
      this.#facts.violate(
        'other members after a crash or a refusal',
        `${audience.id}: ${stored}, not ${audience.possible.map((members) => this.#text(members)).join(' or ')}`,
      );
    else audience.members = found;
    audience.steps = [];
  }

  #text(values: Values): string {
    return JSON.stringify([...values.keys()].filter((userId) => !this.#facts.vague.has(userId)).sort());
  }

  /** Suppressed users are told nothing. */
  untold(audience: AudienceModel): PlannedTell[] {
    const { vague, suppressed } = this.#facts;
    return audience.plan(audience.members).filter(({ userId }) => !vague.has(userId) && !suppressed.has(userId));
  }

  atEnd(): void {
    for (const audience of this.#facts.audiences.values()) {
      const left = this.untold(audience);
      if (left.length > 0) this.#facts.violate('somebody was not told', `${audience.id}: ${textOf(left)}`);
    }
  }
}

/** The values that users have now. A former member has `false`, which is none. */
const valuesOf = ({ kind }: AudienceModel, users: readonly UserFact[]): Values =>
  new Map(
    users.flatMap(({ userId, value }) =>
      value === null || (kind === 'audience' && value === 'false') ? [] : [[userId, value]],
    ),
  );
