/** What people do in a world, over the contract like the interface, and how they fix everything at the end. */
import { type CommandName, commands } from '../../src/contract/commands.ts';
import { ContractError } from '../../src/contract/errors.ts';
import { CANARY_HEADER } from './canaries.ts';
import type { Dice } from './dice.ts';
import { drawRules } from './rules.ts';
import type { World } from './world.ts';

const SECOND = 1_000;

/** A person's command over the contract. Expected errors only go to the log. */
function person(
  world: World,
  name: string,
  input: unknown,
  done: (value: never) => void = () => {},
  failed: () => void = () => {},
): Promise<void> {
  const { life } = world;
  if (life === null || !life.up || !Object.hasOwn(commands, name)) return Promise.resolve();
  return life.client.call(name as CommandName, input as never).then(
    (value) => {
      if (!life.alive) return;
      world.say(`person ${name} done`);
      done(value as never);
    },
    (error: unknown) => {
      if (!life.alive) return;
      const code = error instanceof ContractError ? error.code : String(error);
      world.say(`person ${name}: ${code}`);
      failed();
      if (code === 'invalid_argument') world.violate('the harness', `${name}: ${(error as Error).message}`);
      if (code === 'internal' && !world.isStoreWeak) world.violate('a command failed inside', name);
    },
  );
}

// The clock

interface ClockState {
  readonly speed: number;
  readonly paused?: boolean;
}

/** A clock command. Even if its write failed, it may have set the clock of this life. */
function clock(world: World, name: string, input: unknown): Promise<void> {
  const took = ({ speed, paused }: ClockState): void => world.expect.ran(speed, paused ?? false);
  const { life } = world;
  return person(world, name, input, took, () => {
    if (world.isStoreWeak && life !== null) took(life.engine.parts.retryClock.state);
  });
}

export function setSpeed(world: World, speed: number): Promise<void> {
  return clock(world, 'clock.setSpeed', { speed });
}

export function pauseClock(world: World, ms: number): void {
  void clock(world, 'clock.pause', undefined);
  world.time.after(ms, () => void clock(world, 'clock.resume', undefined));
}

export function stepClock(world: World): void {
  void person(world, 'clock.step', undefined);
}

// Delivery

export function pauseDelivery(world: World, ms: number): void {
  void holdDelivery(world, true);
  world.time.after(ms, () => void holdDelivery(world, false));
}

async function holdDelivery(world: World, paused: boolean): Promise<void> {
  if (!('paused' in commands['destination.save'].input.shape)) return;
  if (!paused) world.expect.isHeld = false;
  await person(world, 'destination.save', { paused }, () => {
    world.expect.isHeld = paused;
    world.impede();
  });
}

export function destinationOff(world: World, ms: number): void {
  void person(world, 'destination.save', { enabled: false });
  world.time.after(ms, () => void person(world, 'destination.save', { enabled: true }));
}

export function setLimit(world: World, timeoutMs: number): void {
  world.expect.limits.add(timeoutMs);
  void person(world, 'destination.save', { timeoutMs });
}

/** Set directly, because the contract's lowest limits exceed the messages of a world. */
export async function saveStorage({ life }: World, limits: { maxMessages: number; maxAgeDays: number }): Promise<void> {
  if (life?.up !== true) return;
  await life.engine.parts.workspace.storage.save(limits).catch(() => {});
}

/** Rules beside the profile; old windows stay as they were. */
export function changeRules(world: World, dice: Dice): void {
  const rules = drawRules(dice);
  const { retryOn, retryAfter, ...retry } = rules;
  world.expect.rulesAsked(rules);
  void person(world, 'destination.save', { retryOn, retryAfter, retry: { ...retry, seed: 1 } }, () =>
    world.expect.rulesHold(rules),
  );
}

/** Two people save different settings at once. Both must hold. */
export function twoEdits(world: World, [timeoutMs, passes]: readonly [number, boolean]): void {
  const { life } = world;
  const body = passes ? ('pass-through' as const) : ('documented' as const);
  world.expect.limits.add(timeoutMs);
  let saved = 0;
  const done = (): void => {
    saved += 1;
    const now = life?.engine.parts.workspace.destination.settings;
    if (saved === 2 && (now?.body !== body || now.timeoutMs !== timeoutMs))
      world.violate('a setting that was saved is lost', `${now?.body} ${now?.timeoutMs}`);
  };
  void person(world, 'destination.save', { body }, done);
  void person(world, 'destination.save', { timeoutMs }, done);
}

export function setSecret(world: World, secret: string | null): void {
  if (world.sealer.isLocked) return;
  // Either may hold until the answer arrives, or for good if a crash comes first.
  if (!world.expect.secrets.includes(secret)) world.expect.secrets = [...world.expect.secrets, secret];
  void person(world, 'destination.setSecret', { secret }, () => {
    world.expect.secrets = [secret];
  });
}

/** The next life has another key, and the one after it the right one again. */
export function loseKey(world: World, ms: number): void {
  if (world.healed || world.life?.up !== true) return;
  world.sealer.isLocked = true;
  world.crash(SECOND);
  world.time.after(ms, () => {
    if (!world.sealer.isLocked) return;
    world.sealer.isLocked = false;
    world.crash(SECOND);
  });
}

// Webhooks

interface WebhookLike {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
}

function webhookAt(world: World, which: number): WebhookLike | undefined {
  const webhooks = world.life?.up ? world.life.engine.parts.workspace.webhooks.all : [];
  return webhooks[Math.floor(which * webhooks.length)];
}

export async function editWebhook(world: World, which: number, edit: Partial<WebhookLike>): Promise<void> {
  const webhook = webhookAt(world, which);
  if (webhook === undefined || world.sealer.isLocked) return;
  const { id, name, url, enabled } = { ...webhook, ...edit };
  const input = { id, name, url, enabled, headers: [{ name: 'X-Token', value: null }] };
  if (enabled) world.expect.switched(id, true);
  await person(world, 'webhooks.save', input, () => world.expect.switched(id, enabled));
}

export async function addWebhook(world: World, n: number): Promise<void> {
  if (world.sealer.isLocked) return;
  const headers = [{ name: 'X-Token', value: CANARY_HEADER }];
  await person(world, 'webhooks.save', { name: 'added', url: `http://w${n}.test/hook?added`, headers, enabled: true });
}

export function removeWebhook(world: World, which: number): void {
  const webhook = webhookAt(world, which);
  if (webhook === undefined || world.sealer.isLocked) return;
  void person(world, 'webhooks.remove', { id: webhook.id }, () => world.expect.switched(webhook.id, false));
}

// Messages

export const messageAt = (world: World, which: number): number | undefined => {
  const { ids } = world.watch;
  return ids[Math.floor(which * ids.length)];
};

export function onMessage(world: World, which: number, name: string): void {
  const id = messageAt(world, which);
  if (id !== undefined) void person(world, name, { id });
}

export function stopMessage(world: World, which: number): void {
  const id = messageAt(world, which);
  if (id === undefined) return;
  world.expect.stops.add(id);
  void person(world, 'messages.stop', { id });
}

export function replay(world: World, [which, where]: readonly [number, number]): void {
  const id = messageAt(world, which);
  const webhook = webhookAt(world, where);
  if (id === undefined || webhook === undefined) return;
  const more = REPLAYS[Math.floor(which * 4_096) % REPLAYS.length]!(world, webhook);
  void person(world, 'replay.send', { id, webhookIds: [webhook.id], ...more });
}

/** As it was, edited, elsewhere, in turn, and again. The draw of the message decides, so that no world has more draws. */
const REPLAYS: ReadonlyArray<(world: World, webhook: WebhookLike) => object> = [
  () => ({}),
  (world) => ({ body: edited(world) }),
  (world, { url }) => ({ webhookIds: [], urls: [url], body: edited(world) }),
  (_, { url }) => ({ urls: [url], untilAccepted: true }),
  (world) => ({ body: edited(world), retry: true }),
];

/** A body that no other replay and no message has. */
function edited({ expect }: World): string {
  const body = JSON.stringify({ edited: expect.edits.size, text: 'Zoë "quoted"' });
  expect.edits.add(body);
  return body;
}

// The end

/** Fixes everything that a person can fix, step by step. Called in each life from then on. */
export async function heal(world: World): Promise<void> {
  const { life } = world;
  if (life === null || !life.up) return;
  await holdDelivery(world, false);
  await clock(world, 'clock.resume', undefined);
  await setSpeed(world, 1);
  await saveStorage(world, { maxMessages: 100_000, maxAgeDays: 30 });
  await person(world, 'destination.save', { enabled: true });
  const webhooks = life.engine.parts.workspace.webhooks.all;
  if (webhooks.length === 0) await addWebhook(world, 1);
  for (const [i] of webhooks.entries()) await editWebhook(world, (i + 0.5) / webhooks.length, { enabled: true });
}
