import { describe, expect, test } from 'vitest';
import { clockAtWall, happenedAt, MAX_STRETCHES, withStretch } from '../../../src/core/model/clock-history.ts';

const stretch = (wallAt: number, clockAt: number, speed = 1, paused = false) => ({ wallAt, clockAt, speed, paused });

describe('the history of the retry clock', () => {
  const history = [stretch(100, 100), stretch(200, 200, 60), stretch(300, 6_200, 60, true), stretch(400, 9_000)];

  test('says what the clock showed at a wall time', () => {
    const showed = [50, 100, 200, 210, 300, 399, 400, 500].map((wall) => clockAtWall(history, wall));
    expect(showed).toEqual([50, 100, 200, 800, 6_200, 6_200, 9_000, 9_100]);
    expect(clockAtWall([], 42)).toBe(42);
    expect([60, 0].map((speed) => clockAtWall([stretch(100, 70, speed, speed === 0)], 90))).toEqual([60, 60]);
  });

  test('gives a call the age that it had when it came, and the time that the clock took since', () => {
    expect(happenedAt(history, 210, 200)).toBe(790);
    expect(happenedAt(history, 210, null)).toBe(800);
    expect(happenedAt(history, 210, 9_999)).toBe(800);
  });

  test('stays in order when the wall clock is set back, and keeps its newest stretches', () => {
    expect(withStretch(history, stretch(250, 9_500))).toEqual([history[0], history[1], stretch(250, 9_500)]);
    expect(withStretch(history, stretch(400, 1))).toEqual([...history.slice(0, 3), stretch(400, 1)]);
    let long = [stretch(0, 0)];
    for (let i = 1; i <= MAX_STRETCHES + 5; i += 1) long = withStretch(long, stretch(i, i));
    expect(long).toHaveLength(MAX_STRETCHES);
    expect(long.at(-1)).toEqual(stretch(MAX_STRETCHES + 5, MAX_STRETCHES + 5));
  });
});
