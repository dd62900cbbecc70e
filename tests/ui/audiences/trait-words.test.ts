import { describe, expect, it } from 'vitest';
import type { TraitView } from '../../../src/contract/people.ts';
import { computedTrait } from '../../../src/contract/people.ts';
import {
  checkTrait,
  NEW_TRAIT,
  sameDraft,
  type TraitDraft,
  traitDraftOf,
  unitOf,
} from '../../../src/renderer/screens/audiences/traits/trait-draft.ts';
import {
  noSumText,
  numberText,
  perText,
  rangeLabels,
  rangeText,
  ruleTexts,
  spreadSentence,
  valueWords,
  windowNote,
} from '../../../src/renderer/screens/audiences/traits/trait-words.ts';

const DAY = 86_400_000;
const SUM: TraitDraft = {
  kind: 'sum',
  event: 'Order Completed',
  path: 'properties.total',
  where: [{ key: 0, path: 'properties.currency', op: 'is', value: 'EUR' }],
  withinMs: 90 * DAY,
};
const view = (over: Partial<TraitView>): TraitView => ({
  done: true,
  progress: 1,
  people: 10,
  withValue: 4,
  calls: 4,
  leftOut: 0,
  leftOutExample: null,
  ranges: [],
  median: null,
  highest: null,
  sentence: '',
  ...over,
});

describe('the draft of a trait', () => {
  it('says the definition that it was made of', () => {
    const { trait, problems } = checkTrait(SUM);
    expect(problems).toEqual([]);
    const stored = computedTrait.parse(trait);
    expect(stored).toEqual({
      kind: 'sum',
      event: 'Order Completed',
      path: 'properties.total',
      where: [{ path: 'properties.currency', test: { op: 'is', value: 'EUR' } }],
      withinMs: 90 * DAY,
    });
    expect(traitDraftOf(stored)).toEqual(SUM);
    expect(sameDraft(traitDraftOf(stored), { ...SUM, path: ' properties.total ' })).toBe(true);
    expect(sameDraft(SUM, { ...SUM, withinMs: null })).toBe(false);
  });

  it('has no path for a count, also when one was typed before, and every call without an event', () => {
    expect(checkTrait({ ...SUM, kind: 'count', event: '', where: [], withinMs: null }).trait).toEqual({
      kind: 'count',
      event: null,
      path: null,
      where: [],
      withinMs: null,
    });
    expect(checkTrait(NEW_TRAIT).problems).toEqual([]);
  });

  it('is not complete without a path, or with a filter without one', () => {
    expect(checkTrait({ ...SUM, path: ' ' })).toMatchObject({
      trait: null,
      problems: [{ field: 'path', isMissing: true }],
    });
    expect(checkTrait({ ...SUM, where: [{ key: 3, path: '', op: 'above', value: 'x' }] }).problems).toMatchObject([
      { key: 3, field: 'path' },
      { key: 3, field: 'value', text: 'x is not a number.' },
    ]);
  });

  it('counts in the unit that its filter names', () => {
    expect(unitOf(SUM)).toBe('EUR');
    expect(unitOf({ ...SUM, where: [{ key: 0, path: 'currency', op: 'is', value: '"5"' }] })).toBe('5');
    expect(unitOf({ ...SUM, where: [{ key: 0, path: 'properties.currency', op: 'is_not', value: 'EUR' }] })).toBeNull();
    expect(unitOf({ ...SUM, kind: 'count' })).toBeNull();
  });
});

describe('the words of a trait', () => {
  it('write values', () => {
    expect([1248.6, 88, -0.5, 1e21, 0.0001, 12_408].map((value) => numberText(value, true))).toEqual([
      '1,248.60',
      '88.00',
      '\u22120.50',
      '1e+21',
      '0.0001',
      '12,408.00',
    ]);
    expect(numberText(12_408, false)).toBe('12,408');
    expect([null, 'Acme', true, ['a', 2], 7].map((value) => valueWords(value, false))).toEqual([
      'none',
      'Acme',
      'true',
      'a, 2',
      '7',
    ]);
    const long = valueWords(
      Array.from({ length: 130 }, (_, i) => i),
      false,
    );
    expect(long).toMatch(/ 98, 99 and more, 130 in all$/);
  });

  it('write a time as the page writes times', () => {
    const at = new Date(2026, 10, 20, 14, 12, 40, 107);
    expect(valueWords(at.toISOString(), false, 'first_seen')).toBe('20 Nov 2026, 14:12:40');
    expect(valueWords(at.toISOString(), false, 'last')).toBe(at.toISOString());
  });

  it('name all ranges of a chart the same way, as whole as they fit', () => {
    const ranges = [800, 1_000, 1_200].map((from) => ({ from, to: from === 1_200 ? null : from + 200, people: 1 }));
    expect(rangeLabels(ranges, 'sum', 14)).toEqual(['800 to 1,000', '1,000 to 1,200', '1,200 +']);
    expect(rangeLabels(ranges, 'sum', 11)).toEqual(['800\u20131,000', '1,000\u20131,200', '1,200 +']);
    expect(rangeLabels(ranges, 'sum', 10)).toEqual(['800', '1,000', '1,200 +']);
    expect(rangeLabels([{ value: 'Český porcelán', people: 1 }], 'last', 6)).toEqual(['Český\u2026']);
  });

  it('name a bar', () => {
    expect(rangeText({ from: 100, to: 150, people: 1 }, 'sum')).toBe('100 to 150');
    expect(rangeText({ from: 0.5, to: 1, people: 1 }, 'sum')).toBe('0.50 to 1.00');
    expect(rangeText({ from: 1_000, to: null, people: 1 }, 'sum')).toBe('1,000 +');
    expect(rangeText({ from: 3, to: 4, people: 1 }, 'count')).toBe('3');
    expect(rangeText({ value: '', people: 1 }, 'last')).toBe('(empty)');
    expect(rangeText({ others: 12, people: 40 }, 'last')).toBe('12 others');
    const noon = new Date(2026, 10, 20, 12).getTime();
    expect(rangeText({ from: noon, to: noon + DAY, people: 1 }, 'first_seen')).toBe('20 Nov');
    expect(rangeText({ from: noon, to: noon + 60_000, people: 1 }, 'first_seen')).toBe('12:00');
    expect(perText('sum', [{ from: 0, to: 1, people: 1 }], 'EUR')).toBe('people per range, EUR');
    expect(perText('count', [{ from: 1, to: 2, people: 1 }], null)).toBe('people per value');
    expect(perText('first_seen', [{ from: 0, to: 60_000, people: 1 }], null)).toBe('people by time');
    expect(perText('first_seen', [{ from: 0, to: DAY, people: 1 }], null)).toBe('people by day');
    expect(perText('last', [{ value: 'a', people: 1 }], null)).toBe('people per value');
  });

  it('say why there is no sum', () => {
    const none = view({ withValue: 0, leftOut: 12, leftOutExample: '184.50' });
    expect(noSumText(none, 'properties.total')).toBe(
      'properties.total is a string in all 12 calls, so there is no sum.',
    );
    expect(noSumText({ ...none, leftOut: 1, leftOutExample: true }, 'x')).toBe(
      'x is true or false in the one call, so there is no sum.',
    );
    expect(noSumText({ ...none, leftOutExample: null }, 'x')).toBe(
      'x is no number in all 12 calls, so there is no sum.',
    );
    expect(noSumText(view({ leftOut: 3 }), 'x')).toBeNull();
    expect(noSumText(view({ withValue: 0 }), 'x')).toBeNull();
  });

  it('say what the values follow, and that a lost value is not taken back', () => {
    expect(ruleTexts({ ...SUM, withinMs: null }, view({ leftOut: 6, leftOutExample: '184.50' }))).toEqual([
      'Only numbers are added. 6 calls with a string, such as "184.50", were left out.',
      'A refund does not lower the sum. It is another event.',
      'No value any more: nothing is sent, as a trait cannot be taken back.',
    ]);
    expect(ruleTexts({ ...SUM, event: '', withinMs: null }, view({}))[0]).toBe(
      'Only numbers are added. None was left out.',
    );
    expect(ruleTexts({ ...SUM, kind: 'last' }, view({ leftOut: 1 }))[1]).toBe(
      '1 call with an object or a list was left out.',
    );
    for (const kind of ['count', 'sum', 'last', 'most_frequent', 'first_seen', 'unique_list'] as const)
      expect(ruleTexts({ ...SUM, kind }, null).at(-1)).toMatch(/^No value any more/);
  });

  it('say how fast a window passes, and what the chart shows', () => {
    expect(windowNote(90 * DAY, 60)).toBe('90 days pass in 36 h.');
    expect(windowNote(90 * DAY, 1)).toBeUndefined();
    expect(windowNote(null, 60)).toBeUndefined();
    const ranges = [
      { from: 0, to: 50, people: 1 },
      { from: 50, to: 100, people: 3 },
    ];
    expect(spreadSentence('Lifetime value', view({ ranges, median: 61.5 }), 'sum')).toBe(
      'Lifetime value of 4 people: most, 3, have 50 to 100. The median is 61.50.',
    );
    expect(spreadSentence('X', view({}), 'sum')).toBe('X: nobody has a value.');
  });
});
