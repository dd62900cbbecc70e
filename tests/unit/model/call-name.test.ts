import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { callName } from '../../../src/core/model/call-name.ts';
import type { CallType } from '../../../src/core/model/vocabulary.ts';

describe('what the list shows of a call', () => {
  it.each([
    ['track', { event: 'Order Completed' }, 'Order Completed'],
    ['track', { event: 5 }, ''],
    ['page', { category: 'Docs', name: 'Home' }, 'Docs / Home'],
    ['page', { category: null, name: 'Home' }, 'Home'],
    ['page', { name: '', properties: { path: '/a', url: 'http://x/b' } }, '/a'],
    ['page', { properties: { url: 'http://x.test/b/c?d=1#e' } }, '/b/c'],
    ['page', { properties: { url: 'http://x.test' } }, '/'],
    ['page', { properties: { url: 'not a url?x' } }, 'not a url'],
    ['page', { properties: { url: '?x=1' } }, '/'],
    ['page', { properties: { url: '' } }, ''],
    ['page', { properties: { url: 'x://y.test/a?next=http://z.test/b#c\nd' } }, '/a'],
    ['page', { properties: { url: '/a:b/c://d/e' } }, '/a:b/c://d/e'],
    ['page', { properties: {}, context: { page: { path: '/after-empty-properties' } } }, '/after-empty-properties'],
    ['page', { context: { page: { path: '/from-context' } } }, '/from-context'],
    ['page', { category: 'Docs' }, 'Docs'],
    ['page', {}, ''],
    ['screen', { category: 'C', name: 'Main' }, 'C / Main'],
    ['screen', { name: 'Main' }, 'Main'],
    ['identify', { traits: { email: 'a', name: 'b', locale: 'c' } }, 'email, name, locale'],
    ['identify', { traits: { high_value_customers: true } }, 'high_value_customers: true'],
    ['identify', { traits: { high_value_customers: false } }, 'high_value_customers: false'],
    ['identify', { traits: { vip: true, email: 'a' } }, 'vip, email'],
    ['identify', { traits: { email: 'true' } }, 'email'],
    ['identify', { traits: null }, ''],
    ['group', { groupId: 'g', traits: { name: 'Acme' } }, 'Acme'],
    ['group', { groupId: 'g', traits: { name: 1 } }, 'g'],
    ['group', { groupId: 7 }, '7'],
    ['alias', { previousId: 'old', userId: 'new' }, 'old → new'],
    ['alias', { previousId: 1, anonymousId: 'a' }, '1 → a'],
    ['delete', { userId: 'u' }, 'Deletion notice'],
    [null, { event: 'x' }, ''],
  ] as [CallType | null, JsonObject, string][])('%s %j is %j', (type, call, name) => {
    expect(callName(type, call)).toBe(name);
  });

  it('is cut at 300 characters, never inside a surrogate pair', () => {
    const name = callName('track', { event: `x${'😀'.repeat(300)}` });
    expect(name.length).toBeLessThanOrEqual(300);
    expect(name.endsWith('😀…')).toBe(true);
    expect(callName('track', { event: 'x'.repeat(300) })).toBe('x'.repeat(300));
  });

  it('stays short for thousands of traits', () => {
    const traits = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`t${at}`, at]));
    expect(callName('identify', { traits }).length).toBe(300);
  });
});
