/**
 * Compares what is committed, shown and sent with the model. It sees every commit, every send, and looks at what clients
 * see between two of them.
 */
import { FINAL_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import { Ledgers } from './ledgers.ts';
import {
  type AudienceModel,
  noticeBody,
  type PlannedTell,
  Setting,
  type Shape,
  type SourceModel,
  type Values,
} from './model.ts';
import type { AudienceRows, CallFact, DeletionFact, MessageFact, SyncFact } from './rows.ts';
import { computedValue, type KnownCall, type SentCall } from './rules.ts';

/** Null while no process runs. */
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

/** A change by time is seen a moment early or late. */
const SOON_MS = 100;

export class Judge {
  readonly rows: AudienceRows;
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
  readonly #known = new Map<string, readonly KnownCall[]>();
  /** Users with a call of which nobody knows when it came: right before a kill. */
  readonly #untimed = new Set<string>();
  readonly #now: () => Now;
  readonly #violate: Violate;
  readonly #ledgers: Ledgers;
  readonly #bodies = new Map<string, { readonly messages: number[]; accepted: number }>();
  readonly #bodyOf = new Map<number, string>();
  readonly #callers = new Map<number, { readonly source: SourceModel; readonly userId: string }>();
  readonly #deletions = new Map<number, DeletionFact>();
  #suppressed: ReadonlySet<string> = new Set();
  #newest = 0;
  sends = 0;

  constructor(rows: AudienceRows, shape: Shape, now: () => Now, violate: Violate) {
    this.rows = rows;
    this.#now = now;
    this.shape = new Setting(shape);
    this.#violate = violate;
    this.#ledgers = new Ledgers(this, violate);
  }

  get messages(): number {
    return this.states.size;
  }

  /** True when nothing is under way: every message is final, every sync and deletion is done, everybody was told. */
  get isQuiet(): boolean {
    const isOpen = (state: MessageState): boolean => !FINAL_STATES.has(state);
    if ([...this.states.values()].some(isOpen)) return false;
    if ([...this.syncs.values()].some(({ fact }) => fact.state !== 'done')) return false;
    if ([...this.audiences.values()].some((audience) => this.#untold(audience).length > 0)) return false;
    return [...this.#deletions.values()].every(({ finished }) => finished);
  }

  /** Suppressed users are told nothing. */
  #untold(audience: AudienceModel): PlannedTell[] {
    const isTold = (userId: string): boolean => !this.vague.has(userId) && !this.#suppressed.has(userId);
    return audience.plan(audience.members).filter(({ userId }) => isTold(userId));
  }

  // Commits

  committed({ messages, removed, emptied }: Pick<Changes, 'messages' | 'removed' | 'emptied'>, wall: number): void {
    this.#see(wall);
    for (const id of messages) this.#move(id);
    for (const id of [...removed, ...emptied]) this.#gone(id);
    this.#checkDone();
  }

  /** Between two lives: the last commit may not have been told. */
  catchUp(wall: number): void {
    this.#see(wall);
    const left = new Set(this.rows.messagesAfter(0).map(({ id, userId }) => (userId === null ? -id : id)));
    for (const id of this.states.keys()) if (left.has(id) || left.has(-id)) this.#move(id);
    for (const id of this.#callers.keys()) if (!left.has(id)) this.#gone(id);
    this.#checkDone();
  }

  #see(wall: number): void {
    const suppressed = new Set(this.rows.suppressed());
    this.#unsure = new Set([...differing(suppressed, this.#suppressed), ...this.changing.keys()]);
    for (const audience of this.audiences.values()) if (audience.rule !== null) this.#seeMembers(audience);
    for (const fact of this.rows.syncs()) this.#seeSync(fact);
    const sure = new Set([...suppressed].filter((userId) => this.#suppressed.has(userId)));
    const before = new Map([...this.sources.values()].map(({ id, calls }) => [id, new Map(calls)]));
    for (const fact of this.rows.messagesAfter(this.#newest)) {
      this.#newest = fact.id;
      this.#seeMessage(fact, wall, sure);
    }
    for (const fact of this.rows.deletions()) this.#seeDeletion(fact, before);
    this.#suppressed = suppressed;
  }

  /** Whom a rule has let in so far; {@link checkRules} says whether it is right. */
  #seeMembers(audience: AudienceModel): void {
    audience.membersBefore = audience.members;
    const users = this.rows.users(audience.id);
    audience.members = valuesOf(audience, users);
  }

  #unsure: ReadonlySet<string> = new Set();

  #gone(id: number): void {
    const caller = this.#callers.get(id);
    this.#callers.delete(id);
    caller?.source.add(caller.userId, -1);
  }

  #move(id: number): void {
    const state = this.rows.message(id)?.state;
    const before = this.states.get(id);
    if (state === undefined || before === undefined || state === before) return;
    if (FINAL_STATES.has(before)) this.#violate('a final message moved', `${id}: ${before} to ${state}`);
    this.states.set(id, state);
    if (state !== 'delivered') return;
    const body = this.#bodies.get(this.#bodyOf.get(id)!);
    const delivered = body?.messages.filter((one) => this.states.get(one) === 'delivered').length ?? 1;
    if (delivered > (body?.accepted ?? 0)) this.#violate('delivered and no receiver has its bytes', String(id));
  }

  // Syncs

  #seeSync(fact: SyncFact): void {
    const known = this.syncs.get(fact.id);
    if (known === undefined) this.#checkFirst(fact);
    else if (
      known.fact.state === 'stopped' &&
      !['stopped', 'done'].includes(fact.state) &&
      !this.resumed.delete(fact.id)
    )
      this.#violate('a stopped sync goes on by itself', `sync ${fact.id}`);
    const sync = known ?? { fact, plan: null, messages: [] };
    this.syncs.set(fact.id, sync);
    this.#ledgers.frozen(sync, fact);
    sync.fact = fact;
    if (fact.expected === null || fact.expected === sync.plan?.length) return;
    const plan = this.rows.calls(fact.id);
    if (sync.plan === null) this.#checkPlan(fact, plan);
    else this.#checkLeftOut(sync, sync.plan, plan);
    sync.plan = plan;
    if (fact.expected !== plan.length || plan.some(({ position }, i) => position !== i + 1))
      this.#violate(
        'the positions of a plan have gaps',
        `sync ${fact.id}: ${fact.expected} expected, ${plan.length} calls`,
      );
  }

  #checkFirst({ id, audienceId, n }: SyncFact): void {
    const others = [...this.syncs.values()].map(({ fact }) => fact).filter((one) => one.audienceId === audienceId);
    const open = others.find(({ state }) => state !== 'done');
    if (open !== undefined) this.#violate('two syncs of one audience at once', `${id} beside ${open.id}`);
    if (n !== others.length + 1) this.#violate('a sync with another number', `${n}, not ${others.length + 1}`);
  }

  /** The differences between the members and what was told last, and nothing else. */
  #checkPlan({ id, audienceId }: SyncFact, plan: readonly CallFact[]): void {
    const audience = this.audiences.get(audienceId)!;
    const isClear = ({ userId }: { readonly userId: string }): boolean =>
      !this.vague.has(userId) && !this.#unsure.has(userId);
    const planned = textOf(plan.filter(isClear));
    const allowed = audience.possible.map((members) =>
      textOf(audience.plan(members).filter((tell) => isClear(tell) && !this.#suppressed.has(tell.userId))),
    );
    if (!allowed.includes(planned))
      this.#violate('a sync plans other calls', `sync ${id}: ${planned}; not ${allowed.join(' or ')}`);
  }

  /** Only calls of suppressed and erased users that were not sent may be taken out. */
  #checkLeftOut({ fact, messages }: FollowedSync, before: readonly CallFact[], after: readonly CallFact[]): void {
    const isOut = ({ userId }: CallFact): boolean =>
      this.vague.has(userId) || this.#suppressed.has(userId) || this.#unsure.has(userId);
    const left = before.slice(messages.length).filter((call) => !isOut(call));
    const kept = after.slice(messages.length).filter((call) => !isOut(call));
    const sent = [before, after].map((plan) => textOf(plan.slice(0, messages.length)));
    if (sent[0] !== sent[1] || [...textsOf(left)].sort().join() !== [...textsOf(kept)].sort().join())
      this.#violate('a plan changed', `sync ${fact.id}: ${textOf(before)} to ${textOf(after)}`);
  }

  // Messages

  #seeMessage(fact: MessageFact, wall: number, suppressed: ReadonlySet<string>): void {
    const { id, origin, userId, state } = fact;
    this.states.set(id, state);
    const wire = this.rows.wire(id);
    if (wire !== null) this.#remember(id, wire);
    if (origin === 'audience') this.#seeAudienceCall(fact, wire, wall);
    if (origin === 'sdk' && state !== 'rejected') this.#seeCall(fact);
    if (origin !== 'deletion' && userId !== null && suppressed.has(userId) && state !== 'rejected')
      this.#violate('a call of a suppressed user', `message ${id} of ${userId} is ${state}`);
    if ((state === 'rejected') !== (wire === null)) this.#violate('rejected and stored', `message ${id} is ${state}`);
  }

  #remember(id: number, wire: string): void {
    const body = this.#bodies.get(wire);
    if (body === undefined) this.#bodies.set(wire, { messages: [id], accepted: 0 });
    else body.messages.push(id);
    this.#bodyOf.set(id, wire);
  }

  #seeCall({ id, messageId, userId, sourceId }: MessageFact): void {
    const source = this.sources.get(sourceId ?? 0);
    if (source === undefined || userId === null) return;
    const sent = this.calls.get(messageId)!;
    const { clock, real } = this.#now();
    if (clock === null) this.#untimed.add(userId);
    else this.#known.set(userId, [...(this.#known.get(userId) ?? []), { ...sent, id, at: clock, real }]);
    source.add(userId, 1);
    this.#callers.set(id, { source, userId });
  }

  /** The next call of a running sync, and its exact bytes. */
  #seeAudienceCall(fact: MessageFact, wire: string | null, wall: number): void {
    const { id, messageId, received } = fact;
    const [, token, position] = /^aud_([0-9a-f]+)_(\d+)$/.exec(messageId) ?? [];
    const sync = [...this.syncs.values()].find((one) => one.fact.token === token);
    const call = sync?.plan?.[Number(position) - 1];
    if (sync === undefined || call === undefined)
      return this.#violate('a call of no sync', `message ${id}: ${messageId}`);
    if (call.position !== sync.messages.length + 1)
      this.#violate('a call is sent twice or left out', `${messageId} after ${sync.messages.length} of its sync`);
    sync.messages.push(id);
    if (sync.fact.state !== 'running')
      this.#violate('a sync sends and does not run', `${messageId}: ${sync.fact.state}`);
    const audience = this.audiences.get(sync.fact.audienceId)!;
    if (call.type === 'identify') audience.told.set(call.userId, call.value);
    if (received !== wall) this.#violate('a call with another time', `${messageId}: ${received}, not ${wall}`);
    if (wire === null) return this.#checkRejected(fact);
    const tell = call as PlannedTell;
    const allowed = this.shape.possible.map((shape) => audience.body(tell, messageId, received, shape));
    if (fact.userId !== call.userId || !allowed.includes(wire))
      this.#violate('a call with other bytes', `${wire}, not ${allowed.join(' or ')}`);
    this.#checkSelected(fact, [true]);
  }

  #checkRejected({ id, userId, reason }: MessageFact): void {
    const mayBe = this.#suppressed.has(userId ?? '') || this.#unsure.has(userId ?? '');
    if (reason !== 'user_suppressed' || !mayBe)
      this.#violate('a call was rejected', `message ${id} of ${userId}: ${reason}`);
  }

  /** Selected as long as the destination is on, and the source of a notice. */
  #checkSelected({ id, state }: MessageFact, webhooks: readonly boolean[]): void {
    const isOn = (on: boolean): boolean => this.destination.possible.includes(on) && (!on || webhooks.includes(true));
    const may = state === 'not_selected' ? isOn(false) || webhooks.includes(false) : isOn(true);
    if (!may) this.#violate('sent with the destination off, or not sent with it on', `message ${id} is ${state}`);
  }

  // Deletions

  #seeDeletion(fact: DeletionFact, before: ReadonlyMap<number, ReadonlyMap<string, number>>): void {
    const known = this.#deletions.get(fact.id);
    if (known === undefined) {
      this.#madeAt.set(fact.id, this.#now().real);
      this.#checkNotices(fact, before);
    }
    this.#deletions.set(fact.id, fact);
    if (known?.finished) return;
    for (const { messageId, userId, sourceId } of this.rows.notices(fact.id)) {
      if (messageId === null || this.#noticeMessages.has(messageId)) continue;
      this.#noticeMessages.add(messageId);
      this.#checkNotice(fact, messageId, userId, sourceId);
    }
    if (fact.finished && fact.erase) this.#checkErased(fact);
  }

  readonly #noticeMessages = new Set<number>();

  /** One for each source that knows a user; with a reason where the destination is off. */
  #checkNotices({ id }: DeletionFact, before: ReadonlyMap<number, ReadonlyMap<string, number>>): void {
    const notices = new Map(this.rows.notices(id).map((one) => [`${one.userId} ${one.sourceId}`, one]));
    for (const userId of this.rows.deletionUsers(id))
      for (const source of this.sources.values()) {
        const key = `${userId} ${source.id}`;
        const notice = notices.get(key);
        notices.delete(key);
        const counts = [before.get(source.id)?.get(userId) ?? 0, source.callsOf(userId)];
        const calls = notice?.calls ?? 0;
        if (!this.#isBeingErased(userId) && (calls < Math.min(...counts) || calls > Math.max(...counts)))
          this.#violate('a deletion counts other calls', `${key}: ${calls}, not ${counts.join(' to ')}`);
        if (notice !== undefined && !this.#reasons(source).includes(notice.reason))
          this.#violate('a notice for another reason', `${key}: ${notice.reason}`);
      }
    for (const key of notices.keys()) this.#violate('a notice that nobody asked for', key);
  }

  #reasons({ webhooks }: SourceModel): Array<string | null> {
    const both = this.destination.possible.flatMap((on) => webhooks.possible.map((own) => on && own));
    return both.map((isOn) => (isOn ? null : 'destination_off'));
  }

  #isBeingErased(userId: string): boolean {
    return [...this.#deletions.values()].some(
      ({ id, erase, finished }) => erase && !finished && this.rows.deletionUsers(id).includes(userId),
    );
  }

  #checkNotice({ createdAt }: DeletionFact, messageId: number, userId: string, sourceId: number): void {
    const message = this.rows.message(messageId);
    const wire = this.rows.wire(messageId);
    if (message === undefined) return this.#violate('a notice without its message', String(messageId));
    const body = noticeBody(userId, createdAt);
    if (message.origin !== 'deletion' || message.sourceId !== sourceId || wire !== body)
      this.#violate('a notice with other bytes', `${wire}, not ${body}`);
    this.#checkSelected(message, this.sources.get(sourceId)!.webhooks.possible);
  }

  #checkErased({ id, upTo }: DeletionFact): void {
    const users = new Set(this.rows.deletionUsers(id));
    for (const { id: message, userId, origin } of this.rows.messagesAfter(0))
      if (message <= upTo && origin !== 'deletion' && userId !== null && users.has(userId))
        this.#violate('an erased user is still stored', `message ${message} of ${userId}`);
    const isGone = ({ userId }: { readonly userId: string }): boolean =>
      users.has(userId) && (this.added.get(userId) ?? -1) < this.#madeAt.get(id)!;
    for (const { id: audienceId, rule } of this.audiences.values()) {
      if (rule !== null) continue;
      const left = this.rows.users(audienceId).find(isGone);
      if (left !== undefined) this.#violate('an erased user is still in an audience', `${audienceId}: ${left.userId}`);
      for (const { fact } of this.syncs.values()) {
        const call = fact.audienceId === audienceId ? this.rows.calls(fact.id).find(isGone) : undefined;
        if (call !== undefined) this.#violate('an erased user is still in a sync', `${fact.id}: ${call.userId}`);
      }
    }
  }

  /** When a person last added a user to any audience, in real milliseconds. */
  readonly added = new Map<string, number>();
  readonly #madeAt = new Map<number, number>();

  #checkDone(): void {
    for (const sync of this.syncs.values()) this.#ledgers.checkDone(sync);
  }

  // Sends

  sent(body: string): void {
    this.sends += 1;
    const known = this.#bodies.get(body);
    if (known === undefined) return this.#violate('bytes that no message has', body);
    if (known.messages.every((id) => FINAL_STATES.has(this.states.get(id)!)) && !this.replayed.has(body))
      this.#violate('sent when it was final', body);
  }

  /** Bodies that a person sends again. */
  readonly replayed = new Set<string>();

  replays(id: number): void {
    const body = this.#bodyOf.get(id);
    if (body !== undefined) this.replayed.add(body);
  }

  /** Messages that a person asked to stop. */
  readonly stopping = new Set<number>();

  /** Only a person's stop may cross with a move of the engine. What was erased has no moves any more. */
  lostMove(id: number): void {
    const message = this.rows.message(id);
    const isGone = message === undefined || message.messageId === `erased-${id}`;
    if (isGone) this.#violate('a move of an erased message was lost', String(id));
    else if (!this.stopping.has(id)) this.#violate('a move was lost', `${id} is ${message.state}`);
  }

  accepted(body: string): void {
    const known = this.#bodies.get(body);
    if (known !== undefined) known.accepted += 1;
  }

  // Looks

  look(seen: Parameters<Ledgers['look']>[0]): void {
    this.#ledgers.look(seen);
  }

  /**
   * Who a rule lets in follows its calls and the retry clock within `lagMs`. Users whose calls are younger, and those who
   * come or go by time just then, are left out.
   */
  checkRules({ lagMs, speed }: { readonly lagMs: number; readonly speed: number }): void {
    const { clock, real } = this.#now();
    for (const { id, rule, members } of this.audiences.values()) {
      if (rule === null || rule.possible.length > 1 || clock === null) continue;
      for (const userId of new Set([...this.#known.keys(), ...members.keys()])) {
        const calls = this.#known.get(userId) ?? [];
        if (this.vague.has(userId) || this.#untimed.has(userId) || calls.some((call) => call.real > real - lagMs))
          continue;
        const times = [clock - lagMs * speed, clock, clock + speed * SOON_MS];
        const [before, now, soon] = times.map((at) => computedValue(rule.value, calls, at));
        this.rulesChecked += 1;
        if (before === now && now === soon && now !== members.get(userId))
          this.#violate(
            'a rule has another member, or a trait another value',
            `audience ${id}, ${userId}: ${JSON.stringify({ now, has: members.get(userId), clock, calls })}`,
          );
      }
    }
  }

  rulesChecked = 0;

  /**
   * A life begins: what was asked and not answered happened or did not. A sync by hand waits for a person, unless it
   * has sent everything.
   */
  begun(byHand: ReadonlySet<number>): void {
    for (const { fact, plan, messages } of this.syncs.values())
      if (byHand.has(fact.audienceId) && /preparing|running/.test(fact.state) && messages.length !== plan?.length)
        this.#violate('a sync by hand goes on after a restart', `sync ${fact.id} is ${fact.state}`);
    for (const audience of this.audiences.values()) {
      if (audience.rule !== null) continue;
      const stored = this.#clearMembers(this.rows.users(audience.id));
      const found = audience.possible.find((members) => this.#text(members) === stored);
      if (found === undefined)
        this.#violate('other members after a crash', `${audience.id}: ${stored}, not ${this.#text(audience.members)}`);
      else audience.members = found;
      audience.edit = null;
    }
    this.changing.clear();
  }

  #clearMembers(users: ReturnType<AudienceRows['users']>): string {
    return this.#text(new Map(users.flatMap(({ userId, value }) => (value === 'true' ? [[userId, value]] : []))));
  }

  #text(values: Values): string {
    return JSON.stringify([...values.keys()].filter((userId) => !this.vague.has(userId)).sort());
  }

  /** Nothing happens any more. */
  atEnd(): void {
    for (const { fact, plan, messages } of this.syncs.values())
      if (plan === null || messages.length !== plan.length)
        this.#violate('a gap in a sync', `sync ${fact.id}: ${messages.length} of ${plan?.length}`);
    for (const audience of this.audiences.values()) {
      const left = this.#untold(audience);
      if (left.length > 0) this.#violate('somebody was not told', `${audience.id}: ${textOf(left)}`);
    }
    const notices = [...this.#deletions.keys()].flatMap((id) => this.rows.notices(id));
    for (const { reason, messageId, outcome, userId } of notices) {
      if (reason !== null) continue;
      const state = this.states.get(messageId ?? 0);
      if (state === undefined || outcome !== state)
        this.#violate('a notice without its end', `${userId}: ${outcome}, message ${messageId} is ${state}`);
    }
  }
}

/** The values that users have now. A former member has `false`, which is none. */
const valuesOf = ({ kind }: AudienceModel, users: ReturnType<AudienceRows['users']>): Values =>
  new Map(
    users.flatMap(({ userId, value }) =>
      value === null || (kind === 'audience' && value === 'false') ? [] : [[userId, value]],
    ),
  );

const differing = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a, ...b].filter((one) => a.has(one) !== b.has(one));

type Tells = ReadonlyArray<Pick<CallFact, 'userId' | 'type' | 'value'>>;

const textsOf = (plan: Tells): string[] =>
  plan.map(({ userId, type, value }) => `${JSON.stringify(userId)} ${type} ${value}`);

const textOf = (plan: Tells): string => textsOf(plan).join(', ');
