import { describe, expect, test } from 'vitest';
import { moveWithoutRound, roundMoved } from '../../../src/core/delivery/moved-event.ts';
import { Round } from '../../../src/core/delivery/round.ts';
import type { DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import type { Standing } from '../../../src/core/model/moves.ts';
import { deliver, expire, fail, type Move, pause, retry, stop, type UnderWay } from '../../../src/core/model/moves.ts';
import { webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { dueMessage } from '../../helpers/due-message.ts';

const FROM = { id: 7, state: 'waiting', round: 3, cells: 'fa...', nextDueAt: 1 } as Standing<UnderWay>;

function told(move: Move, webhooks: readonly DeliveryWebhook[] = webhooksOf(3)) {
  const round = new Round(dueMessage(7, { receivedAt: 44, round: 2, cells: 'fa...' }), new Uint8Array(), 0, 1, 0);
  round.settle(() => move, 55);
  return roundMoved(round, move, webhooks);
}

describe('the end of a round', () => {
  test.each([
    ['retrying', retry(FROM, 9, 'fa...')],
    ['retrying', pause(FROM, 9, 'fa...')],
    ['failed', fail(FROM, 9)],
    ['expired', expire(FROM, 9)],
    ['stopped', stop(FROM, 9)],
  ] as const)('is told as %s, and nobody missed it', (to, move) => {
    expect(told(move)).toEqual({
      messageId: 7,
      receivedAt: 44,
      from: 'waiting',
      to,
      round: 3,
      at: 55,
      missed: [],
    });
  });

  test('with a delivery tells the webhooks that are on and never accepted', () => {
    const webhooks = [webhookOf(1), webhookOf(2), webhookOf(3, { enabled: false }), webhookOf(4)];
    expect(told(deliver(FROM, 9), webhooks)).toMatchObject({ to: 'delivered', missed: [{ id: 1 }, { id: 4 }] });
    expect(told(deliver(FROM, 9), [webhookOf(2)]).missed).toEqual([]);
  });
});

test('a move without a round tells its message, its rounds so far and its time', () => {
  const from = { ...FROM, state: 'paused', id: 8 } as const;
  expect(moveWithoutRound(expire(from, 9), 44, 66)).toEqual({
    messageId: 8,
    receivedAt: 44,
    from: 'paused',
    to: 'expired',
    round: 3,
    at: 66,
    missed: [],
  });
});
