/** The look at messages that wait only for webhooks that are off. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Circumstances } from '../../../src/core/delivery/fate.ts';
import { WaitingReview } from '../../../src/core/delivery/waiting-review.ts';
import type { DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import type { DueMessage, DuePlace } from '../../../src/core/store/ports/due.ts';
import { webhookOf } from '../../helpers/core-fixture.ts';
import { dueMessage } from '../../helpers/due-message.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const OFF = [webhookOf(1, { enabled: false })];

let time: SimTime;
let rows: DueMessage[];
let webhooks: readonly DeliveryWebhook[];
let mayLook: boolean;
let taken: Set<number>;
let fault: Error | null;
let asked: DuePlace[];
let told: { moved: string[]; done: number; failed: unknown[] };
let review: WaitingReview;

beforeEach(() => {
  time = new SimTime();
  rows = [];
  webhooks = OFF;
  mayLook = true;
  taken = new Set();
  fault = null;
  asked = [];
  told = { moved: [], done: 0, failed: [] };
  review = new WaitingReview({
    store: {
      waiting: async (after, limit) => {
        asked.push(after);
        if (fault !== null) throw fault;
        return rows
          .filter(({ nextDueAt, id }) => (nextDueAt === after.dueAt ? id > after.id : nextDueAt > after.dueAt))
          .slice(0, limit);
      },
    },
    timers: time,
    circumstances: (): Circumstances => ({
      rules: PROFILES.documented,
      webhooks,
      now: 100,
      wallNow: 9,
      sleptPast: () => false,
      allows: () => true,
    }),
    mayLook: () => mayLook,
    isTaken: (id) => taken.has(id),
    move: ({ id }, { to }) => void told.moved.push(`${id} ${to.state}`),
    done: () => {
      told.done += 1;
    },
    readFailed: (error) => void told.failed.push(error),
  });
});

const moved = async (): Promise<string[]> => {
  review.look();
  await time.settle();
  return told.moved;
};

test('pauses what waits for nobody else, and leaves what is taken', async () => {
  rows = [dueMessage(1), dueMessage(2), dueMessage(3, { nextDueAt: 900 })];
  taken.add(2);
  expect(await moved()).toEqual(['1 paused', '3 paused']);
  expect(told.done).toBe(1);
});

test('moves nothing that a webhook would be tried for', async () => {
  rows = [dueMessage(1), dueMessage(2, { outcomes: new Map([[2, 'declined']]) })];
  webhooks = [webhookOf(2)];
  expect(await moved()).toEqual(['2 failed']);
});

test('is done when nothing waits', async () => {
  expect([await moved(), told.done, asked.length]).toEqual([[], 1, 1]);
});

describe('a backlog', () => {
  beforeEach(() => {
    rows = Array.from({ length: 1_200 }, (_, i) => dueMessage(i + 1, { nextDueAt: Math.floor(i / 10) }));
  });

  test('is looked at in steps of 500, each in a turn of its own', async () => {
    review.look();
    await Promise.resolve();
    await Promise.resolve();
    expect([told.moved.length, asked.length, told.done]).toEqual([500, 1, 0]);
    await time.settle();
    expect([told.moved.length, told.done]).toEqual([1_200, 1]);
    expect(asked.slice(1)).toEqual([
      { dueAt: 49, id: 500 },
      { dueAt: 99, id: 1_000 },
    ]);
  });

  test('that ends with a whole step is looked at once more', async () => {
    rows = rows.slice(0, 500);
    expect([(await moved()).length, asked.length, told.done]).toEqual([500, 2, 1]);
  });

  test('is not looked at further once newer webhooks are there', async () => {
    review.look();
    await Promise.resolve();
    await Promise.resolve();
    webhooks = [...OFF];
    await time.settle();
    expect([told.moved.length, asked.length, told.done]).toEqual([500, 1, 0]);
  });
});

describe('nothing is looked at', () => {
  beforeEach(() => {
    rows = [dueMessage(1)];
  });

  test('while nobody may', async () => {
    mayLook = false;
    expect([await moved(), asked]).toEqual([[], []]);
  });

  test('once nobody may any more', async () => {
    review.look();
    mayLook = false;
    await time.settle();
    expect([asked.length, told.moved, told.done]).toEqual([1, [], 0]);
  });

  test('with webhooks that are not those of now', async () => {
    review.look();
    webhooks = [...OFF];
    await time.settle();
    expect([told.moved, told.done]).toEqual([[], 0]);
    review.look(OFF);
    await time.settle();
    expect([told.moved, asked.length]).toEqual([[], 1]);
  });
});

test('a read that fails is told, and nothing is done', async () => {
  fault = new Error('torn');
  expect([await moved(), told.failed, told.done]).toEqual([[], [fault], 0]);
});
