/** What the thread of people tells `bench/rules.ts` about itself. */
export interface WorkerNews {
  readonly heapMb: number;
  readonly externalMb: number;
  /** Its longest turn since the news before. */
  readonly loopMaxMs: number;
}

/** Name of the broadcast channel. */
export const NEWS = 'bench-people';
