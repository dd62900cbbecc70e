/** People and clients of a world of audiences: their commands over the contract, and what the model learns of them. */
import type { MembersChanged } from '../../../src/contract/audiences.ts';
import { type CommandName, commands } from '../../../src/contract/commands.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import type { Life } from '../life.ts';
import { type DrawnFile, fileOf, fileOfAll } from './import-file.ts';
import { type ImportWish, importFile } from './importing.ts';
import {
  type AudienceModel,
  changedBy,
  type Edit,
  type Setting,
  type Shape,
  type SourceModel,
  type Values,
} from './model.ts';
import type { Definition, SentCall } from './rules.ts';
import type { AudienceWorld } from './world.ts';

/** Members that one transaction takes. */
const EDITED = 500;

const pick = <T>(from: readonly T[], place: number): T | undefined => from[Math.floor(place * from.length)];

/** Null when no answer came, because the process ended; false when it was refused. */
export type Answer<T> = { readonly value: T } | false | null;

export class People {
  readonly #world: AudienceWorld;
  #calls = 0;
  /** Imports that were answered. */
  imports = 0;

  constructor(world: AudienceWorld) {
    this.#world = world;
  }

  get #life(): Life | null {
    const { life } = this.#world;
    return life?.up === true ? life : null;
  }

  violate(what: string, detail: string): void {
    this.#world.violate(what, detail);
  }

  async ask(name: CommandName, input: unknown): Promise<Answer<unknown>> {
    const life = this.#life;
    if (life === null) return null;
    if (!Object.hasOwn(commands, name)) throw new Error(`There is no command ${name}.`);
    try {
      const value = (await life.client.call(name, input as never)) as unknown;
      if (!life.alive) return null;
      this.#world.say(`person ${name} ${JSON.stringify(input)} done`);
      return { value };
    } catch (error) {
      if (!life.alive) return null;
      const code = error instanceof ContractError ? error.code : String(error);
      this.#world.say(`person ${name} ${JSON.stringify(input)}: ${code}`);
      const isOurs = code === 'invalid_argument' || (code === 'internal' && !this.#world.isStoreWeak);
      if (isOurs && life.up) this.#world.violate('a command failed', `${name}: ${(error as Error).message}`);
      return false;
    }
  }

  #audience(which: number): AudienceModel | undefined {
    return pick([...this.#world.facts.audiences.values()], which);
  }

  #source(which: number): SourceModel | undefined {
    return pick([...this.#world.facts.sources.values()], which);
  }

  #users(who: readonly number[]): string[] {
    return [...new Set(who.map((place) => pick(this.#world.plan.users, place)!))];
  }

  // Audiences

  async edit(which: number, add: readonly number[], remove: readonly number[]): Promise<void> {
    const audience = this.#audience(which);
    if (audience !== undefined && this.#life !== null)
      await this.#edit(audience, this.#users(add), this.#users(remove));
  }

  async #edit(audience: AudienceModel, add: readonly string[], remove: readonly string[]): Promise<void> {
    await this.change(audience, [{ add, remove }], async () => {
      return (await this.ask('audiences.editMembers', { id: audience.id, add, remove })) as Answer<MembersChanged>;
    });
  }

  /** Changes a list in these steps. One change at a time, so that the model knows what may have happened. */
  async change(
    audience: AudienceModel,
    steps: readonly Edit[],
    ask: () => Promise<Answer<MembersChanged>>,
  ): Promise<void> {
    if (audience.isChanging || audience.rule !== null || this.#life === null) return;
    const { facts, judge, time } = this.#world;
    const before = audience.members;
    audience.steps = steps;
    for (const { add } of steps) for (const userId of add) facts.added.set(userId, time.real);
    const answer = await ask();
    // Without an answer the next life finds out.
    if (answer === null || audience.steps !== steps) return;
    if (answer === false) return judge.members.settle(audience);
    audience.made();
    this.#checkChanged(before, steps, answer.value);
  }

  /** The answer counts who came and who went, in this order. Nobody knows that of users who are erased. */
  #checkChanged(before: Values, steps: readonly Edit[], { added, removed }: MembersChanged): void {
    if (this.#world.facts.vague.size > 0) return;
    const counts = changedBy(before, steps);
    if (added !== counts.added || removed !== counts.removed)
      this.violate('a change of members counts others', `${added} and ${removed}, not ${JSON.stringify(counts)}`);
  }

  async import(which: number, file: DrawnFile, wish: Omit<ImportWish, 'piece'>): Promise<void> {
    const audience = this.#audience(which);
    if (audience === undefined || audience.rule !== null || this.#life === null) return;
    // Who goes from a large list goes in more than one step.
    const mode = this.#world.plan.users.length > EDITED ? 'add' : wish.mode;
    await importFile(this, audience, fileOf(file, this.#world.plan.users), { ...wish, mode, piece: file.piece });
  }

  /** Imports everyone into the first audience. The process is killed after so many of its commits. */
  async importUntil(commits: number): Promise<void> {
    const audience = this.#audience(0);
    if (audience === undefined || audience.rule !== null || this.#life === null) return;
    const { plan } = this.#world;
    const onRun = (): void => {
      this.#world.doom = { at: 'afterCommit', left: commits };
    };
    await importFile(this, audience, fileOfAll(plan.users), { mode: 'add', piece: 10_000, onRun });
  }

  async sync(which: number): Promise<void> {
    const audience = this.#audience(which);
    if (audience !== undefined) await this.ask('audiences.sync', { id: audience.id });
  }

  /** The process is killed after so many commits of a sync. */
  async syncUntil(commits: number): Promise<void> {
    this.#world.doom = { at: 'afterCommit', left: commits };
    await this.sync(0);
  }

  #open(which: number): number | undefined {
    const audience = this.#audience(which);
    const open = [...this.#world.facts.syncs.values()].find(
      ({ fact }) => fact.audienceId === audience?.id && fact.state !== 'done',
    );
    return open?.fact.id;
  }

  async stopSync(which: number): Promise<void> {
    const sync = this.#open(which);
    if (sync !== undefined) await this.ask('audiences.stopSync', { sync });
  }

  async resumeSync(which: number): Promise<void> {
    const sync = this.#open(which);
    if (sync !== undefined) await this.#resume(sync);
  }

  async #resume(sync: number): Promise<void> {
    const { resumed, syncs } = this.#world.facts;
    if (this.#life === null || syncs.get(sync)?.fact.state !== 'stopped') return;
    resumed.add(sync);
    if ((await this.ask('audiences.resumeSync', { sync })) === false) resumed.delete(sync);
  }

  async plan(which: number, sync: unknown): Promise<void> {
    const audience = this.#audience(which);
    if (audience !== undefined) await this.#save(audience.id, sync);
  }

  async rule(which: number, rule: Definition, trait: Definition): Promise<void> {
    const audience = this.#audience(which);
    if (audience?.rule == null) return;
    const definition = audience.kind === 'audience' ? rule : trait;
    const { id } = audience;
    const { name } = this.#world.plan.audiences[id - 1]!;
    this.#world.ruleChanged();
    const input = { id, kind: audience.kind, name, source: { by: 'computed', definition } };
    await this.#set(audience.rule, definition, 'audiences.save', input);
    this.#world.ruleChanged();
  }

  async #save(id: number, sync: unknown): Promise<void> {
    const { name } = this.#world.plan.audiences[id - 1]!;
    const { kind } = this.#world.facts.audiences.get(id)!;
    await this.ask('audiences.save', { id, kind, name, sync });
  }

  // Settings

  async #set<T>(setting: Setting<T>, value: T, name: CommandName, input: unknown): Promise<void> {
    if (this.#life === null) return;
    const before = setting.value;
    setting.asked(value);
    const answer = await this.ask(name, input);
    if (answer === false) setting.holds(before);
    else if (answer !== null) setting.holds(value);
  }

  destination(enabled: boolean): Promise<void> {
    return this.#set(this.#world.facts.destination, enabled, 'destination.save', { enabled });
  }

  shape(body: Shape): Promise<void> {
    return this.#set(this.#world.facts.shape, body, 'destination.save', { body });
  }

  async source(which: number, isOn: boolean): Promise<void> {
    const source = this.#source(which);
    if (source === undefined) return;
    const { id, name, writeKey, webhooks } = source;
    const input = { id, name, writeKey, kind: 'server', enabled: true, webhooks: isOn };
    await this.#set(webhooks, isOn, 'sources.save', input);
  }

  async pause(paused: boolean): Promise<void> {
    await this.ask('destination.save', { paused });
  }

  async speed(speed: number): Promise<void> {
    this.#world.ruleChanged();
    await this.ask('clock.setSpeed', { speed });
    this.#world.ruleChanged();
  }

  // Storage

  /** Final messages beyond these limits are removed. */
  async limits(limits: { readonly maxMessages?: number; readonly maxAgeDays?: number }): Promise<void> {
    await this.ask('storage.save', limits);
  }

  /** Removes final messages of the older part of the store. */
  async clear(share: number): Promise<void> {
    const newest = [...this.#world.facts.states.keys()].at(-1);
    if (newest !== undefined) await this.ask('storage.clear', { upTo: Math.max(1, Math.ceil(newest * share)) });
  }

  // Deletions

  async delete(who: readonly number[], erase: boolean, suppress: boolean): Promise<void> {
    const { plan, facts } = this.#world;
    const from = erase || suppress ? plan.doomed : plan.users;
    const userIds = [...new Set(who.map((place) => pick(from, place)!))];
    if (this.#life !== null && erase) for (const userId of userIds) facts.vague.add(userId);
    await this.#changing(suppress ? userIds : [], 'deletions.create', { userIds, erase, suppress });
  }

  async suppress(who: number): Promise<void> {
    const userIds = [pick(this.#world.plan.doomed, who)!];
    await this.#changing(userIds, 'deletions.suppress', { userIds });
  }

  async lift(who: number): Promise<void> {
    const userIds = [pick(this.#world.plan.doomed, who)!];
    await this.#changing(userIds, 'deletions.lift', { userIds });
  }

  /** Until the answer comes, these users may be suppressed or not. */
  async #changing(userIds: readonly string[], name: CommandName, input: unknown): Promise<void> {
    if (this.#life === null) return;
    const { changing } = this.#world.facts;
    const count = (by: number): void => {
      for (const userId of userIds) changing.set(userId, (changing.get(userId) ?? 0) + by);
      for (const userId of userIds) if (changing.get(userId)! <= 0) changing.delete(userId);
    };
    count(1);
    if ((await this.ask(name, input)) !== null) count(-1);
  }

  // Messages

  #message(which: number): number | undefined {
    return pick([...this.#world.facts.states.keys()], which);
  }

  async replay(which: number): Promise<void> {
    const id = this.#message(which);
    const webhook = this.#life?.engine.parts.workspace.webhooks.all[0];
    if (id === undefined || webhook === undefined) return;
    this.#world.judge.messages.replays(id);
    await this.ask('replay.send', { id, webhookIds: [webhook.id] });
  }

  async stopMessage(which: number): Promise<void> {
    const id = this.#message(which);
    if (id === undefined) return;
    this.#world.judge.messages.stopping.add(id);
    await this.ask('messages.stop', { id });
  }

  // Clients

  calls(which: number, who: readonly number[], call: SentCall): Promise<void> {
    return this.#send(which, this.#users(who), call);
  }

  callOfDoomed(which: number, who: number, call: SentCall): Promise<void> {
    return this.#send(which, [pick(this.#world.plan.doomed, who)!], call);
  }

  async #send(which: number, userIds: readonly string[], call: SentCall): Promise<void> {
    const source = this.#source(which);
    const life = this.#life;
    if (source === undefined || life === null) return;
    const batch = userIds.map((userId) => {
      this.#calls += 1;
      const messageId = `sim-${this.#calls}`;
      this.#world.facts.calls.set(messageId, call);
      const { type, event, total, plan, agoMs } = call;
      const timestamp = new Date(this.#world.time.wall() - agoMs).toISOString();
      if (type === 'identify') return { type, messageId, userId, timestamp, traits: { plan } };
      return { type, event, messageId, userId, timestamp, properties: { total } };
    });
    await life.handle(post(source.writeKey, { batch }));
  }

  // The beginning and the end

  /** Makes the audiences in the first life. */
  async begin(): Promise<void> {
    for (const { name, track, first, rule } of this.#world.plan.audiences) {
      const source = rule === null ? { by: 'hand' } : { by: 'computed', definition: rule };
      const kind = kindOf(rule);
      const made = await this.ask('audiences.save', { kind, name, track: kind === 'audience' && track, source });
      if (made === null || made === false) continue;
      const { id, property } = made.value as { id: number; property: string };
      const audience = this.#world.audience(id, property, kind === 'audience' && track, rule);
      if (rule !== null) continue;
      for (let at = 0; at < first.length; at += EDITED) await this.#edit(audience, first.slice(at, at + EDITED), []);
    }
  }

  /**
   * Puts everything right, and syncs by hand what does not sync by itself. Called again until nothing is left to tell.
   */
  async heal(): Promise<void> {
    const { facts } = this.#world;
    await this.pause(false);
    await this.speed(1);
    if (!facts.destination.value || facts.destination.possible.length > 1) await this.destination(true);
    for (const { fact } of facts.syncs.values()) if (fact.state === 'stopped') await this.#resume(fact.id);
    for (const { id } of facts.audiences.values())
      if (this.#life?.engine.parts.audiences.row(id).sync.when === 'hand') await this.ask('audiences.sync', { id });
  }
}

const kindOf = (rule: Definition | null): 'audience' | 'trait' =>
  rule === null || 'of' in rule ? 'audience' : 'trait';

function post(writeKey: string, body: unknown): IngestRequest {
  return {
    method: 'POST',
    target: '/v1/batch',
    headers: [
      ['Host', '127.0.0.1:8765'],
      ['Content-Type', 'application/json'],
      ['Authorization', `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`],
    ],
    body: Buffer.from(JSON.stringify(body)),
    remote: '127.0.0.1',
  };
}
