/** What the judge knows: the model, what people are changing, and the committed rows. */
import type { MessageState } from '../../../../src/core/model/vocabulary.ts';
import { type AudienceModel, Setting, type Shape, type SourceModel } from '../model.ts';
import type { AudienceRows, CallFact, SyncFact } from '../rows.ts';
import type { SentCall } from '../rules.ts';

/** `clock` is the retry clock; null while no process runs. */
export interface Now {
  readonly clock: number | null;
  readonly real: number;
}

export type Violate = (what: string, detail: string) => void;

/** A sync as the judge follows it. */
export interface FollowedSync {
  fact: SyncFact;
  /** Null while it prepares. */
  plan: readonly CallFact[] | null;
  /** Row ids of its messages: that of position 1 first. */
  readonly messages: number[];
}

export class Facts {
  readonly rows: AudienceRows;
  readonly now: () => Now;
  readonly violate: Violate;
  readonly audiences = new Map<number, AudienceModel>();
  readonly sources = new Map<number, SourceModel>();
  readonly destination = new Setting(true);
  readonly shape: Setting<Shape>;
  readonly syncs = new Map<number, FollowedSync>();
  /** The newest state of each message, which outlives the message. */
  readonly states = new Map<number, MessageState>();
  /** Users whose place in audiences is not followed: a person asked to erase them. */
  readonly vague = new Set<string>();
  /** Users whose suppression a person is changing, with how often. */
  readonly changing = new Map<string, number>();
  /** Syncs that a person asked to resume. */
  readonly resumed = new Set<number>();
  /** Calls that clients sent, by messageId. */
  readonly calls = new Map<string, SentCall>();
  /** When a person last added a user to any audience, in real milliseconds. */
  readonly added = new Map<string, number>();
  suppressed: ReadonlySet<string> = new Set();
  /** Users who were suppressed or lifted in the newest commit, and those whose suppression a person is changing. */
  unsure: ReadonlySet<string> = new Set();

  constructor(rows: AudienceRows, shape: Shape, now: () => Now, violate: Violate) {
    this.rows = rows;
    this.shape = new Setting(shape);
    this.now = now;
    this.violate = violate;
  }
}
