/** What becomes of a message that is due, decided from what is known of it alone. */
import { describe, expect, test } from 'vitest';
import { type Circumstances, fateOf, fateOfWaiting } from '../../../src/core/delivery/fate.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';
import { webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { dueMessage } from '../../helpers/due-message.ts';

const circumstances = (over: Partial<Circumstances> = {}): Circumstances => ({
  rules: PROFILES.documented,
  webhooks: webhooksOf(2),
  now: 100,
  wallNow: 9,
  sleptPast: () => false,
  allows: () => true,
  ...over,
});
const OFF = [webhookOf(1, { enabled: false }), webhookOf(2, { enabled: false })];
const retrying = (outcomes: Record<number, Outcome>, over: Parameters<typeof dueMessage>[1] = {}) =>
  dueMessage(1, {
    state: 'retrying',
    round: 1,
    firstAttemptAt: 10,
    windowEndsAt: 500,
    cells: 'ff...',
    outcomes: new Map(Object.entries(outcomes).map(([id, outcome]) => [Number(id), outcome])),
    ...over,
  });
const moveOf = (...given: Parameters<typeof fateOf>) => {
  const fate = fateOf(...given);
  if (fate.kind !== 'move') throw new Error(`It is ${fate.kind}.`);
  return fate.move;
};

describe('a message that is due', () => {
  test('is given a round with every webhook that is on', () => {
    expect(fateOf(dueMessage(1), circumstances())).toEqual({ kind: 'round', targets: webhooksOf(2) });
  });

  test('is given a round without those that declined', () => {
    const fate = fateOf(retrying({ 1: 'declined', 2: 'failed' }), circumstances());
    expect(fate).toEqual({ kind: 'round', targets: [webhookOf(2)] });
  });

  test('whose attempts cannot be read is judged by its cells', () => {
    const fate = fateOf(retrying({}, { outcomes: null, cells: 'fd...' }), circumstances());
    expect(fate).toEqual({ kind: 'round', targets: [webhookOf(1)] });
  });

  test('expires after its window, but is given one last round where that ended in a sleep', () => {
    const late = retrying({ 1: 'failed' }, { windowEndsAt: 99 });
    expect(moveOf(late, circumstances())).toMatchObject({ to: { state: 'expired', nextDueAt: null }, finishedAt: 9 });
    expect(fateOf(late, circumstances({ sleptPast: (at) => at === 99 })).kind).toBe('round');
    expect(moveOf(late, circumstances({ sleptPast: () => true, webhooks: OFF })).to.state).toBe('expired');
  });

  test('rests while every webhook is off, until its own time or the end of its window', () => {
    expect(moveOf(dueMessage(1), circumstances({ webhooks: OFF })).to).toMatchObject({
      state: 'paused',
      nextDueAt: null,
      cells: 'pp...',
    });
    const waits = retrying({ 1: 'failed' }, { nextDueAt: 300 });
    expect(moveOf(waits, circumstances({ webhooks: OFF })).to.nextDueAt).toBe(300);
    const isDue = retrying({ 1: 'failed' }, { nextDueAt: 100 });
    expect(moveOf(isDue, circumstances({ webhooks: OFF })).to.nextDueAt).toBe(501);
  });

  test('that rests says so in the cells of the webhooks that are off alone', () => {
    const given = retrying({ 1: 'declined', 2: 'failed' }, { cells: 'df...' });
    const move = moveOf(given, circumstances({ webhooks: [webhookOf(1), OFF[1]!] }));
    expect(move.to).toMatchObject({ state: 'paused', cells: 'dp...' });
  });

  test('fails when no webhook, on or off, would be tried', () => {
    expect(moveOf(retrying({ 1: 'declined', 2: 'declined' }), circumstances()).to.state).toBe('failed');
  });

  test('counts as delivered when the breaker leaves every webhook out', () => {
    const move = moveOf(dueMessage(1), circumstances({ allows: () => false }));
    expect([move.to.state, move.reason]).toEqual(['delivered', 'every_webhook_left_out']);
  });

  test('and is paused while a webhook is on is left alone: it is about to be resumed', () => {
    expect(fateOf(dueMessage(1, { state: 'paused' }), circumstances())).toEqual({ kind: 'nothing' });
  });
});

describe('a message that waits', () => {
  test('stays as it is while a webhook would be tried', () => {
    expect(fateOfWaiting(retrying({ 1: 'failed' }), circumstances())).toBeNull();
  });

  test('rests or fails at once when none would be', () => {
    expect(fateOfWaiting(retrying({ 1: 'failed' }), circumstances({ webhooks: OFF }))?.to.state).toBe('paused');
    expect(fateOfWaiting(retrying({ 1: 'declined', 2: 'declined' }), circumstances())?.to.state).toBe('failed');
  });

  test('and rests already is left alone', () => {
    expect(fateOfWaiting(retrying({}, { state: 'paused' }), circumstances({ webhooks: OFF }))).toBeNull();
  });
});
