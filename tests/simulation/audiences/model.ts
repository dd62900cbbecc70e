/**
 * What Hookbench must tell whom, in a few lines that know nothing of how it is done (delivery specification, section 6):
 * sets of members, what was told last, and the bytes of each call.
 */

import type { Definition } from './rules.ts';

export type Shape = 'documented' | 'pass-through';
/** JSON: `true` and `false` of an audience, any value of a trait. */
export type Told = string;
/** Users with the value that they have now; members have `true`. */
export type Values = ReadonlyMap<string, Told>;

/** A setting that a person is changing: until the answer comes, the old or the new value may hold. */
export class Setting<T> {
  #values: readonly T[];

  constructor(value: T) {
    this.#values = [value];
  }

  /** What may hold now. */
  get possible(): readonly T[] {
    return this.#values;
  }

  get value(): T {
    return this.#values.at(-1)!;
  }

  asked(value: T): void {
    this.#values = [...this.#values, value];
  }

  holds(value: T): void {
    this.#values = [value];
  }
}

export interface PlannedTell {
  readonly userId: string;
  readonly type: 'identify' | 'track';
  readonly value: Told;
}

/** An edit of members, which is one transaction. */
export interface Edit {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export class AudienceModel {
  readonly id: number;
  readonly property: string;
  readonly kind: 'audience' | 'trait';
  readonly track: boolean;
  members: Values = new Map();
  readonly told = new Map<string, Told>();
  /** Before the newest commit, where a definition makes them. */
  membersBefore: Values = new Map();
  /** An edit or import that was asked for and not answered: its transactions, of which some may have happened. */
  steps: readonly Edit[] = [];
  /** Null for a list. */
  readonly rule: Setting<Definition> | null;

  constructor(id: number, property: string, track: boolean, rule: Definition | null = null) {
    this.kind = rule === null || 'of' in rule ? 'audience' : 'trait';
    this.id = id;
    this.property = property;
    this.track = track;
    this.rule = rule === null ? null : new Setting(rule);
  }

  get isChanging(): boolean {
    return this.steps.length > 0;
  }

  /** Members before the steps under way, and after each of them. Those of a rule come with its commits. */
  get possible(): readonly Values[] {
    if (this.rule !== null) return [this.members, this.membersBefore];
    const possible = [this.members];
    for (const step of this.steps) possible.push(edited(possible.at(-1)!, step));
    return possible;
  }

  /** All steps were made. */
  made(): void {
    this.members = this.possible.at(-1)!;
    this.steps = [];
  }

  /** Who must be told what, if these are the members: only differences from what was told last. */
  plan(members: Values): PlannedTell[] {
    const users = [...new Set([...members.keys(), ...this.told.keys()])].sort(byBytes);
    return users.flatMap((userId): PlannedTell[] => {
      const value = this.#toTell(members.get(userId), this.told.get(userId));
      if (value === null) return [];
      const identify: PlannedTell = { userId, type: 'identify', value };
      return this.track ? [identify, { userId, type: 'track', value }] : [identify];
    });
  }

  /** A trait that is lost cannot be taken back. */
  #toTell(value: Told | undefined, told: Told | undefined): Told | null {
    if (value === told) return null;
    if (value !== undefined) return value;
    return this.kind === 'audience' && told === 'true' ? 'false' : null;
  }

  /** The bytes of a call, made at wall time `at`. */
  body({ userId, type, value }: PlannedTell, messageId: string, at: number, shape: Shape): string {
    const time = JSON.stringify(new Date(at).toISOString());
    const user = JSON.stringify(userId);
    const { property, id, kind } = this;
    const said =
      type === 'identify'
        ? `"traits":{"${property}":${value}}`
        : `"event":"Audience ${value === 'true' ? 'Entered' : 'Exited'}",` +
          `"properties":{"audience_key":"${property}","${property}":${value}}`;
    if (shape === 'documented')
      return `{"type":"${type}","userId":${user},"timestamp":${time},"version":1,${said},"context":{}}`;
    const computation = kind === 'audience' ? `aud_${id}` : `tra_${id}`;
    const personas = `{"computation_class":"${kind}","computation_id":"${computation}","computation_key":"${property}"}`;
    return (
      `{"type":"${type}","messageId":"${messageId}","userId":${user},"timestamp":${time},${said},` +
      `"context":{"personas":${personas}},"originalTimestamp":${time},"receivedAt":${time}}`
    );
  }
}

function edited(members: Values, { add, remove }: Edit): Values {
  const after = new Map(members);
  for (const userId of add) after.set(userId, 'true');
  for (const userId of remove) after.delete(userId);
  return after;
}

/** How many came, and how many went after that. */
export function changedBy(
  before: Values,
  steps: readonly Edit[],
): { readonly added: number; readonly removed: number } {
  let [added, removed, members] = [0, 0, before];
  for (const { add, remove } of steps) {
    const grown = edited(members, { add, remove: [] });
    added += grown.size - members.size;
    members = edited(grown, { add: [], remove });
    removed += grown.size - members.size;
  }
  return { added, removed };
}

/** A source and the calls that it is known to have sent, by user. */
export class SourceModel {
  readonly id: number;
  readonly name: string;
  readonly writeKey: string;
  readonly webhooks: Setting<boolean>;
  readonly calls = new Map<string, number>();

  constructor(id: number, name: string, writeKey: string, isOn: boolean) {
    this.id = id;
    this.name = name;
    this.writeKey = writeKey;
    this.webhooks = new Setting(isOn);
  }

  callsOf(userId: string): number {
    return this.calls.get(userId) ?? 0;
  }

  add(userId: string, calls: number): void {
    this.calls.set(userId, this.callsOf(userId) + calls);
  }
}

/** Exactly three fields, in either shape. */
export const noticeBody = (userId: string, createdAt: number): string =>
  `{"type":"delete","userId":${JSON.stringify(userId)},"timestamp":${JSON.stringify(new Date(createdAt).toISOString())}}`;
