/**
 * Seeded worlds: random answers, faults, commands and kills against a real store. After every step of every world the
 * invariants of reliability hold: acknowledged is stored, final is final, no send without a committed row, none after
 * the window but one where it ended in a sleep, a webhook that declined is left alone, counters count.
 */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DeliveryWebhook } from '../../src/core/delivery/webhooks.ts';
import { FINAL_STATES, type MessageState } from '../../src/core/model/vocabulary.ts';
import type { AttemptRequest } from '../../src/core/ports.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { Core, countedStates, newMessage, urlOf, webhookOf } from '../helpers/core-fixture.ts';
import { seededRandom } from '../helpers/sim-ports.ts';
import { answer, noConnection, type Reply, refusedCertificate, timedOut } from '../helpers/sim-transport.ts';
import { ALL_ATTEMPTS } from '../helpers/store-rows.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const WINDOW_MS = 60_000;
const rules = { baseMs: 1_000, factor: 2, maxMs: 8_000, windowMs: WINDOW_MS };

class World {
  readonly random: () => number;
  readonly acknowledged = new Set<string>();
  readonly finals = new Map<number, string>();
  readonly webhooks: DeliveryWebhook[];
  readonly folder = tempWorkspace();
  core: Core;
  sends = 0;
  kills = 0;
  #ingested = 0;
  /** Readings of the retry clock between which the wall clock went ahead, as it does while a machine sleeps. */
  readonly #sleeps: Array<{ readonly from: number; readonly to: number }> = [];
  /** Commits or sends of this life until the kill. */
  #killIn = 0;
  #violation: unknown;

  constructor(seed: number) {
    const random = seededRandom(seed);
    this.random = () => random.next();
    this.webhooks = Array.from({ length: 1 + this.below(3) }, (_, i) => webhookOf(i + 1));
    this.core = this.#prepare(
      new Core({ folder: this.folder, rules, onCommit: (changes) => this.#committed(changes) }),
    );
  }

  below(n: number): number {
    return Math.floor(this.random() * n);
  }

  #prepare(core: Core): Core {
    this.#killIn = 5 + this.below(60);
    core.transport.onSend = (request) => {
      this.#watch(() => this.#checkSend(core, request));
      this.#mayKill(core);
    };
    for (let slot = 1; slot <= 3; slot++) core.transport.on(urlOf(slot), () => this.#reply());
    this.#beat(core);
    return core;
  }

  /** A running engine looks at its clock every second. */
  #beat(core: Core): void {
    if (core.dead) return;
    core.retryClock.now();
    core.time.after(1_000, () => this.#beat(core));
  }

  #jump(core: Core): void {
    const from = core.retryClock.now();
    core.time.jumpWall(this.below(4_000) - 2_000);
    this.#sleeps.push({ from, to: core.retryClock.now() });
  }

  #reply(): Reply {
    const afterMs = 1 + this.below(400);
    switch (this.below(9)) {
      case 1:
        return answer(200, afterMs);
      case 2:
        return answer(400, afterMs);
      case 3:
        return answer(429, afterMs, [['Retry-After', String(this.below(20))]]);
      case 4:
        return refusedCertificate(afterMs);
      case 5:
        return noConnection(afterMs);
      case 0:
      case 6:
        return timedOut(5_000);
      default:
        return answer(503, afterMs);
    }
  }

  #checkSend(core: Core, request: AttemptRequest): void {
    this.sends += 1;
    const { id: messageId } = JSON.parse(Buffer.from(request.body).toString()) as { id: string };
    const message = core.db
      .prepare('SELECT id, state, window_ends_at FROM messages WHERE message_id = ?')
      .get(messageId) as {
      id: number;
      state: string;
      window_ends_at: number;
    };
    expect(core.db.inTransaction).toBe(false);
    expect(message.state).toBe('delivering');
    const rows = core.attempts(message.id).filter(({ url }) => url === request.url);
    expect(rows.filter(({ outcome }) => outcome === null)).toHaveLength(1);
    expect(rows.filter(({ outcome }) => outcome === 'declined' || outcome === 'accepted')).toHaveLength(0);
    this.#checkWindow(
      message.window_ends_at,
      rows.map(({ clockAt }) => clockAt),
    );
  }

  /** Nothing begins after the window, but one last round where the window ended in a sleep. */
  #checkWindow(endsAt: number, startedAt: readonly number[]): void {
    const late = startedAt.filter((at) => at > endsAt);
    const sleptPast = this.#sleeps.some(({ from, to }) => from <= endsAt && endsAt < to);
    expect(late.length).toBeLessThanOrEqual(sleptPast ? 1 : 0);
  }

  /** A violation is told at the end of the step: thrown inside the core it might be taken for an error of its own. */
  #watch(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#violation ??= error;
    }
  }

  #committed(changes: Changes): void {
    const { core } = this;
    if (core === undefined) return;
    this.#watch(() => {
      for (const id of changes.messages) {
        const { state } = core.message(id);
        const before = this.finals.get(id);
        if (before !== undefined) expect(state).toBe(before);
        if (FINAL_STATES.has(state as MessageState)) this.finals.set(id, state);
      }
    });
    this.#mayKill(core);
  }

  /** A kill in the middle of things: what the step had still to do does not happen. */
  #mayKill(core: Core): void {
    this.#killIn -= 1;
    if (this.#killIn === 0) core.kill();
  }

  async run(): Promise<void> {
    await this.core.start(this.webhooks);
    for (let step = 0; step < 60; step++) {
      await this.#step();
      if (this.#violation !== undefined) throw this.#violation;
      if (this.core.dead || this.random() < 0.02) await this.#again();
      expect(this.core.counts()).toEqual(countedStates(this.core.db));
    }
    this.#killIn = Number.POSITIVE_INFINITY;
    this.core.db.pragma('query_only = OFF');
    for (const [i, webhook] of this.webhooks.entries()) this.webhooks[i] = { ...webhook, enabled: true };
    await this.core.setWebhooks([...this.webhooks]);
    for (let i = 0; i < 6; i++) await this.core.time.advance(WINDOW_MS / 2);
    await this.#again();
    this.#killIn = Number.POSITIVE_INFINITY;
    for (let slot = 1; slot <= 3; slot++) this.core.transport.on(urlOf(slot), () => answer(503, 10));
    for (let i = 0; i < 3; i++) await this.core.time.advance(WINDOW_MS);
    this.#checkEnd();
    this.core.db.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #step(): Promise<void> {
    const { core } = this;
    const chance = this.below(20);
    if (chance < 5) this.#ingest();
    else if (chance === 5) this.#toggle();
    else if (chance === 6) this.#person((id) => core.dispatcher.stopMessage(id));
    else if (chance === 7)
      this.#person(async (id) => {
        await core.dispatcher.retryNow(id);
      });
    else if (chance === 8) core.db.pragma('query_only = ON');
    else if (chance === 9) core.dispatcher.hold(this.random() < 0.5);
    else if (chance === 10) this.#jump(core);
    if (chance !== 8 && this.random() < 0.5) core.db.pragma('query_only = OFF');
    await core.time.advance([0, 5, 50, 400, 3_000, 12_000][this.below(6)]!);
  }

  #ingest(): void {
    const messages = Array.from({ length: 1 + this.below(4) }, () => newMessage(`m${this.#ingested++}`));
    const { core } = this;
    core.ingest(messages).then(
      () => {
        if (!core.dead) for (const { messageId } of messages) this.acknowledged.add(messageId);
      },
      () => {},
    );
  }

  #toggle(): void {
    const at = this.below(this.webhooks.length);
    this.webhooks[at] = { ...this.webhooks[at]!, enabled: !this.webhooks[at]!.enabled };
    this.core.dispatcher.hold(false);
    this.core.dispatcher.setWebhooks([...this.webhooks]);
    if (!this.webhooks.some(({ enabled }) => enabled)) return;
    const { core } = this;
    core.writer
      .write((changes) => core.deliveries.recovery.resumePaused(core.retryClock.now(), changes))
      .then(
        () => core.dispatcher.refresh(),
        () => {},
      );
  }

  #person(act: (id: number) => Promise<unknown>): void {
    if (this.#ingested > 0) act(1 + this.below(this.#ingested)).catch(() => {});
  }

  async #again(): Promise<void> {
    this.kills += 1;
    this.core = this.#prepare(this.core.again());
    await this.core.start([...this.webhooks]);
    while (this.core.dead) {
      this.core = this.#prepare(this.core.again());
      await this.core.start([...this.webhooks]);
    }
  }

  #checkEnd(): void {
    if (this.#violation !== undefined) throw this.#violation;
    const { db } = this.core;
    const stored = new Set(db.prepare('SELECT message_id FROM messages').pluck().all());
    for (const id of this.acknowledged) expect(stored.has(id), `${id} was acknowledged`).toBe(true);
    expect(stored.size).toBe(db.prepare('SELECT count(*) FROM messages').pluck().get());
    for (const row of this.core.lists.window(1, 1_000)) {
      expect(FINAL_STATES.has(row.state), `${row.messageId} is ${row.state}`).toBe(true);
      const outcomes = this.core.outcomes(row.id);
      expect(outcomes).not.toContain(null);
      if (row.state === 'delivered') expect(outcomes).toContain('accepted');
      else if (row.state !== 'stopped') expect(outcomes).not.toContain('accepted');
      expect(row.cells).not.toMatch(/[sw]/);
    }
    expect(
      db
        .prepare(
          `SELECT count(*) FROM (SELECT 1 FROM ${ALL_ATTEMPTS} GROUP BY message_id, round, webhook_id HAVING count(*) > 1)`,
        )
        .pluck()
        .get(),
    ).toBe(0);
    expect(db.prepare(`SELECT count(*) FROM ${ALL_ATTEMPTS}`).pluck().get()).toBeGreaterThanOrEqual(this.sends);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(this.core.dispatcher.queued).toBe(0);
    expect(this.core.dispatcher.inFlight).toBe(0);
    expect(this.core.counts()).toEqual(countedStates(db));
  }
}

describe('30 worlds with kills', () => {
  test.each(Array.from({ length: 10 }, (_, i) => i))('seeds %d00 and on: every invariant holds', async (batch) => {
    let kills = 0;
    for (let seed = batch * 100; seed < batch * 100 + 3; seed++) {
      const world = new World(seed);
      try {
        await world.run();
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
      kills += world.kills;
    }
    expect(kills).toBeGreaterThan(4);
  });
});
