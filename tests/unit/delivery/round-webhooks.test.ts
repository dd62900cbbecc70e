/** The states of a round's webhooks: which question each answers with yes, what it shows, and what result it counts as. */
import { describe, expect, test } from 'vitest';
import {
  isAccepted,
  isOpen,
  isOpening,
  isSending,
  isWaiting,
  RoundWebhooks,
  type WebhookState,
} from '../../../src/core/delivery/round-webhooks.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';
import { webhookOf } from '../../helpers/core-fixture.ts';

const done = (outcome: Outcome, cell: string): WebhookState => ({
  kind: 'done',
  result: { webhookId: 2, outcome },
  cell,
});

const STATES: ReadonlyArray<[state: WebhookState, questions: string[], cell: string, outcome: Outcome | null]> = [
  [{ kind: 'off' }, [], 'p', null],
  [{ kind: 'waiting' }, ['isWaiting'], 'w', null],
  [{ kind: 'open', attempt: null }, ['isOpen', 'isOpening'], '?', null],
  [{ kind: 'open', attempt: { id: 1, startedAt: 2 } }, ['isOpen', 'isSending'], 's', null],
  [done('accepted', 'a'), ['isAccepted'], 'a', 'accepted'],
  [done('failed', 'f'), [], 'f', 'failed'],
  [{ kind: 'skipped', reason: 'went_off' }, [], 'p', null],
  [{ kind: 'skipped', reason: 'not_needed' }, [], 'x', null],
  [{ kind: 'skipped', reason: 'too_late' }, [], '.', null],
  [{ kind: 'skipped', reason: 'interrupted' }, [], 'i', 'interrupted'],
];

test.each(STATES)('%j: %j, shown as %s, with the result %s', (state, questions, cell, outcome) => {
  const asked = Object.entries({ isWaiting, isOpen, isOpening, isSending, isAccepted });
  expect(asked.filter(([, question]) => question(state)).map(([name]) => name)).toEqual(questions);
  const webhooks = new RoundWebhooks();
  webhooks.set(webhookOf(2), state);
  expect(webhooks.cells('abcde', '?')).toBe(`a${cell}cde`);
  expect(webhooks.results).toEqual(outcome === null ? [] : [{ webhookId: 2, outcome }]);
});

describe('several webhooks', () => {
  function two(): RoundWebhooks {
    const webhooks = new RoundWebhooks();
    webhooks.set(webhookOf(3), { kind: 'waiting' });
    webhooks.set(webhookOf(1), { kind: 'off' });
    return webhooks;
  }

  test('are asked for one by one, or all', () => {
    const webhooks = two();
    expect([webhooks.is(3, isWaiting), webhooks.is(1, isWaiting), webhooks.is(2, isWaiting)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([webhooks.some(isWaiting), webhooks.some(isOpen)]).toEqual([true, false]);
    expect([webhooks.all(isWaiting), webhooks.all(isOpen)]).toEqual([[webhookOf(3)], []]);
  });

  test('keep their order and their slots, and have one state each', () => {
    const webhooks = two();
    webhooks.set(webhookOf(3), { kind: 'skipped', reason: 'interrupted' });
    webhooks.set(webhookOf(1), done('failed', 'f'));
    expect([webhooks.cells('.....', '?'), webhooks.results.map(({ outcome }) => outcome)]).toEqual([
      'f.i..',
      ['interrupted', 'failed'],
    ]);
  });

  test('move together, and those that moved are told', () => {
    const webhooks = two();
    webhooks.set(webhookOf(5), { kind: 'waiting' });
    expect(webhooks.move(isWaiting, { kind: 'open', attempt: null })).toEqual([webhookOf(3), webhookOf(5)]);
    expect(webhooks.move(isWaiting, { kind: 'off' })).toEqual([]);
    expect(webhooks.cells('.....', 's')).toBe('p.s.s');
  });
});
