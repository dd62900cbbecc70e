import { beforeEach, describe, expect, test } from 'vitest';
import { Lanes } from '../../../src/core/delivery/lanes.ts';
import { Round } from '../../../src/core/delivery/round.ts';
import { CONCURRENCY, type DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import { dueMessage } from '../../helpers/due-message.ts';

const webhook = (id: number): DeliveryWebhook => ({
  id,
  slot: id,
  name: `hook ${id}`,
  url: `http://localhost:${id}/`,
  headers: [],
  enabled: true,
});

const round = (id: number): Round => new Round(dueMessage(id), new Uint8Array(), 0, 1, 0);

const fill = (lanes: Lanes, webhookId: number): void => {
  for (let i = 0; i < CONCURRENCY; i++) lanes.open(webhookId);
};

let lanes: Lanes;
beforeEach(() => {
  lanes = new Lanes();
  lanes.set([webhook(1), webhook(2)]);
});

describe('senders', () => {
  test('a webhook has 16, each its own', () => {
    for (let open = 0; open < 16; open++) {
      expect([open, lanes.hasFree(1)]).toEqual([open, true]);
      lanes.open(1);
    }
    expect([lanes.hasFree(1), lanes.hasFree(2), lanes.inFlight]).toEqual([false, true, 16]);
    lanes.release(1);
    expect([lanes.hasFree(1), lanes.inFlight]).toEqual([true, 15]);
    lanes.open(2);
    expect(lanes.inFlight).toBe(16);
  });

  test('an unknown webhook has none', () => {
    expect(lanes.hasFree(3)).toBe(false);
    expect(() => lanes.release(3)).not.toThrow();
    expect(lanes.inFlight).toBe(0);
  });
});

describe('waiting rounds', () => {
  test('come off in the order in which they came, each once', () => {
    const [first, second] = [round(1), round(2)];
    lanes.wait(1, first);
    lanes.wait(1, second);
    lanes.wait(1, first);
    expect(lanes.waitingOn(1)).toEqual([first, second]);
    expect(lanes.next(1)).toBe(first);
    expect(lanes.next(1)).toBe(second);
    expect(lanes.next(1)).toBeUndefined();
    expect(lanes.waitingOn(1)).toEqual([]);
  });

  test('come off only when a sender is free', () => {
    const waiting = round(1);
    lanes.wait(1, waiting);
    fill(lanes, 1);
    expect(lanes.next(1)).toBeUndefined();
    lanes.release(1);
    expect(lanes.next(1)).toBe(waiting);
  });

  test('wait for one webhook alone, and no more once forgotten', () => {
    const waiting = round(1);
    lanes.wait(1, waiting);
    expect([lanes.next(2), lanes.waitingOn(2)]).toEqual([undefined, []]);
    lanes.forget(2, waiting);
    expect(lanes.waitingOn(1)).toEqual([waiting]);
    lanes.forget(1, waiting);
    expect(lanes.waitingOn(1)).toEqual([]);
  });

  test('tell the slots of the webhooks that they wait for', () => {
    const [one, other] = [round(1), round(2)];
    lanes.wait(2, one);
    expect([lanes.slotsOf(one), lanes.slotsOf(other)]).toEqual([[2], []]);
    lanes.wait(1, one);
    expect(lanes.slotsOf(one)).toEqual([1, 2]);
  });

  test('there are none of an unknown webhook', () => {
    expect([lanes.next(3), lanes.waitingOn(3)]).toEqual([undefined, []]);
    expect(() => lanes.forget(3, round(1))).not.toThrow();
  });
});

describe('a new list', () => {
  test('keeps what is open and waiting on the webhooks that stay', () => {
    const waiting = round(1);
    lanes.open(1);
    lanes.wait(1, waiting);
    lanes.set([{ ...webhook(1), name: 'renamed' }]);
    expect([lanes.inFlight, lanes.waitingOn(1)]).toEqual([1, [waiting]]);
  });

  test('drops a lane on which nothing is open or waits, so that a webhook that was removed has no sender', () => {
    lanes.set([webhook(2)]);
    expect([lanes.hasFree(1), lanes.hasFree(2)]).toEqual([false, true]);
  });

  test('what is open on a webhook that was removed still counts until it ends', () => {
    lanes.open(1);
    lanes.set([webhook(2)]);
    expect(lanes.inFlight).toBe(1);
    lanes.release(1);
    expect(lanes.inFlight).toBe(0);
    lanes.set([webhook(2)]);
    expect(lanes.hasFree(1)).toBe(false);
  });

  test('what waits on a webhook that was removed can still be told to skip it', () => {
    const waiting = round(1);
    lanes.wait(1, waiting);
    lanes.set([webhook(2)]);
    expect(lanes.waitingOn(1)).toEqual([waiting]);
  });
});
