/** The rows of everyone that the list keeps while the user scrolls. */
import { describe, expect, it } from 'vitest';
import {
  type KnownPeople,
  type PeopleWindow,
  placeOf,
  WINDOW,
  windowAt,
  withWindow,
} from '../../../../src/renderer/screens/people/known-people.ts';

/** People named by numbers, from one on. */
const windowOf = (from: number, over: Partial<PeopleWindow> = {}, first = from): PeopleWindow => ({
  question: 'last_seen ',
  from,
  people: 100_000,
  matching: 100_000,
  isCounted: true,
  uncounted: 0,
  withFindings: 0,
  rows: Array.from({ length: WINDOW }, (_, i) => ({
    key: { kind: 'user', id: `u${first + i}` },
    name: null,
    calls: 1,
    findings: 0,
    firstSeenAt: 0,
    lastSeenAt: 0,
  })),
  ...over,
});
const idsOf = ({ rows }: KnownPeople) => new Map([...rows].map(([at, { key }]) => [at, key.id]));

describe('a window', () => {
  it.each([
    [0, 0],
    [49, 0],
    [99, 0],
    [100, 50],
    [149, 50],
    [99_999, 99_900],
  ])('of the rows from %i on begins at %i', (first, from) => {
    expect(windowAt(first)).toBe(from);
  });

  it('has the rows around those in sight, above and below', () => {
    for (let first = 0; first < 1_000; first += 1) {
      expect(windowAt(first)).toBeLessThanOrEqual(first);
      expect(windowAt(first) + WINDOW).toBeGreaterThanOrEqual(first + 50);
    }
  });
});

describe('known people', () => {
  it('stand at their places, and keep those of the windows before', () => {
    const known = withWindow(withWindow(null, windowOf(0)), windowOf(100));
    expect(known.rows.size).toBe(250);
    for (const [at, id] of idsOf(known)) expect(id).toBe(`u${at}`);
    expect(placeOf(known, 'u249')).toBe(249);
    expect(placeOf(known, 'u250')).toBeUndefined();
    expect(placeOf(known, null)).toBeUndefined();
  });

  it('stand at one place each, that of the newest answer', () => {
    // Somebody new came first: everyone moved down by one.
    const known = withWindow(withWindow(null, windowOf(0)), windowOf(100, {}, 99));
    const ids = [...idsOf(known).values()];
    expect(new Set(ids).size).toBe(ids.length);
    expect(placeOf(known, 'u99')).toBe(100);
    expect(idsOf(known).get(99)).toBeUndefined();
  });

  it('are others for another question', () => {
    const known = withWindow(withWindow(null, windowOf(0)), windowOf(500, { question: 'calls ' }));
    expect([...known.rows.keys()][0]).toBe(500);
    expect(known.rows.size).toBe(WINDOW);
  });

  it('are forgotten where the list ended, and far away', () => {
    const start = withWindow(withWindow(null, windowOf(0)), windowOf(150));
    const shorter = withWindow(start, windowOf(0, { matching: 3, rows: windowOf(0).rows.slice(0, 3) }));
    expect([...shorter.rows.keys()]).toEqual([0, 1, 2]);
    let known = start;
    for (let from = 0; from < 20_000; from += 100) known = withWindow(known, windowOf(from));
    expect(known.rows.size).toBeLessThanOrEqual(WINDOW + 1_000);
    expect(placeOf(known, 'u0')).toBeUndefined();
  });
});
