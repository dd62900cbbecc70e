/** One turn of `bench/rules.ts` with rules: an engine, its audience, and what is measured on it. */
import type { Engine } from '../src/core/engine/engine.ts';
import type { AudienceRule } from '../src/core/model/audience-rule.ts';
import { definitionKey } from '../src/core/people/messages.ts';
import { figuresOf, type LoadPhase, type Phase, pause, rounded } from './load-phase.ts';
import { DAY, KEY } from './people-store.ts';
import type { Memory } from './rules-memory.ts';

const NAME = 'Recent buyers';
const rule: AudienceRule = {
  match: 'all',
  of: [
    { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'DE', 'FR', 'IT'] } },
    {
      kind: 'event',
      event: 'Order Completed',
      op: 'at_least',
      times: 1,
      withinMs: 7 * DAY,
      where: [{ path: 'properties.total', test: { op: 'above', value: 20 } }],
    },
  ],
};
const traits = [
  ['Spent', { kind: 'sum', event: 'Order Completed', path: 'properties.total', where: [], withinMs: null }],
  ['Calls this week', { kind: 'count', event: null, path: null, where: [], withinMs: 7 * DAY }],
] as const;
const LOOK_MS = 10;

/** A user who is to join. Moments are 0 until they come. */
interface Joining {
  readonly userId: string;
  committedAt: number;
  newsAt: number;
  readonly storedAt: number;
  readonly resolve: (joined: Joining) => void;
}

let users = 0;

export class RulesBench {
  readonly engine: Engine;
  readonly port: number;
  readonly #listeningMs: number;
  readonly #startedAt = performance.now();
  readonly #memory: Memory;
  #joining: Joining | null = null;
  #found: number | null = null;

  constructor(started: { engine: Engine; port: number; listeningMs: number }, memory: Memory) {
    this.engine = started.engine;
    this.port = started.port;
    this.#listeningMs = started.listeningMs;
    this.#memory = memory;
    this.#listen();
  }

  get #id(): number {
    this.#found ??= this.engine.parts.audiences.view().audiences.find(({ name }) => name === NAME)!.id;
    return this.#found;
  }

  /** Saves the audience and the traits. Seconds until everyone is counted, and until the members are in the store. */
  async makeAudience() {
    const { audiences } = this.engine.parts;
    const save = (kind: 'audience' | 'trait', name: string, definition: object) =>
      audiences.save({ kind, name, source: { by: 'computed', definition: definition as never } });
    await save('audience', NAME, rule);
    for (const [name, definition] of traits) await save('trait', name, definition);
    return this.#ready();
  }

  /** After a start with the stored audience: what it says until everyone is counted, and when that is. */
  async untilReady() {
    return { listeningMs: Math.round(this.#listeningMs), ...(await this.#ready()) };
  }

  async #ready() {
    const { audiences, people } = this.engine.parts;
    const shown: number[] = [];
    let saysDoneAtOnce = true;
    while (!(await people.ask('rule', { rule })).done) {
      saysDoneAtOnce = false;
      shown.push(audiences.row(this.#id).counts.members);
      await pause(LOOK_MS);
    }
    const countedSeconds = rounded((performance.now() - this.#startedAt) / 1_000);
    await audiences.dryRun(this.#id, null, 1);
    const takenOverSeconds = rounded((performance.now() - this.#startedAt) / 1_000);
    const membersMeanwhile = saysDoneAtOnce ? null : [Math.min(...shown), Math.max(...shown)];
    const { members } = audiences.row(this.#id).counts;
    return { countedSeconds, takenOverSeconds, membersMeanwhile, members, longestTurn: this.#memory.takeLongestTurn() };
  }

  async #post(path: string, body: object): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${KEY}:`)}` },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}`);
    await answer.arrayBuffer();
  }

  /**
   * A user whom one more order brings in. Milliseconds from the commit of that call, before its answer, to the news that
   * the count has changed (which may be of another call, where there are others), and until the user is a stored member.
   */
  async #join(): Promise<{ news: number; stored: number }> {
    users += 1;
    const userId = `timed_${users}`;
    await this.#post('/v1/identify', { userId, traits: { address: { country: 'AT' } } });
    await pause(25);
    const joined = new Promise<Joining>((resolve) => {
      this.#joining = { userId, committedAt: 0, newsAt: 0, storedAt: 0, resolve };
    });
    await this.#post('/v1/track', { userId, event: 'Order Completed', properties: { total: 30 } });
    const { committedAt, newsAt, storedAt } = await joined;
    return { news: newsAt - committedAt, stored: storedAt - committedAt };
  }

  /** What a commit, or the news of a new count, says about the user who is to join. */
  #listen(): void {
    const { store, stores, people } = this.engine.parts;
    store.onCommitted(({ inserted }) => {
      const joining = this.#joining;
      if (joining === null) return;
      const isCall = (id: number): boolean => stores.lists.message(id)?.userId === joining.userId;
      if (joining.committedAt === 0 && inserted.some(isCall)) joining.committedAt = performance.now();
      if (joining.committedAt === 0 || stores.audiences.user(this.#id, joining.userId)?.value !== 'true') return;
      this.#joining = null;
      joining.resolve({ ...joining, storedAt: performance.now() });
    });
    people.onDefinition((key) => {
      if (key === definitionKey({ rule }) && this.#joining !== null && this.#joining.committedAt > 0)
        this.#joining.newsAt ||= performance.now();
    });
  }

  /** One call after the other, with nothing beside them. */
  async newCalls(calls: number) {
    this.#memory.atRest();
    const took: Array<{ news: number; stored: number }> = [];
    for (let n = 0; n < calls; n += 1) took.push(await this.#join());
    return {
      counted: figuresOf(took.map(({ news }) => news)),
      stored: figuresOf(took.map(({ stored }) => stored)),
    };
  }

  /** For a load phase: single calls until the user is a stored member. */
  timedCall(took: number[]): () => Promise<void> {
    return async () => void took.push((await this.#join()).stored);
  }

  /** Full recounts, one after the other, while calls arrive; at least one whole one. */
  async recountUnder(load: LoadPhase, took: number[]) {
    const done: Awaited<ReturnType<RulesBench['recount']>>[] = [];
    const phases: Phase[] = [];
    let isOver = false;
    this.#memory.takeLongestTurn();
    const running = (async () => {
      while (!isOver) done.push(await this.recount());
    })();
    do phases.push(await load.run(this.port, this.timedCall(took)));
    while (done.length === 0);
    isOver = true;
    const figures = { ...done[0]!, recounts: done.length, longestTurn: this.#memory.takeLongestTurn() };
    await this.engine.parts.people.ask('cancelRecount', null);
    await running;
    return { phases, figures };
  }

  /** Seconds until everyone is counted again, and until the members in the store are those; how often progress changed. */
  async recount() {
    const { audiences, people } = this.engine.parts;
    const from = performance.now();
    const progress = new Set<number>();
    await people.ask('recount', null);
    for (let at = people.view().recount; at !== null; at = people.view().recount) {
      progress.add(at);
      await pause(LOOK_MS);
    }
    const seconds = rounded((performance.now() - from) / 1_000);
    await audiences.dryRun(this.#id, null, 1);
    return { seconds, takenOverSeconds: rounded((performance.now() - from) / 1_000), progressEvents: progress.size };
  }

  /** Milliseconds from the wish to the answer, in the middle of a recount. */
  async cancel(): Promise<number> {
    const { people } = this.engine.parts;
    await people.ask('recount', null);
    while ((people.view().recount ?? 1) < 0.1) await pause(LOOK_MS);
    const from = performance.now();
    await people.ask('cancelRecount', null);
    while (people.view().recount !== null) await pause(0);
    return rounded(performance.now() - from);
  }

  async removeAudiences(): Promise<void> {
    const { audiences } = this.engine.parts;
    const view = audiences.view();
    for (const { id } of [...view.audiences, ...view.traits]) await audiences.remove(id);
  }
}
