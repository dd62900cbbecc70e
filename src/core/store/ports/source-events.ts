/** Counts of a source's track events, for a range of messages at a time. */

export interface EventCount {
  readonly name: string;
  readonly received: number;
  /** How many of them were not sent because the event was switched off. */
  readonly off: number;
  readonly lastAt: number;
}

export interface SourceEventStore {
  /** By name, for messages with ids above `after` and up to `upTo`, not counting rejected ones. */
  counts(stretch: { readonly sourceId: number; readonly after: number; readonly upTo: number }): EventCount[];
}
