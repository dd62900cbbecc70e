import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { Damage, isDamage, untold } from '../../../src/core/store/damage.ts';

const sqlite = (code: string): Error => new Database.SqliteError(`${code} said so`, code);
const ADVICE = 'What can be read is delivered. Stop Hookbench and run hookbench doctor --repair.';

function damageOf(at?: number) {
  const seen = { changed: 0, logged: [] as unknown[] };
  const damage = new Damage(
    {
      clock: { wall: () => 42 },
      logger: { log: (...line) => void seen.logged.push(line) },
      changed: () => {
        seen.changed += 1;
      },
    },
    at,
  );
  return { damage, seen };
}

const line = (what: string) => ['error', 'store_damaged', { what, advice: ADVICE }];

test.each([
  [sqlite('SQLITE_CORRUPT'), true],
  [sqlite('SQLITE_CORRUPT_INDEX'), true],
  [sqlite('SQLITE_NOTADB'), false],
  [sqlite('X_SQLITE_CORRUPT'), false],
  [Object.assign(new Error('no'), { code: 'SQLITE_CORRUPT' }), false],
  ['SQLITE_CORRUPT', false],
])('%s is damage: %s', (error, damaged) => {
  expect(isDamage(error)).toBe(damaged);
});

describe('a damaged store', () => {
  test('is told once, with the time at which it was found', () => {
    const { damage, seen } = damageOf();
    expect([damage.known, damage.at, seen.logged]).toEqual([false, null, []]);
    damage.found('page 7');
    damage.found('page 8');
    expect([damage.known, damage.at, seen.changed]).toEqual([true, 42, 1]);
    expect(seen.logged).toEqual([line('page 7')]);
  });

  test('is known after a restart, from the time at which it was found', () => {
    const { damage, seen } = damageOf(0);
    expect([damage.known, damage.at, seen.changed]).toEqual([true, 0, 0]);
    expect(seen.logged).toEqual([line('found before this start')]);
    damage.found('page 7');
    expect([damage.at, seen.changed, seen.logged.length]).toEqual([0, 0, 1]);
  });

  test('gives something else where a page is damaged, and says so', () => {
    const { damage, seen } = damageOf();
    expect(damage.around(() => 'read', 'otherwise')).toBe('read');
    expect(damage.known).toBe(false);
    const fail = (error: Error) => (): string => {
      throw error;
    };
    expect(damage.around(fail(sqlite('SQLITE_CORRUPT')), 'otherwise')).toBe('otherwise');
    expect(seen.logged).toEqual([line('SQLITE_CORRUPT said so')]);
    expect(() => damage.around(fail(sqlite('SQLITE_BUSY')), 'otherwise')).toThrow('SQLITE_BUSY');
  });

  test('gives another value for JSON that was overwritten', () => {
    const { damage, seen } = damageOf();
    expect(damage.parsed('{"a":1}', null, 'the notes')).toEqual({ a: 1 });
    expect(damage.parsed(null, 'none', 'the notes')).toBe('none');
    expect(damage.known).toBe(false);
    expect(damage.parsed('{"a"', 'none', 'the notes of a row')).toBe('none');
    expect(seen.logged).toEqual([line('the notes of a row')]);
  });

  test('with no one to tell is found all the same', () => {
    const damage = untold();
    damage.found('page 7');
    expect([damage.known, damage.at]).toEqual([true, 0]);
  });
});
