/** Everything that can go wrong or be done in a world. Each is drawn when the world is planned and done in its time. */
import { type CommandName, commands } from '../../src/contract/commands.ts';
import { ContractError } from '../../src/contract/errors.ts';
import { CANARY_HEADER, CANARY_SECRET } from './canaries.ts';
import { BACK_IN, READ_ERROR } from './constants.ts';
import type { Dice } from './dice.ts';
import { drawRules } from './rules.ts';
import type { World } from './world.ts';

export interface Action {
  /** How often in one world, at most. */
  readonly most: number;
  draw(dice: Dice): (world: World) => unknown;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const JUMPS = [-3_650 * DAY, -DAY, -HOUR, -SECOND, SECOND, 4 * HOUR - MINUTE, 4 * HOUR + MINUTE, DAY] as const;
const CODES = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', 'SQLITE_READONLY'] as const;

export const ACTIONS = {
  crash: { most: 4, draw: (dice) => after(dice.pick(BACK_IN), (world, back) => world.crash(back)) },
  doom: {
    most: 4,
    draw: (dice) => {
      const at = dice.pick(['beforeCommit', 'afterCommit', 'inTransaction', 'send'] as const);
      const left = dice.between(1, 12);
      return (world) => {
        if (!world.healed) world.doom = { at, left };
      };
    },
  },
  restart: { most: 3, draw: (dice) => after(dice.pick(BACK_IN), (world, back) => world.restart(back)) },
  storeFault: {
    most: 3,
    draw: (dice) => {
      const fault = {
        code: dice.pick(CODES),
        hits: dice.pick(['all', 'commit', 'some', 'once'] as const),
        rollsBack: dice.chance(0.5),
        left: dice.between(1, 20),
      };
      const ms = dice.pick([SECOND, 10 * SECOND, 5 * MINUTE, 30 * MINUTE]);
      return (world) => {
        if (world.healed) return;
        world.say(`the store fails: ${fault.code} ${fault.hits}`);
        world.fault = { ...fault, until: world.time.real + ms };
      };
    },
  },
  readFault: {
    most: 2,
    draw: (dice) =>
      after(dice.between(1, 40), (world, left) => {
        if (world.healed) return;
        world.say(`read ${left} from now fails`);
        world.fault = { code: READ_ERROR, hits: 'read', rollsBack: false, until: world.time.real + 30 * MINUTE, left };
      }),
  },
  jump: {
    most: 2,
    draw: (dice) =>
      after(dice.pick(JUMPS), (world, by) => {
        world.say(`the clock is set by ${by} ms`);
        world.time.jump(by);
        world.expect.jumped(by);
      }),
  },
  sleep: {
    most: 2,
    draw: (dice) =>
      after(dice.pick([10 * SECOND, 10 * MINUTE, HOUR, 5 * HOUR]), (world, ms) => {
        world.say(`asleep for ${ms} ms`);
        world.time.sleep(ms);
      }),
  },
  speed: {
    most: 3,
    draw: (dice) => after(dice.pick([1, 10, 60, 240]), (world, speed) => setSpeed(world, speed)),
  },
  pauseClock: { most: 1, draw: (dice) => after(dice.pick([MINUTE, HOUR]), pauseClock) },
  step: { most: 3, draw: () => (world) => void person(world, 'clock.step', undefined) },
  pauseDelivery: { most: 1, draw: (dice) => after(dice.pick([MINUTE, 30 * MINUTE]), pauseDelivery) },
  newSecret: {
    most: 2,
    draw: (dice) => after(dice.pick([null, `${CANARY_SECRET}-2`, CANARY_SECRET]), setSecret),
  },
  unreadable: { most: 1, draw: (dice) => after(dice.pick([MINUTE, HOUR]), loseKey) },
  toggle: {
    most: 4,
    draw: (dice) =>
      after([dice.next(), dice.chance(0.5)] as const, (world, [which, on]) =>
        editWebhook(world, which, { enabled: on }),
      ),
  },
  editWebhook: {
    most: 2,
    draw: (dice) =>
      after([dice.next(), dice.below(100)] as const, (world, [which, n]) =>
        editWebhook(world, which, { url: `http://w${1 + (n % 5)}.test/hook?v=${n}` }),
      ),
  },
  addWebhook: { most: 2, draw: (dice) => after(dice.between(1, 5), addWebhook) },
  removeWebhook: { most: 2, draw: (dice) => after(dice.next(), removeWebhook) },
  destinationOff: { most: 1, draw: (dice) => after(dice.pick([SECOND, 20 * MINUTE]), destinationOff) },
  rules: { most: 2, draw: (dice) => after(dice.fork(), (world, own) => changeRules(world, own)) },
  twoEdits: { most: 1, draw: (dice) => after([dice.pick([4_000, 10_000]), dice.chance(0.5)] as const, twoEdits) },
  limit: { most: 1, draw: (dice) => after(dice.pick([4_000, 5_000, 10_000]), setLimit) },
  retryNow: {
    most: 6,
    draw: (dice) => after(dice.next(), (world, which) => onMessage(world, which, 'messages.retryNow')),
  },
  stop: { most: 4, draw: (dice) => after(dice.next(), stopMessage) },
  replay: { most: 4, draw: (dice) => after([dice.next(), dice.next()] as const, replay) },
  flip: {
    most: 2,
    draw: (dice) =>
      after([dice.next(), dice.below(10_000)] as const, (world, [which, at]) => {
        const id = messageAt(world, which);
        if (id !== undefined && world.watch.flipBit(id, at)) world.say(`a bit of body ${id} flips`);
      }),
  },
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof ACTIONS;

function after<T>(value: T, act: (world: World, value: T) => unknown): (world: World) => unknown {
  return (world) => act(world, value);
}

/** A person's command over the contract. Errors that a person may meet are told to the log only. */
function person(world: World, name: string, input: unknown, done: (value: never) => void = () => {}): Promise<void> {
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
const took =
  (world: World) =>
  ({ speed, paused }: ClockState): void =>
    world.expect.ran(speed, paused ?? false);

function setSpeed(world: World, speed: number): Promise<void> {
  return person(world, 'clock.setSpeed', { speed }, took(world));
}

function pauseClock(world: World, ms: number): void {
  void person(world, 'clock.pause', undefined, took(world));
  world.time.after(ms, () => void person(world, 'clock.resume', undefined, took(world)));
}

// Delivery

function pauseDelivery(world: World, ms: number): void {
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

function destinationOff(world: World, ms: number): void {
  void person(world, 'destination.save', { enabled: false });
  world.time.after(ms, () => void person(world, 'destination.save', { enabled: true }));
}

function setLimit(world: World, timeoutMs: number): void {
  world.expect.limits.add(timeoutMs);
  void person(world, 'destination.save', { timeoutMs });
}

/** Rules beside the profile; old windows stay as they were. */
function changeRules(world: World, dice: Dice): void {
  const rules = drawRules(dice);
  const { retryOn, retryAfter, ...retry } = rules;
  world.expect.rulesAsked(rules);
  void person(world, 'destination.save', { retryOn, retryAfter, retry: { ...retry, seed: 1 } }, () =>
    world.expect.rulesHold(rules),
  );
}

/** Two people save at once, each another setting: both hold. */
function twoEdits(world: World, [timeoutMs, passes]: readonly [number, boolean]): void {
  const { life } = world;
  const body = passes ? ('pass-through' as const) : ('documented' as const);
  world.expect.limits.add(timeoutMs);
  let saved = 0;
  const done = (): void => {
    saved += 1;
    const now = life?.engine.workspace.destinationSettings;
    if (saved === 2 && (now?.body !== body || now.timeoutMs !== timeoutMs))
      world.violate('a setting that was saved is lost', `${now?.body} ${now?.timeoutMs}`);
  };
  void person(world, 'destination.save', { body }, done);
  void person(world, 'destination.save', { timeoutMs }, done);
}

function setSecret(world: World, secret: string | null): void {
  if (world.sealer.isLocked) return;
  // Until the answer is heard either may hold, and for good when a crash comes between.
  if (!world.expect.secrets.includes(secret)) world.expect.secrets = [...world.expect.secrets, secret];
  void person(world, 'destination.setSecret', { secret }, () => {
    world.expect.secrets = [secret];
  });
}

/** The next life has another key, and the one after it the right one again. */
function loseKey(world: World, ms: number): void {
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
  const webhooks = world.life?.up ? world.life.engine.workspace.webhooks : [];
  return webhooks[Math.floor(which * webhooks.length)];
}

async function editWebhook(world: World, which: number, edit: Partial<WebhookLike>): Promise<void> {
  const webhook = webhookAt(world, which);
  if (webhook === undefined || world.sealer.isLocked) return;
  const { id, name, url, enabled } = { ...webhook, ...edit };
  const input = { id, name, url, enabled, headers: [{ name: 'X-Token', value: null }] };
  if (enabled) world.expect.switched(id, true);
  await person(world, 'webhooks.save', input, () => world.expect.switched(id, enabled));
}

async function addWebhook(world: World, n: number): Promise<void> {
  if (world.sealer.isLocked) return;
  const headers = [{ name: 'X-Token', value: CANARY_HEADER }];
  await person(world, 'webhooks.save', { name: 'added', url: `http://w${n}.test/hook?added`, headers, enabled: true });
}

function removeWebhook(world: World, which: number): void {
  const webhook = webhookAt(world, which);
  if (webhook === undefined || world.sealer.isLocked) return;
  void person(world, 'webhooks.remove', { id: webhook.id }, () => world.expect.switched(webhook.id, false));
}

// Messages

const messageAt = (world: World, which: number): number | undefined => {
  const { ids } = world.watch;
  return ids[Math.floor(which * ids.length)];
};

function onMessage(world: World, which: number, name: string): void {
  const id = messageAt(world, which);
  if (id !== undefined) void person(world, name, { id });
}

function stopMessage(world: World, which: number): void {
  const id = messageAt(world, which);
  if (id === undefined) return;
  world.expect.stops.add(id);
  void person(world, 'messages.stop', { id });
}

function replay(world: World, [which, where]: readonly [number, number]): void {
  const id = messageAt(world, which);
  const webhook = webhookAt(world, where);
  if (id !== undefined && webhook !== undefined) void person(world, 'replay.send', { id, webhookIds: [webhook.id] });
}

// The end

/** Everything that a person can put right, one thing after the other. Called in each life from then on. */
export async function heal(world: World): Promise<void> {
  const { life } = world;
  if (life === null || !life.up) return;
  await holdDelivery(world, false);
  await person(world, 'clock.resume', undefined, took(world));
  await setSpeed(world, 1);
  await person(world, 'destination.save', { enabled: true });
  const { webhooks } = life.engine.workspace;
  if (webhooks.length === 0) await addWebhook(world, 1);
  for (const [i] of webhooks.entries()) await editWebhook(world, (i + 0.5) / webhooks.length, { enabled: true });
}
