import { describe, expect, it } from 'vitest';
import { deliveryText, notSendingWords } from '../../../src/contract/not-sending.ts';
import { notSending, type SendingFacts } from '../../../src/core/model/not-sending.ts';
import { NOT_SENDING_REASONS, type NotSendingReason } from '../../../src/core/model/vocabulary.ts';

const well: SendingFacts = {
  stopping: false,
  store: { writable: true, readable: true, damaged: false, full: false },
  secretReadable: true,
  destination: { enabled: true, paused: false },
  webhooks: [
    { enabled: true, readable: true },
    { enabled: false, readable: true },
  ],
  clockPaused: false,
};

describe('why nothing is sent', () => {
  it('has no reason while one webhook is on and nothing else holds delivery', () => {
    expect(notSending(well)).toEqual([]);
    expect(deliveryText([])).toBe('Delivery runs.');
  });

  it.each<[NotSendingReason, Partial<SendingFacts>]>([
    ['stopping', { stopping: true }],
    ['store_not_writable', { store: { ...well.store, writable: false } }],
    ['store_not_readable', { store: { ...well.store, readable: false } }],
    ['secret_unreadable', { secretReadable: false }],
    ['headers_unreadable', { webhooks: [well.webhooks[0]!, { enabled: true, readable: false }] }],
    ['destination_off', { destination: { enabled: false, paused: false } }],
    ['no_webhook', { webhooks: [] }],
    ['webhooks_off', { webhooks: [{ enabled: false, readable: true }] }],
    ['by_person', { destination: { enabled: true, paused: true } }],
    ['store_damaged', { store: { ...well.store, damaged: true } }],
    ['store_full', { store: { ...well.store, full: true } }],
    ['clock_paused', { clockPaused: true }],
  ])('says %s', (reason, change) => {
    expect(notSending({ ...well, ...change })).toEqual([reason]);
    expect(deliveryText([reason])).toContain(notSendingWords[reason].clause);
    expect(deliveryText([reason])).not.toContain('Delivery runs.');
  });

  it('says all of them at once, most pressing first', () => {
    const worst: SendingFacts = {
      stopping: true,
      store: { writable: false, readable: false, damaged: true, full: true },
      secretReadable: false,
      destination: { enabled: false, paused: true },
      webhooks: [{ enabled: false, readable: false }],
      clockPaused: true,
    };
    expect(notSending(worst)).toEqual(NOT_SENDING_REASONS.filter((reason) => reason !== 'no_webhook'));
  });

  it('tells what holds everything from what holds a part', () => {
    expect(deliveryText(['by_person', 'clock_paused'])).toBe(
      'Nothing is sent: delivery is paused by a person; the retry clock is paused, so nothing is tried again.',
    );
    expect(deliveryText(['store_full'])).toBe('Delivery runs in part: the store is full, so new calls are refused.');
  });
});
