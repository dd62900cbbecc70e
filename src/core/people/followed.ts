/** The rules and traits that are followed: those that somebody holds, and the last few that somebody asked for. */
import { type Definition, definitionKey, type WatchChange } from './messages.ts';
import type { PeopleIndex } from './people-index.ts';
import { columnsOfRule, RuleWatch } from './rule-watch.ts';
import { columnOfTrait, TraitWatch } from './trait-watch.ts';

/** So many that nobody holds stay; each costs some work for every call. */
const ASKED_FOR = 8;

interface Followed {
  readonly definition: Definition;
  readonly watch: RuleWatch | TraitWatch;
  isHeld: boolean;
  told: WatchChange;
}

export class FollowedDefinitions {
  /** The one asked for last comes last. */
  readonly #followed = new Map<string, Followed>();
  readonly #index: PeopleIndex;

  constructor(index: PeopleIndex) {
    this.#index = index;
  }

  /** Follows what another follows, and nothing else. */
  alignWith(other: FollowedDefinitions): void {
    for (const key of this.#followed.keys()) if (!other.#followed.has(key)) this.#drop(key);
    for (const [key, { definition, isHeld }] of other.#followed) {
      const one = this.#followed.get(key) ?? { definition, watch: this.#begin(definition), isHeld, told: untold(key) };
      one.isHeld = isHeld;
      this.#followed.delete(key);
      this.#followed.set(key, one);
    }
  }

  /** Begins to follow where nobody asked before. */
  rule(definition: Definition & { readonly rule: unknown }): RuleWatch {
    return this.#ask(definition).watch as RuleWatch;
  }

  trait(definition: Definition & { readonly trait: unknown }): TraitWatch {
    return this.#ask(definition).watch as TraitWatch;
  }

  watch(definition: Definition): RuleWatch | TraitWatch {
    return this.#ask(definition).watch;
  }

  hold(definition: Definition): void {
    this.#ask(definition).isHeld = true;
  }

  release(definition: Definition): void {
    const one = this.#followed.get(definitionKey(definition));
    if (one === undefined) return;
    one.isHeld = false;
    one.watch.forgetMoves();
    this.#dropOld();
  }

  cancel(definition: Definition): void {
    const key = definitionKey(definition);
    if (this.#followed.get(key)?.isHeld === false) this.#drop(key);
  }

  #ask(definition: Definition): Followed {
    const key = definitionKey(definition);
    const known = this.#followed.get(key);
    const one = known ?? { definition, watch: this.#begin(definition), isHeld: false, told: untold(key) };
    this.#followed.delete(key);
    this.#followed.set(key, one);
    if (known === undefined) this.#dropOld();
    return one;
  }

  #begin(definition: Definition): RuleWatch | TraitWatch {
    const { data } = this.#index;
    const watch =
      'rule' in definition
        ? new RuleWatch(data, definition.rule, this.#index.columnsFor(columnsOfRule(definition.rule)))
        : new TraitWatch(data, definition.trait, this.#index.columnsFor([columnOfTrait(definition.trait)])[0]!);
    this.#index.watch(watch);
    return watch;
  }

  #dropOld(): void {
    const free = [...this.#followed].filter(([, { isHeld }]) => !isHeld);
    for (const [key] of free.slice(0, -ASKED_FOR)) this.#drop(key);
  }

  #drop(key: string): void {
    this.#index.unwatch(this.#followed.get(key)!.watch);
    this.#followed.delete(key);
    this.#index.dropColumns();
  }

  /** What changed since the last call. */
  changes(): WatchChange[] {
    const changes: WatchChange[] = [];
    for (const [key, one] of this.#followed) {
      const now = stateOf(key, one.watch);
      const { told } = one;
      if (same(now, told)) continue;
      one.told = now;
      const restarted = now.joined < told.joined || now.left < told.left || now.changed < told.changed;
      changes.push(restarted ? now : since(told, now));
    }
    return changes;
  }
}

const untold = (key: string): WatchChange => ({ key, counted: false, joined: 0, left: 0, changed: 0 });

const stateOf = (key: string, watch: RuleWatch | TraitWatch): WatchChange => ({
  key,
  counted: watch.isCounted,
  joined: watch instanceof RuleWatch ? watch.joined : 0,
  left: watch instanceof RuleWatch ? watch.left : 0,
  changed: watch instanceof TraitWatch ? watch.changed : 0,
});

const same = (a: WatchChange, b: WatchChange): boolean =>
  a.counted === b.counted && a.joined === b.joined && a.left === b.left && a.changed === b.changed;

const since = (told: WatchChange, now: WatchChange): WatchChange => ({
  ...now,
  joined: now.joined - told.joined,
  left: now.left - told.left,
  changed: now.changed - told.changed,
});
