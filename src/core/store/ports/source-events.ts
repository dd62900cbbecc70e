/** What is stored of a source's track events, counted a stretch of the messages at a time. */

export interface EventCount {
  readonly name: string;
  readonly received: number;
  /** Of those, how many did not go out because the event is switched off. */
  readonly off: number;
  readonly lastAt: number;
}

export interface SourceEventStore {
  /** By name, of messages with ids above `after`, up to `upTo`; rejected ones apart. */
  counts(stretch: { readonly sourceId: number; readonly after: number; readonly upTo: number }): EventCount[];
}
