/** Memory of this process and of the thread of people, and that thread's longest turn. */
import { BroadcastChannel } from 'node:worker_threads';
import { NEWS, type WorkerNews } from './rules-worker-news.ts';

const MB = 1024 * 1024;
const LOOK_MS = 250;

interface Use {
  /** Of the whole process. */
  readonly rss: number;
  readonly engineHeap: number;
  readonly peopleHeap: number;
  /** Typed arrays and the like, outside the heap. */
  readonly peopleExternal: number;
}

const most = (a: Use, b: Use): Use => ({
  rss: Math.max(a.rss, b.rss),
  engineHeap: Math.max(a.engineHeap, b.engineHeap),
  peopleHeap: Math.max(a.peopleHeap, b.peopleHeap),
  peopleExternal: Math.max(a.peopleExternal, b.peopleExternal),
});

export class Memory {
  readonly #channel = new BroadcastChannel(NEWS);
  readonly #timer: NodeJS.Timeout;
  #worker: WorkerNews = { heapMb: 0, externalMb: 0, loopMaxMs: 0 };
  #rest: Use;
  #peak: Use;
  #longestTurn = 0;

  constructor() {
    this.#rest = this.#peak = this.#now();
    this.#channel.onmessage = (event) => {
      this.#worker = (event as { data: WorkerNews }).data;
      this.#longestTurn = Math.max(this.#longestTurn, this.#worker.loopMaxMs);
      this.#look();
    };
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  #now(): Use {
    const { rss, heapUsed } = process.memoryUsage();
    const { heapMb, externalMb } = this.#worker;
    return {
      rss: Math.round(rss / MB),
      engineHeap: Math.round(heapUsed / MB),
      peopleHeap: Math.round(heapMb),
      peopleExternal: Math.round(externalMb),
    };
  }

  #look(): void {
    this.#peak = most(this.#peak, this.#now());
  }

  /** Everyone is counted and nothing happens. */
  atRest(): void {
    this.#rest = this.#now();
  }

  /** Milliseconds of the longest turn of the thread of people since this was asked last. */
  takeLongestTurn(): number {
    const longest = this.#longestTurn;
    this.#longestTurn = 0;
    return Math.round(longest);
  }

  figures(): { readonly rest: Use; readonly peak: Use } {
    return { rest: this.#rest, peak: this.#peak };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#channel.close();
  }
}
