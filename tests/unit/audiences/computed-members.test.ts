import { describe, expect, test } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ComputedMembers } from '../../../src/core/audiences/computed-members.ts';
import type { MovedUsers } from '../../../src/core/audiences/members-of.ts';
import type { UserEdit } from '../../../src/core/audiences/roster.ts';
import { NO_USERS } from '../../../src/core/model/audience-user.ts';
import { simPorts } from '../../helpers/sim-ports.ts';

const EVERYONE: MovedUsers = { everyone: true, users: [], more: false };
const NOBODY: MovedUsers = { everyone: false, users: [], more: false };

/** Audiences whose definition is the text that is their key, and people that answer as a test says. */
function world(definitions: Record<number, string | null>) {
  const { time, timers } = simPorts();
  const log: string[] = [];
  const edits: Array<[id: number, edit: UserEdit]> = [];
  const answers: Array<MovedUsers | Error> = [];
  const failing = new Set<number>();
  let isSlow = false;
  let notify: (key: string) => void = () => {};
  const audienceOf = (id: number) => ({ audience: { id, kind: 'audience', definition: definitions[id] } });
  const members = new ComputedMembers({
    membersOf: {
      problemOf: () => null,
      keyOf: (_kind, definition) => definition,
      keep: (kept) => void log.push(`keep ${kept.map(({ definition }) => definition).join(' ')}`),
      moved: async (_kind, definition) => {
        log.push(`moved ${definition}`);
        if (isSlow) await new Promise<void>((resolve) => timers.after(1_000, resolve));
        const answer = answers.shift() ?? NOBODY;
        if (answer instanceof Error) throw answer;
        return answer;
      },
      window: (_kind, definition) => {
        log.push(`walk ${definition}`);
        return Promise.resolve([{ userId: `of ${definition}`, value: 'true' }]);
      },
      onChanged: (listener) => {
        notify = listener;
      },
    },
    store: { users: () => [] },
    roster: {
      get all() {
        return Object.keys(definitions).map((id) => ({ ...audienceOf(Number(id)), counts: NO_USERS }) as never);
      },
      find: (id) => (id in definitions ? (audienceOf(id) as never) : undefined),
      editUsers: async (id, more) => {
        if (failing.has(id)) throw new Error('The disk is full.');
        for (const edit of more) edits.push([id, edit]);
        return { added: 0, removed: 0, unchanged: 0 };
      },
    },
    timers,
    logger: { log: (_level, event) => void log.push(event) },
    taken: (id) => void log.push(`taken ${id}`),
  });
  const take = (): string[] => log.splice(0);
  return {
    members,
    definitions,
    edits,
    answers,
    failing,
    take,
    change: (key: string) => notify(key),
    slow: (is: boolean) => {
      isSlow = is;
    },
    pass: (ms = 100) => time.advance(ms),
  };
}

describe('computed members', () => {
  test('are counted once everyone was walked, until another definition is to be counted', async () => {
    const { members, definitions, answers, slow, pass } = world({ 1: 'A', 2: null });
    slow(true);
    members.start();
    answers.push(EVERYONE);
    await pass();
    expect([members.isCounted(1), members.isCounted(2)]).toEqual([false, true]);
    await pass(1_000);
    expect(members.isCounted(1)).toBe(true);
    definitions[1] = 'B';
    expect(members.isCounted(1)).toBe(false);
    members.keep();
    await pass(1_100);
    expect(members.isCounted(1)).toBe(true);
  });

  test('are walked once at the start, and then only who changed is written', async () => {
    const { members, answers, edits, take, change, pass } = world({ 1: 'A', 2: null });
    members.start();
    answers.push(EVERYONE);
    await pass();
    expect(take()).toEqual(['keep A', 'moved A', 'walk A', 'taken 1']);
    answers.push({ everyone: false, users: [{ userId: 'x', value: null }], more: true }, NOBODY);
    change('A');
    change('A');
    await pass();
    expect(take()).toEqual(['moved A', 'taken 1', 'moved A', 'taken 1']);
    expect(edits).toEqual([
      [1, { userId: 'of A', value: 'true' }],
      [1, { userId: 'x', value: null }],
    ]);
  });

  test('are walked again when people cannot say who changed', async () => {
    const { members, answers, take, change, pass } = world({ 1: 'A' });
    members.start();
    await pass();
    take();
    answers.push(EVERYONE);
    change('A');
    await pass();
    expect(take()).toEqual(['moved A', 'walk A', 'taken 1']);
  });

  test('of the same definition share its changes, also one that comes later', async () => {
    const { members, definitions, answers, edits, take, change, pass } = world({ 1: 'A' });
    members.start();
    await pass();
    definitions[2] = 'A';
    members.keep();
    await pass();
    expect(take().slice(-4)).toEqual(['moved A', 'taken 1', 'walk A', 'taken 2']);
    edits.length = 0;
    answers.push({ everyone: false, users: [{ userId: 'x', value: 'true' }], more: false });
    change('A');
    await pass();
    expect(edits.map(([id]) => id)).toEqual([1, 2]);
  });

  test('are walked again after another definition, also when the first one comes back', async () => {
    const { members, definitions, take, pass } = world({ 1: 'A', 2: 'A' });
    members.start();
    await pass();
    take();
    definitions[1] = 'B';
    members.keep();
    definitions[1] = 'A';
    members.keep();
    await pass();
    expect(take()).toContain('walk A');
  });

  test('wait for what is under way, and all who ask meanwhile share one more look', async () => {
    const { members, take, slow, pass } = world({ 1: 'A' });
    members.start();
    await pass();
    take();
    slow(true);
    let done = 0;
    for (let i = 0; i < 4; i += 1) void members.upToDate(1).then(() => (done += 1));
    await pass(1_000);
    expect(done).toBe(1);
    await pass(1_000);
    expect(done).toBe(4);
    expect(take().filter((line) => line === 'moved A')).toHaveLength(2);
  });

  test('that could not be written are walked later, and the others lose nothing', async () => {
    const { members, answers, edits, failing, take, change, pass } = world({ 1: 'A', 2: 'A' });
    members.start();
    await pass();
    edits.length = 0;
    failing.add(1);
    answers.push({ everyone: false, users: [{ userId: 'x', value: 'true' }], more: false });
    change('A');
    await pass();
    expect(take().slice(-2)).toEqual(['taken 2', 'members_not_taken_over']);
    expect(edits).toEqual([[2, { userId: 'x', value: 'true' }]]);
    failing.clear();
    await pass(5_100);
    expect(take()).toEqual(['moved A', 'walk A', 'taken 1', 'taken 2']);
  });

  test('stay as they are while people do not run, and an asker is told', async () => {
    const { members, answers, edits, take, pass } = world({ 1: 'A' });
    members.start();
    answers.push(new ContractError('people_off'));
    await pass();
    expect(take().at(-1)).toBe('members_not_taken_over');
    answers.push(new ContractError('people_off'));
    await expect(members.upToDate(1)).rejects.toMatchObject({ code: 'people_off' });
    await pass(60_000);
    // Nobody asks people again before they report a change.
    expect(take()).toEqual(['moved A']);
    expect(edits).toEqual([]);
  });

  test('are not written after a stop, or once the audience has gone', async () => {
    const { members, definitions, edits, slow, pass, change } = world({ 1: 'A', 2: 'B' });
    slow(true);
    members.start();
    await pass();
    delete definitions[1];
    await pass(500);
    members.stop();
    await pass(2_000);
    change('A');
    await pass(2_000);
    expect(edits).toEqual([]);
  });
});
