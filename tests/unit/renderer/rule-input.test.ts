import { describe, expect, it } from 'vitest';
import { rulesInput } from '../../../src/contract/rules.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { nominalSchedule } from '../../../src/core/workspace/destination-view.ts';
import { retriedText, ruleFacts, scheduleSentence, waitsText } from '../../../src/renderer/lib/rule-words.ts';
import {
  agentText,
  BOUNDS,
  numberWithin,
  percentWithin,
  spanWithin,
  waitList,
} from '../../../src/renderer/screens/webhooks/rules/rule-input.ts';
import { numberedRounds, realOffset } from '../../../src/renderer/screens/webhooks/rules/schedule-card.tsx';
import { fakeDestination } from '../../helpers/fake-destination.ts';

describe('what is typed for a rule', () => {
  it('is taken within the bounds and refused with a sentence outside them', () => {
    expect(spanWithin('5', BOUNDS.timeoutMs)).toBe(5_000);
    expect(() => spanWithin('31 s', BOUNDS.timeoutMs)).toThrow('Enter a time from 1 s to 30 s.');
    expect(() => spanWithin('soon', BOUNDS.timeoutMs)).toThrow('"soon" is not a time.');
    expect(numberWithin('2,5', [1, 100])).toBe(2.5);
    expect(() => numberWithin('0.5', [1, 100])).toThrow('Enter a number from 1 to 100.');
    expect(() => numberWithin('2.5', [1, 10_000], true)).toThrow('Enter a whole number from 1 to 10,000.');
    expect(() => numberWithin('1e2', [1, 100])).toThrow();
    expect(percentWithin('20 %')).toBe(0.2);
    expect(() => percentWithin('120%')).toThrow();
    expect(waitList('5 s, 5 min')).toEqual([5_000, 300_000]);
    expect(() => waitList(Array(101).fill('1 s').join(','))).toThrow('At most 100 waits can be listed.');
    expect(() => waitList('25 h')).toThrow('No wait is longer than 1 d.');
    expect(agentText('Hookbench/1.0')).toBe('Hookbench/1.0');
    expect(() => agentText('Häkchen')).toThrow('ASCII');
    expect(() => agentText('')).toThrow();
  });

  it('has the bounds of the engine', () => {
    const takes = (rules: unknown) => rulesInput.safeParse(rules).success;
    for (const [from, to] of [[BOUNDS.timeoutMs[0], BOUNDS.timeoutMs[1]]] as const) {
      expect([from - 1, from, to, to + 1].map((timeoutMs) => takes({ timeoutMs }))).toEqual([false, true, true, false]);
    }
    for (const [key, [min, max]] of [
      ['baseMs', BOUNDS.waitMs],
      ['maxMs', BOUNDS.waitMs],
      ['windowMs', BOUNDS.windowMs],
    ] as const) {
      expect(
        [min - 1, min, max, max + 1].map((ms) => takes({ retry: { [key]: ms } })),
        key,
      ).toEqual([false, true, true, false]);
    }
    const [min, max] = BOUNDS.listedWaitMs;
    expect([min - 1, min, max, max + 1].map((ms) => takes({ retry: { waitsMs: [ms] } }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('rules in words', () => {
  const view = (name: keyof typeof PROFILES) =>
    fakeDestination({
      ...structuredClone(PROFILES[name]),
      profile: name,
      schedule: nominalSchedule(PROFILES[name].retry),
    } as never);

  it('follow the rules, none is written down twice', () => {
    expect(retriedText(view('documented'))).toBe('5xx, 408, 429, timeouts, no connection');
    expect(retriedText({ retryOn: [] })).toBe('nothing: one round only');
    expect(waitsText(view('documented').retry)).toBe('10 s, doubling, at most 20 min, ±20%');
    expect(waitsText(view('standard-webhooks').retry)).toBe('5 s, 5 min, 30 min, 2 h and 5 more, ±20%');
    expect(waitsText({ ...view('documented').retry, waitsMs: [] })).toBe('none: one round only');
    const facts = Object.fromEntries(ruleFacts(view('classic')));
    expect(facts).toMatchObject({
      Profile: 'Classic as coded',
      'Response time limit': '3 s',
      'Retry-After': 'ignored',
      '4xx and redirects': 'retried, not followed',
      'Failing webhook': 'left out after 25 errors, for 3 min after the last',
    });
    expect(Object.fromEntries(ruleFacts(view('actions')))['4xx and redirects']).toBe('not retried, followed');
  });

  it('tell the schedule in one sentence', () => {
    expect(scheduleSentence(view('documented'))).toBe(
      '18 rounds within 4 h: the first wait is 10 s, the longest 20 min, round 18 starts after 3 h 41 min.',
    );
    const once = { ...PROFILES.documented.retry, windowMs: 0 };
    expect(scheduleSentence({ schedule: nominalSchedule(once) })).toBe('1 round within 0 ms.');
    const many = { ...PROFILES.documented.retry, baseMs: 1, maxMs: 1 };
    expect(scheduleSentence({ schedule: nominalSchedule(many) })).toMatch(/^More than 100 rounds within 4 h/);
  });
});

describe('the drawing', () => {
  it('numbers only rounds with room, and always the first and the last', () => {
    expect([...numberedRounds([0, 5, 40, 80, 84, 88])]).toEqual([0, 2, 5]);
    expect([...numberedRounds([0])]).toEqual([0]);
    expect([...numberedRounds([])]).toEqual([]);
    expect([...numberedRounds([0, 4])]).toEqual([1]);
  });
  it('writes real time below a second in milliseconds', () => {
    expect([0, 167.4, 0.2, 1_000, 61_000].map(realOffset)).toEqual([
      'at once',
      '+167 ms',
      '+1 ms',
      '+1 s',
      '+1 min 1 s',
    ]);
  });
});
