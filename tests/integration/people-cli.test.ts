/** Persons on the real engine: ids that belong together, and `hookbench people`. */
import { describe, expect, test } from 'vitest';
import { peopleCommand } from '../../src/cli/people.ts';
import type { EveryoneView, PeopleSort, PersonView } from '../../src/contract/persons.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { runCommand } from '../helpers/run-command.ts';

const run = async (engine: RunningEngine, ...args: string[]): Promise<string> =>
  (await runCommand(peopleCommand, [...args, '--workspace', engine.workspace])).text;

/** Asks again until the stored calls are read and `when` holds. */
const personWhen = (engine: RunningEngine, id: string, when: (view: PersonView) => boolean): Promise<PersonView> =>
  engine.until(async () => {
    const view = await engine.client.call('people.person', { id }).catch(() => undefined);
    return view !== undefined && when(view) ? view : undefined;
  });

/** What a browser sends that signs in late, and whose next user gets its anonymous id. */
async function shop(engine: RunningEngine): Promise<void> {
  const anonymousId = '5e0c91';
  await engine.post('/v1/identify', { userId: 'usr_41c0', anonymousId, traits: { name: 'Lee Park' } });
  await engine.post('/v1/track', { anonymousId, event: 'Product Added' });
  await engine.post('/v1/page', { anonymousId, name: 'Shipping' });
  await engine.post('/v1/identify', {
    userId: 'usr_8f21',
    anonymousId,
    traits: { email: 'm.kovac@example.com', seats: 12, firstName: 'Mira', lastName: 'Kovač' },
  });
  await engine.post('/v1/alias', { userId: 'usr_8f21', previousId: 'guest_2217' });
  await engine.post('/v1/group', { userId: 'usr_8f21', groupId: 'grp_118', traits: { name: 'Acme Outlet GmbH' } });
  await engine.post('/v1/identify', { userId: 'usr_8f21', traits: { email: 'mira@example.com', seats: '12' } });
}

describe.each([{ peopleThread: false }, { peopleThread: true }])('persons, in a thread: $peopleThread', (setup) => {
  test.each(['documented', 'pass-through'] as const)('join their ids, in a %s body', async (body) => {
    const config = configOf([]);
    const engine = await startEngine({ ...setup, config: { ...config, webhooks: { ...config.webhooks, body } } });
    await shop(engine);
    const person = await personWhen(engine, 'guest_2217', ({ calls }) => calls === 6);
    expect(person).toMatchObject({
      key: { kind: 'user', id: 'usr_8f21' },
      name: 'Mira Kovač',
      userIds: [
        { id: 'usr_8f21', calls: 4, renamedBy: null },
        { id: 'guest_2217', calls: 0 },
      ],
      anonymousIds: [{ id: '5e0c91', calls: 3, sharedWith: ['usr_41c0'] }],
      groups: [{ groupId: 'grp_118', name: 'Acme Outlet GmbH' }],
      findings: [
        { kind: 'trait_type', trait: 'seats', was: 12, is: '12' },
        { kind: 'identify_after_track', anonymousCalls: 2 },
        { kind: 'shared_anonymous_id', before: 'usr_41c0', after: 'usr_8f21' },
      ],
      sessions: [{ calls: 6 }],
    });
    expect(person.timeline.map(({ tie }) => tie)).toEqual(['user', 'user', 'user', 'both', 'anonymous', 'anonymous']);
    expect(person.traits.find(({ trait }) => trait === 'email')).toMatchObject({
      value: 'mira@example.com',
      was: ['m.kovac@example.com'],
    });
    const everyone = await engine.client.call('people.list', { limit: 10 });
    expect(everyone).toMatchObject({ people: 2, matching: 2 });
    expect(everyone.rows.map(({ key, name, calls }) => [key.id, name, calls])).toEqual([
      ['usr_8f21', 'Mira Kovač', 6],
      ['usr_41c0', 'Lee Park', 1],
    ]);
    for (const search of ['kovač', 'MIRA@', '8f2'])
      expect((await engine.client.call('people.list', { limit: 10, search })).matching, search).toBe(1);
    expect((await engine.client.call('people.list', { limit: 1, from: 1 })).rows.map(({ key }) => key.id)).toEqual([
      'usr_41c0',
    ]);
    await engine.track('Seen', { userId: 'usr_9' });
    const counted = await engine.until(async () => {
      const list = await engine.client.call('people.list', { limit: 1, sort: 'findings' });
      return list.isCounted && list.people === 3 ? list : undefined;
    });
    expect(counted).toMatchObject({ uncounted: 0, withFindings: 2, rows: [{ key: { id: 'usr_8f21' }, findings: 3 }] });
    await expect(engine.client.call('people.person', { id: 'usr_0' })).rejects.toMatchObject({
      code: 'person_not_found',
    });
  });

  test('are sorted as asked, and of equal ones the one seen last comes first', async () => {
    const engine = await startEngine({ ...setup, config: configOf([]) });
    for (const userId of ['b', 'a', 'a', 'c', 'b']) await engine.track('Seen', { userId });
    await personWhen(engine, 'b', ({ calls }) => calls === 2);
    const sorted = async (sort?: PeopleSort) =>
      (await engine.client.call('people.list', { limit: 9, sort })).rows.map(({ key }) => key.id).join('');
    expect(await sorted()).toBe('bca');
    expect(await sorted('last_seen')).toBe('bca');
    expect(await sorted('first_seen')).toBe('cab');
    expect(await sorted('calls')).toBe('bac');
    const { rows } = await engine.client.call('people.list', { limit: 1, from: 1, sort: 'calls' });
    expect(rows).toMatchObject([{ key: { id: 'a' }, calls: 2 }]);
    expect(rows[0]!.firstSeenAt).toBeLessThanOrEqual(rows[0]!.lastSeenAt!);
  });

  test('lose what is erased and learn what arrives', async () => {
    const engine = await startEngine({ ...setup, config: configOf([]) });
    await engine.post('/v1/track', { anonymousId: 'a1', event: 'Seen' });
    await personWhen(engine, 'a1', ({ key, calls }) => key.kind === 'anonymous' && calls === 1);
    await engine.post('/v1/identify', { anonymousId: 'a1', userId: 'usr_1' });
    await personWhen(engine, 'a1', ({ key, calls }) => key.id === 'usr_1' && calls === 2);
    await engine.track('Seen', { userId: 'usr_2' });
    expect(await engine.client.call('storage.clear', { upTo: 2 })).toMatchObject({ removed: 2 });
    await engine.until(async () => {
      const { people } = await engine.client.call('people.list', { limit: 1 });
      return people === 1 ? true : undefined;
    });
  });
});

test('a rejected call and a notice of a deletion name nobody', async () => {
  const engine = await startEngine({ config: configOf([]), peopleThread: false });
  await engine.post('/v1/track', { userId: 'usr_1' });
  await engine.post('/v1/track', { userId: 'usr_2', event: 'Seen' });
  await personWhen(engine, 'usr_2', ({ calls }) => calls === 1);
  expect(await engine.client.call('people.list', { limit: 9 })).toMatchObject({ people: 1 });
});

describe('hookbench people', () => {
  test('lists people and shows one with findings', async () => {
    const engine = await startEngine({ config: configOf([]), controlSocket: true, peopleThread: false });
    expect(await run(engine)).toBe(
      'Nobody yet. A person appears with the first call that has a userId or anonymousId.\n',
    );
    await shop(engine);
    await personWhen(engine, 'usr_8f21', ({ calls }) => calls === 6);
    const list = await run(engine);
    expect(list).toContain('6        Mira Kovač');
    expect(list.trimEnd().split('\n').at(-1)).toBe('2 people.');
    expect(await run(engine, '--search', 'lee')).toContain('1 of 2 people match.');
    const text = await run(engine, '5e0c91');
    expect(text.split('\n')[0]).toBe('Mira Kovač  usr_8f21');
    expect(text).toContain('anonymous 5e0c91  3 calls, shared with usr_41c0');
    expect(text).toContain('guest_2217  0 calls, renamed by an alias call');
    expect(text).toContain('email: "mira@example.com"  was "m.kovac@example.com"');
    expect(text).toContain('Findings 3\n  1. A trait changed its type: seats');
    expect(text).toMatch(/2\. identify after track: 2 calls before were anonymous\n.*\n {5}2\d{3}-.*identify/);
    expect(JSON.parse(await run(engine, 'usr_41c0', '--json'))).toMatchObject({ name: 'Lee Park', calls: 1 });
    expect(await run(engine, 'usr_41c0')).toContain('Two users on one anonymousId');
  });

  test('lists them in the orders of the screen, each with what it is about', async () => {
    const engine = await startEngine({ config: configOf([]), controlSocket: true, peopleThread: false });
    for (const userId of ['b', 'a', 'a', 'c', 'b']) await engine.track('Seen', { userId });
    for (const seats of [1, '1'])
      await engine.post('/v1/identify', { userId: 'b', timestamp: '2026-01-01T00:00:00Z', traits: { seats } });
    await engine.track('Seen', { userId: 'a' });
    await engine.track('Seen', { userId: 'a' });
    await engine.track('Seen', { userId: 'a' });
    await personWhen(engine, 'a', ({ calls }) => calls === 5);
    const listed = async (...args: string[]) => {
      const [head, ...rows] = (await run(engine, ...args)).trimEnd().split('\n').slice(0, -1);
      return `${head!.split(/ {2,}/).join(', ')}: ${rows.map((row) => row.trim().split(/\s+/).at(-1)).join('')}`;
    };
    expect(await listed()).toBe('LAST SEEN, CALLS, NAME, ID: abc');
    expect(await listed('--sort', 'last_seen')).toBe('LAST SEEN, CALLS, NAME, ID: abc');
    expect(await listed('--sort', 'first_seen')).toBe('FIRST SEEN, CALLS, NAME, ID: cab');
    expect(await listed('--sort', 'calls')).toBe('LAST SEEN, CALLS, NAME, ID: abc');
    expect(await listed('--sort', 'findings')).toMatch(/^LAST SEEN, FINDINGS, CALLS, NAME, ID: [ab]{2}c$/);
    const { rows } = JSON.parse(await run(engine, '--sort', 'findings', '--json')) as EveryoneView;
    const counts = rows.map(({ findings }) => findings);
    expect(counts).toEqual([...counts].sort((a, b) => b! - a!));
    expect(Math.max(...(counts as number[]))).toBeGreaterThan(0);
  });

  test('waits for everyone to be counted before it sorts by findings', async () => {
    const engine = await startEngine({ config: configOf([]), controlSocket: true, peopleThread: false });
    for (let from = 0; from < 1_500; from += 500) {
      const batch = Array.from({ length: 500 }, (_, i) => ({ type: 'track', userId: `u${from + i}`, event: 'Seen' }));
      await engine.post('/v1/batch', { batch });
    }
    await personWhen(engine, 'u1499', ({ calls }) => calls === 1);
    const view = JSON.parse(await run(engine, '--sort', 'findings', '--json')) as EveryoneView;
    expect(view).toMatchObject({ people: 1_500, uncounted: 0 });
  });

  test('names who is shown when there are more, in the order that was asked for', async () => {
    const engine = await startEngine({ config: configOf([]), controlSocket: true, peopleThread: false });
    const batch = Array.from({ length: 51 }, (_, i) => ({ type: 'track', userId: `u${i}`, event: 'Seen' }));
    await engine.post('/v1/batch', { batch });
    await personWhen(engine, 'u50', ({ calls }) => calls === 1);
    const last = async (...args: string[]) => (await run(engine, ...args)).trimEnd().split('\n').at(-1);
    expect(await last()).toBe('51 people. The 50 seen last are shown.');
    expect(await last('--sort', 'first_seen')).toBe('51 people. The 50 first seen last are shown.');
    expect(await last('--sort', 'calls')).toBe('51 people. The 50 with most calls are shown.');
    expect(await last('--sort', 'findings')).toBe('51 people. The 50 with most findings are shown.');
  });

  test('says when nobody has the id, and what is wrong with the words', async () => {
    const engine = await startEngine({ config: configOf([]), controlSocket: true, peopleThread: false });
    await expect(run(engine, 'usr_0')).rejects.toMatchObject({ code: 'person_not_found' });
    await expect(run(engine, 'a', 'b')).rejects.toThrow('Write the id in quotes: "a b".');
    await expect(run(engine, 'a', '--search', 'b')).rejects.toThrow('Give an id or --search, not both.');
    await expect(run(engine, 'a', '--sort', 'calls')).rejects.toThrow('Give an id or --sort, not both.');
    await expect(run(engine, '--sort', 'name')).rejects.toMatchObject({
      code: 'usage',
      message: '--sort takes one of last_seen, first_seen, calls, findings, not "name".',
    });
  });

  test('shows control characters of clients as text', async () => {
    const engine = await startEngine({ config: configOf([]), controlSocket: true, peopleThread: false });
    await engine.post('/v1/identify', { userId: 'u', traits: { name: '\u001b[31mred' } });
    await personWhen(engine, 'u', ({ calls }) => calls === 1);
    expect(await run(engine)).not.toContain('\u001b');
    expect(await run(engine, 'u')).not.toContain('\u001b');
  });
});
