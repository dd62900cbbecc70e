import { describe, expect, test } from 'vitest';
import { gapMs, HISTORY_CALLS, historyTime, ShopCalls, wireCall } from '../../../src/core/demo/calls.ts';
import { DELETED_USER, emailOf, SHOPPERS } from '../../../src/core/demo/people.ts';
import { seededRandom } from '../../../src/core/model/seeded-random.ts';

const AT = Date.UTC(2026, 10, 20, 14, 0, 0);
const some = (seed: number, count: number) => new ShopCalls(seed).upTo(count).map((call) => wireCall(call, AT));
const bytes = (call: object): number => Buffer.byteLength(JSON.stringify(call));

describe('the calls of the demo', () => {
  test('are the same for the same seed, and others for another seed', () => {
    expect(some(42, 600)).toEqual(some(42, 600));
    expect(some(43, 600)).not.toEqual(some(42, 600));
  });

  test('go on after any number of them as if they had never stopped', () => {
    const whole = some(7, 500);
    const calls = new ShopCalls(7);
    calls.upTo(321);
    expect(calls.upTo(500).map((call) => wireCall(call, AT))).toEqual(whole.slice(321));
  });

  test('have ids of their own, which name the seed', () => {
    const ids = some(42, 2_000).map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(2_000);
    expect(ids[0]).toBe('demo-42-0');
  });

  test.each([1, 42, 4_294_967_295])('are of every type within the history of seed %d', (seed) => {
    const types = new Set(some(seed, HISTORY_CALLS).map(({ type }) => type));
    expect([...types].sort()).toEqual(['alias', 'group', 'identify', 'page', 'screen', 'track']);
  });

  test('introduce every customer, and the one to be deleted to every source', () => {
    const history = new ShopCalls(42).upTo(HISTORY_CALLS);
    const known = new Set(history.filter(({ type }) => type === 'identify').map(({ fields }) => fields.userId));
    for (const { userId } of SHOPPERS) expect(known).toContain(userId);
    const tellers = history.filter(({ fields }) => fields.userId === DELETED_USER).map(({ source }) => source);
    expect([...new Set(tellers)].sort()).toEqual(['checkout', 'phone', 'web']);
  });

  test('stay below 32 KB, but for a catalogue that ingest rejects', () => {
    const calls = some(42, 3_000);
    const large = calls.filter((call) => bytes(call) > 32 * 1024);
    expect(large.length).toBeGreaterThan(0);
    for (const call of large) expect(call.event).toBe('Catalog Imported');
    for (const call of calls.filter(({ event }) => event === 'Catalog Imported'))
      expect([bytes(call) > 32 * 1024, bytes(call) < 64 * 1024]).toEqual([true, true]);
  });

  test('have orders whose total is what the goods and the shipping cost', () => {
    interface Order {
      readonly total: number;
      readonly shipping: number;
      readonly items: number;
      readonly products: ReadonlyArray<{ readonly price: number; readonly quantity: number }>;
    }
    const orders = some(42, 3_000).filter(({ event }) => event === 'Order Completed');
    expect(orders.length).toBeGreaterThan(100);
    for (const { properties } of orders) {
      const { total, shipping, items, products } = properties as Order;
      const goods = products.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
      expect(total).toBeCloseTo(goods + shipping, 2);
      expect(shipping).toBe(goods < 60 ? 4.9 : 0);
      expect(items).toBe(products.reduce((sum, { quantity }) => sum + quantity, 0));
    }
  });

  test('tie what an unknown visitor did to the user that they become', () => {
    const calls = some(42, 3_000);
    const ties = calls.filter(({ type }) => type === 'alias');
    expect(ties.length).toBeGreaterThan(10);
    for (const { previousId, userId } of ties) {
      expect(calls.some((call) => call.anonymousId === previousId && call.userId === undefined)).toBe(true);
      expect(calls.some((call) => call.event === 'Signed Up' && call.userId === userId)).toBe(true);
    }
  });

  test('name the webhooks that a newsletter is not for', () => {
    const opened = some(42, 3_000).filter(({ event }) => event === 'Newsletter Opened');
    expect(opened.length).toBeGreaterThan(5);
    for (const call of opened) expect(call.integrations).toEqual({ Webhooks: false });
  });
});

test('the history ends at the start of the demo and never runs backwards', () => {
  const times = Array.from({ length: HISTORY_CALLS }, (_unused, n) => historyTime(n, AT));
  expect(times[0]).toBe(AT - 8 * 3_600_000);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)!).toBeLessThan(AT);
});

test('the gap between two calls lies around what the rate asks for', () => {
  const chance = seededRandom(1);
  const gaps = Array.from({ length: 2_000 }, () => gapMs(20, chance));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  expect(mean).toBeGreaterThan(2_900);
  expect(mean).toBeLessThan(3_100);
  expect([Math.min(...gaps) >= 1_500, Math.max(...gaps) <= 4_500]).toEqual([true, true]);
});

test('an address is made of the letters of the name, else of the user id', () => {
  expect(emailOf('Tereza Dvořáková', 'usr_c3f5')).toBe('tereza.dvorakova@example.com');
  expect(emailOf('ليلى حداد', 'usr_b812')).toBe('usr_b812@example.com');
});
