/** A full recount reads everything again beside what is counted, which answers until the recount is done. */
import { describe, expect, test } from 'vitest';
import { SlowHost } from './slow-host.ts';

const PEOPLE = 2_000;
const pro = {
  rule: { match: 'all', of: [{ kind: 'trait', path: 'plan', test: { op: 'is', value: 'pro' } }] },
} as const;
const calls = { trait: { kind: 'count', event: null, path: null, where: [], withinMs: null } } as const;

/** Everyone is on the free plan, and counted. */
function counted(): SlowHost {
  const host = new SlowHost(0.5);
  for (let n = 0; n < PEOPLE; n += 1) host.call(`usr_${n}`, { traits: { plan: 'free' } });
  host.ask('hold', pro);
  host.start();
  host.finish();
  host.told.length = 0;
  host.counted = 0;
  return host;
}

/** Changes a stored call behind the keeper's back, which only a recount finds. */
function correct(host: SlowHost, n: number): void {
  host.stored[n] = { ...host.stored[n]!, body: { traits: { plan: 'pro' } } };
}

const members = (host: SlowHost) => host.ask('members', { ...pro, after: null, limit: 10 })?.rows;

describe('a full recount', () => {
  test('answers as before until it is done, and then as the stored calls say', () => {
    const host = counted();
    correct(host, 7);
    host.ask('recount', null);
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    expect(host.ask('rule', pro)).toMatchObject({ done: true, members: 0, people: PEOPLE });
    host.finish();
    expect(members(host)).toEqual(['usr_7']);
  });

  test('lets new calls change membership while it runs, and knows them afterwards', () => {
    const host = counted();
    host.ask('recount', null);
    host.turn();
    host.call('usr_new', { traits: { plan: 'pro' } });
    host.tellStored();
    host.turn();
    expect(members(host)).toEqual(['usr_new']);
    expect(host.told.at(-1)!.recount).not.toBeNull();
    host.finish();
    expect(members(host)).toEqual(['usr_new']);
  });

  test('says how far it is, and reports every definition as counted when it is done', () => {
    const host = counted();
    host.ask('recount', null);
    expect(host.told.at(-1)!.recount).toBe(0);
    host.finish();
    const told = host.told.map(({ recount }) => recount);
    const progress = told.filter((one) => one !== null);
    expect(progress.length).toBeGreaterThan(5);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(new Set(progress).size).toBe(progress.length);
    expect(told.at(-1)).toBeNull();
    expect(host.told.every(({ state }) => state === 'ready')).toBe(true);
    expect(host.counted).toBe(1);
    expect(host.ask('moved', { definition: pro, limit: 10 })).toEqual({ everyone: true, users: [], more: false });
  });

  test('is cancelled: it reads nothing more, and everything stays as it was', () => {
    const host = counted();
    correct(host, 7);
    host.ask('moved', { definition: pro, limit: 10 });
    host.ask('recount', null);
    host.turn();
    host.ask('cancelRecount', null);
    expect(host.told.at(-1)!.recount).toBeNull();
    host.turns.length = 0;
    host.finish();
    expect(host.turns.reduce((sum, { read }) => sum + read, 0)).toBe(0);
    expect(host.told.at(-1)).toMatchObject({ state: 'ready', recount: null });
    expect(host.ask('rule', pro)).toMatchObject({ done: true, members: 0 });
    expect(host.ask('moved', { definition: pro, limit: 10 })?.everyone).toBe(false);
  });

  test('goes on when it is asked for again, and can be begun anew after a cancel', () => {
    const host = counted();
    host.ask('recount', null);
    host.turn();
    host.turns.length = 0;
    host.ask('recount', null);
    host.finish();
    expect(host.turns.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(PEOPLE);
    host.ask('recount', null);
    host.ask('cancelRecount', null);
    host.ask('cancelRecount', null);
    correct(host, 3);
    host.ask('recount', null);
    host.finish();
    expect(members(host)).toEqual(['usr_3']);
  });

  test('counts what was asked for while it ran before it takes over, and forgets what was dropped', () => {
    const host = counted();
    host.ask('recount', null);
    host.turn();
    host.ask('hold', calls);
    host.ask('release', pro);
    host.ask('cancel', pro);
    host.finish();
    host.counted = 0;
    expect(host.ask('trait', calls)).toMatchObject({ done: true, withValue: PEOPLE });
    expect(host.ask('rule', pro).done).toBe(false);
  });

  test('forgets removed calls too', () => {
    const host = counted();
    host.ask('recount', null);
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    host.say({ type: 'removed', ids: [1, PEOPLE] });
    host.stored[PEOPLE - 1] = { ...host.stored[PEOPLE - 1]!, id: 0, userId: 'usr_0', body: null };
    host.finish();
    expect(host.ask('explain', { ...pro, userId: 'usr_0' })).toMatchObject({ known: false });
    expect(host.told.at(-1)).toMatchObject({ people: PEOPLE - 2, calls: PEOPLE - 2, recount: null });
  });
});
