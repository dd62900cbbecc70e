/** People and clients of a world of audiences: their commands over the contract, and what the model learns of them. */
import { type CommandName, commands } from '../../../src/contract/commands.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import type { Life } from '../life.ts';
import type { AudienceModel, Edit, Setting, Shape, SourceModel } from './model.ts';
import type { Definition, SentCall } from './rules.ts';
import type { AudienceWorld } from './world.ts';

/** Members that one transaction takes. */
const EDITED = 500;

const pick = <T>(from: readonly T[], place: number): T | undefined => from[Math.floor(place * from.length)];

export class People {
  readonly #world: AudienceWorld;
  #calls = 0;

  constructor(world: AudienceWorld) {
    this.#world = world;
  }

  get #life(): Life | null {
    const { life } = this.#world;
    return life?.up === true ? life : null;
  }

  /** Null when no answer came, because the process ended; false when it was refused. */
  async #ask(name: CommandName, input: unknown): Promise<{ readonly value: unknown } | false | null> {
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
      const isOurs = code === 'invalid_argument' || code === 'internal';
      if (isOurs && life.up) this.#world.violate('a command failed', `${name}: ${(error as Error).message}`);
      return false;
    }
  }

  #audience(which: number): AudienceModel | undefined {
    return pick([...this.#world.judge.audiences.values()], which);
  }

  #source(which: number): SourceModel | undefined {
    return pick([...this.#world.judge.sources.values()], which);
  }

  #users(who: readonly number[]): string[] {
    return [...new Set(who.map((place) => pick(this.#world.plan.users, place)!))];
  }

  // Audiences

  /** One edit at a time for each audience, so that the model knows what may have happened. */
  async edit(which: number, add: readonly number[], remove: readonly number[]): Promise<void> {
    const audience = this.#audience(which);
    if (audience !== undefined && this.#life !== null)
      await this.#edit(audience, this.#users(add), this.#users(remove));
  }

  async #edit(audience: AudienceModel, add: readonly string[], remove: readonly string[]): Promise<void> {
    if (audience.edit !== null || audience.rule !== null) return;
    const edit: Edit = { add, remove };
    audience.edit = edit;
    for (const userId of add) this.#world.judge.added.set(userId, this.#world.time.real);
    const answer = await this.#ask('audiences.editMembers', { id: audience.id, add, remove });
    if (answer !== null && answer !== false && audience.edit === edit) audience.made(edit);
  }

  async sync(which: number): Promise<void> {
    const audience = this.#audience(which);
    if (audience !== undefined) await this.#ask('audiences.sync', { id: audience.id });
  }

  /** The process is killed after so many commits of a sync. */
  async syncUntil(commits: number): Promise<void> {
    this.#world.doom = { at: 'afterCommit', left: commits };
    await this.sync(0);
  }

  #open(which: number): number | undefined {
    const audience = this.#audience(which);
    const open = [...this.#world.judge.syncs.values()].find(
      ({ fact }) => fact.audienceId === audience?.id && fact.state !== 'done',
    );
    return open?.fact.id;
  }

  async stopSync(which: number): Promise<void> {
    const sync = this.#open(which);
    if (sync !== undefined) await this.#ask('audiences.stopSync', { sync });
  }

  async resumeSync(which: number): Promise<void> {
    const sync = this.#open(which);
    if (sync !== undefined) await this.#resume(sync);
  }

  async #resume(sync: number): Promise<void> {
    const { judge } = this.#world;
    if (this.#life === null || judge.syncs.get(sync)?.fact.state !== 'stopped') return;
    judge.resumed.add(sync);
    await this.#ask('audiences.resumeSync', { sync });
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
    const { kind } = this.#world.judge.audiences.get(id)!;
    await this.#ask('audiences.save', { id, kind, name, sync });
  }

  // Settings

  async #set<T>(setting: Setting<T>, value: T, name: CommandName, input: unknown): Promise<void> {
    if (this.#life === null) return;
    const before = setting.value;
    setting.asked(value);
    const answer = await this.#ask(name, input);
    if (answer === false) setting.holds(before);
    else if (answer !== null) setting.holds(value);
  }

  destination(enabled: boolean): Promise<void> {
    return this.#set(this.#world.judge.destination, enabled, 'destination.save', { enabled });
  }

  shape(body: Shape): Promise<void> {
    return this.#set(this.#world.judge.shape, body, 'destination.save', { body });
  }

  async source(which: number, isOn: boolean): Promise<void> {
    const source = this.#source(which);
    if (source === undefined) return;
    const { id, name, writeKey, webhooks } = source;
    const input = { id, name, writeKey, kind: 'server', enabled: true, webhooks: isOn };
    await this.#set(webhooks, isOn, 'sources.save', input);
  }

  async pause(paused: boolean): Promise<void> {
    await this.#ask('destination.save', { paused });
  }

  async speed(speed: number): Promise<void> {
    this.#world.ruleChanged();
    await this.#ask('clock.setSpeed', { speed });
    this.#world.ruleChanged();
  }

  // Deletions

  async delete(who: readonly number[], erase: boolean, suppress: boolean): Promise<void> {
    const { plan, judge } = this.#world;
    const from = erase || suppress ? plan.doomed : plan.users;
    const userIds = [...new Set(who.map((place) => pick(from, place)!))];
    if (this.#life !== null && erase) for (const userId of userIds) judge.vague.add(userId);
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
    const { changing } = this.#world.judge;
    const count = (by: number): void => {
      for (const userId of userIds) changing.set(userId, (changing.get(userId) ?? 0) + by);
      for (const userId of userIds) if (changing.get(userId)! <= 0) changing.delete(userId);
    };
    count(1);
    if ((await this.#ask(name, input)) !== null) count(-1);
  }

  // Messages

  #message(which: number): number | undefined {
    return pick([...this.#world.judge.states.keys()], which);
  }

  async replay(which: number): Promise<void> {
    const id = this.#message(which);
    const webhook = this.#life?.engine.parts.workspace.webhooks.all[0];
    if (id === undefined || webhook === undefined) return;
    this.#world.judge.replays(id);
    await this.#ask('replay.send', { id, webhookIds: [webhook.id] });
  }

  async stopMessage(which: number): Promise<void> {
    const id = this.#message(which);
    if (id === undefined) return;
    this.#world.judge.stopping.add(id);
    await this.#ask('messages.stop', { id });
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
      this.#world.judge.calls.set(messageId, call);
      const { type, event, total, plan } = call;
      if (type === 'identify') return { type, messageId, userId, traits: { plan } };
      return { type, event, messageId, userId, properties: { total } };
    });
    await life.handle(post(source.writeKey, { batch }));
  }

  // The beginning and the end

  /** Makes the audiences in the first life. */
  async begin(): Promise<void> {
    for (const { name, track, first, rule } of this.#world.plan.audiences) {
      const source = rule === null ? { by: 'hand' } : { by: 'computed', definition: rule };
      const kind = kindOf(rule);
      const made = await this.#ask('audiences.save', { kind, name, track: kind === 'audience' && track, source });
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
    const { judge } = this.#world;
    await this.pause(false);
    await this.speed(1);
    if (!judge.destination.value || judge.destination.possible.length > 1) await this.destination(true);
    for (const { fact } of judge.syncs.values()) if (fact.state === 'stopped') await this.#resume(fact.id);
    for (const { id } of judge.audiences.values())
      if (this.#life?.engine.parts.audiences.row(id).sync.when === 'hand') await this.#ask('audiences.sync', { id });
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
