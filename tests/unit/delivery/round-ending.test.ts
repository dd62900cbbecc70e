/** What a round ends with: what its results ask for, and which webhooks are off by then. */
import { describe, expect, test } from 'vitest';
import { Round } from '../../../src/core/delivery/round.ts';
import { type EndOfRound, endingOf } from '../../../src/core/delivery/round-ending.ts';
import { NOT_SENT, toStored } from '../../../src/core/delivery/sender.ts';
import type { DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import { waitAfterRound } from '../../../src/core/model/backoff.ts';
import type { Move, Standing, UnderWay } from '../../../src/core/model/moves.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';
import { webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { dueMessage } from '../../helpers/due-message.ts';

const RULES = PROFILES.documented;
const NOW = 1_000;
const WALL = 77;
/** Due after the first round of message 7. */
const DUE = NOW + waitAfterRound(RULES.retry, 7, 1)!;

/** The move that ends a first round with these results, by webhook id. */
function ended(
  outcomes: Readonly<Record<number, Outcome>>,
  over: Partial<EndOfRound> = {},
  windowMs = 14_400_000,
): Move {
  const round = new Round(dueMessage(7), new Uint8Array(), NOW, windowMs, 0);
  for (const [id, outcome] of Object.entries(outcomes)) {
    const result = { ...NOT_SENT, outcome };
    round.end(webhookOf(Number(id)), { id: 1, startedAt: 0 }, result, toStored(result, 0, []), WALL);
  }
  const ending = endingOf(round, {
    rules: RULES,
    webhooks: webhooksOf(2),
    lastOutcomes: () => new Map(),
    now: NOW,
    wallNow: WALL,
    ...over,
  });
  const from = { id: 7, state: 'delivering', round: 1, cells: 's....', nextDueAt: 1 } as Standing<UnderWay>;
  return ending(from, 'cells');
}

const off = (...slots: number[]): DeliveryWebhook[] =>
  webhooksOf(2).map((webhook) => ({ ...webhook, enabled: !slots.includes(webhook.slot) }));

describe('by its results alone', () => {
  test('a round of which every webhook was skipped is due again now', () => {
    expect(ended({})).toMatchObject({ to: { state: 'retrying', nextDueAt: NOW, cells: 'cells' }, finishedAt: null });
  });

  test.each([
    ['delivered', { 1: 'accepted', 2: 'failed' }, undefined],
    ['failed', { 1: 'declined', 2: 'refused_certificate' }, undefined],
    ['expired', { 1: 'failed' }, 0],
  ] as const)('it is %s at once', (state, outcomes, windowMs) => {
    expect(ended(outcomes, {}, windowMs)).toMatchObject({
      to: { state, nextDueAt: null, cells: 'cells' },
      finishedAt: WALL,
      reason: null,
    });
  });

  test('it goes on after the wait of its row and round', () => {
    expect(ended({ 1: 'failed' })).toMatchObject({
      to: { state: 'retrying', nextDueAt: DUE, cells: 'cells' },
      finishedAt: null,
    });
  });
});

describe('by the webhooks that went off', () => {
  test('nothing more is read while all that were tried are on', () => {
    const lastOutcomes = () => {
      throw new Error('read');
    };
    expect(ended({ 1: 'failed', 2: 'declined' }, { lastOutcomes }).to.state).toBe('retrying');
  });

  test('it is paused until its time when only webhooks that are off would be tried', () => {
    const move = ended({ 1: 'failed', 2: 'declined' }, { webhooks: off(1) });
    expect(move).toMatchObject({ to: { state: 'paused', nextDueAt: DUE, cells: 'cells' }, finishedAt: null });
  });

  test('it goes on when one that is on would be tried, in this round or not', () => {
    expect(ended({ 1: 'failed', 2: 'failed' }, { webhooks: off(1) }).to.state).toBe('retrying');
    expect(ended({ 1: 'failed' }, { webhooks: off(1) }).to.state).toBe('retrying');
  });

  test('what webhooks outside the round answered before counts', () => {
    const lastOutcomes = () => new Map<number, Outcome>([[2, 'declined']]);
    expect(ended({ 1: 'failed' }, { webhooks: off(1), lastOutcomes }).to.state).toBe('paused');
  });

  test('a result of this round counts more than an earlier one of its webhook', () => {
    const lastOutcomes = () => new Map<number, Outcome>([[2, 'failed']]);
    const move = ended({ 1: 'failed', 2: 'declined' }, { webhooks: off(1), lastOutcomes });
    expect(move.to.state).toBe('paused');
  });

  test('it fails when the one that asked was removed, and nobody else would be tried', () => {
    const move = ended({ 1: 'failed', 2: 'declined' }, { webhooks: [webhookOf(2)] });
    expect(move).toMatchObject({ to: { state: 'failed', nextDueAt: null, cells: 'cells' }, finishedAt: WALL });
  });

  test('it goes on when the earlier outcomes cannot be read', () => {
    expect(ended({ 1: 'failed' }, { webhooks: off(1, 2), lastOutcomes: () => null }).to.state).toBe('retrying');
  });
});
