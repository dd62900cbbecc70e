/** The pure parts of the rule editor: values as text, the draft of a rule, and its edits. */
import { describe, expect, it } from 'vitest';
import { type AudienceRuleView, audienceRule } from '../../../src/contract/people.ts';
import { checkDraft, type DraftGroup, draftOf } from '../../../src/renderer/screens/audiences/rule/draft.ts';
import {
  addNode,
  canAddCondition,
  canAddGroup,
  flatNodes,
  freeKey,
  moveNode,
  newCondition,
  nodeIds,
  removeNode,
} from '../../../src/renderer/screens/audiences/rule/edits.ts';
import {
  parseValue,
  parseValues,
  valuesText,
  valueText,
} from '../../../src/renderer/screens/audiences/rule/value-text.ts';
import { editText } from '../../../src/renderer/screens/audiences/rule/words.ts';

const RULE: AudienceRuleView = audienceRule.parse({
  match: 'all',
  of: [
    { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'a, b', '5', 5, true] } },
    {
      kind: 'event',
      event: 'Order Completed',
      op: 'at_least',
      times: 3,
      withinMs: 604_800_000,
      where: [{ path: 'properties.total', test: { op: 'above', value: 20 } }],
    },
    {
      kind: 'group',
      match: 'none',
      of: [
        { kind: 'trait', path: 'since', test: { op: 'before', value: '2026-01-01' } },
        { kind: 'trait', path: 'email', test: { op: 'exists' } },
        { kind: 'group', match: 'any', of: [{ kind: 'trait', path: 'zip', test: { op: 'starts_with', value: '10' } }] },
      ],
    },
  ],
});
const draft = draftOf(RULE);
/** Keys by id. */
const keys = (root: DraftGroup): Map<string, number> => new Map([...nodeIds(root)].map(([key, id]) => [id, key]));
const ids = (root: DraftGroup): string[] => flatNodes(root).map(({ key }) => nodeIds(root).get(key)!);
const at = (root: DraftGroup, id: string): number => keys(root).get(id)!;
const names = (root: DraftGroup): string[] =>
  flatNodes(root).map((node) => (node.kind === 'trait' ? node.path : node.kind === 'event' ? node.event : node.match));

describe('a value', () => {
  it.each([
    ['5', 5],
    ['-1.5e3', -1500],
    ['"5"', '5'],
    ['00123', '00123'],
    ['+5', '+5'],
    ['true', true],
    ['"true"', 'true'],
    ['True', 'True'],
    [' AT ', 'AT'],
    ['" AT "', ' AT '],
    ['"a" b', '"a" b'],
    ['"', '"'],
  ])('typed as %s', (typed, value) => {
    expect(parseValue(typed)).toBe(value);
  });

  it.each(['', 'AT', ' AT ', 'a, b', '5', 'true', '"x"', 'null', 'نور', 5, -0.5, 1e21, false])(
    '%j is read as it was written',
    (value) => {
      expect(parseValue(valueText(value))).toBe(value);
      expect(parseValues(valuesText([value, 'z', value]))).toEqual([value, 'z', value]);
    },
  );

  it('of several stands between commas, and empty ones are left out', () => {
    expect(parseValues('AT, "a, b",, 5 ,')).toEqual(['AT', 'a, b', 5]);
  });
});

describe('a draft', () => {
  it('says the rule it was made of', () => {
    expect(checkDraft(draft)).toEqual({ rule: RULE, problems: [] });
    expect(ids(draft)).toEqual(['', '1', '2', '3', '3a', '3b', '3c', '3c1']);
  });

  it.each([
    ['above', 'ten', 'ten is not a number.'],
    ['before', 'May', 'Type a date such as 2026-11-20.'],
    ['is_one_of', ' , ', 'Type a value.'],
    ['is', 'x'.repeat(1_001), 'At most 1,000 characters.'],
  ] as const)('with %s %.9s is wrong', (op, value, problem) => {
    const { rule, problems } = checkDraft({ ...draft, of: [{ kind: 'trait', key: 9, path: 'a', op, value }] });
    expect(rule).toBeNull();
    expect(problems.map(({ text }) => text)).toEqual([problem]);
  });

  it.each([
    ['1.5', '1.5 is not a whole number of times.'],
    ['-1', '-1 is not a whole number of times.'],
    ['10001', 'At most 10,000 times.'],
    ['', 'Type how many times.'],
  ])('with %s times is wrong', (times, problem) => {
    const event = { ...newCondition('event', 9), event: 'E', times };
    const { problems } = checkDraft({ ...draft, of: [event as never] });
    expect(problems.map(({ text }) => text)).toEqual([problem]);
  });
});

describe('an edit', () => {
  it('takes empty groups away, the outermost one stays', () => {
    expect(names(removeNode(draft, at(draft, '3c1')))).not.toContain('any');
    const one = { ...draft, of: [draft.of[2]!] };
    const left = removeNode(removeNode(removeNode(one, at(one, '1a')), at(one, '1b')), at(one, '1c1'));
    expect(left).toEqual({ ...draft, of: [] });
  });

  it('moves in and out of groups, and never deeper than three levels', () => {
    const inside = moveNode(draft, at(draft, '2'), 'in');
    expect(names(inside).slice(0, 4)).toEqual(['all', 'address.country', 'none', 'Order Completed']);
    const out = moveNode(draft, at(draft, '3c1'), 'out');
    expect(names(out)).toEqual(['all', 'address.country', 'Order Completed', 'none', 'since', 'email', 'zip']);
    const group = { kind: 'group', key: 99, match: 'any', of: [newCondition('trait', 100)] } as const;
    const two = addNode(draft, draft.key, group);
    // A group inside the group would make a fourth level for what it holds.
    expect(
      moveNode(addNode(two, 99, { ...group, key: 101, of: [newCondition('trait', 102)] }), 99, 'in'),
    ).toMatchObject({
      of: { length: 4 },
    });
    expect(moveNode(two, 99, 'in').of).toHaveLength(3);
    expect(moveNode(draft, at(draft, '1'), 'up')).toBe(draft);
    expect(moveNode(draft, at(draft, '1'), 'in')).toBe(draft);
  });

  it('cannot make a rule of more than 31 parts', () => {
    let full: DraftGroup = { ...draft, of: [] };
    for (let i = 0; i < 30; i += 1) full = addNode(full, full.key, newCondition('trait', freeKey(full)));
    expect([canAddCondition(full), canAddGroup(full, full.key)]).toEqual([true, false]);
    full = addNode(full, full.key, newCondition('trait', freeKey(full)));
    expect(canAddCondition(full)).toBe(false);
    expect(canAddGroup(draft, at(draft, '3c'))).toBe(false);
    expect(canAddGroup(draft, at(draft, '3'))).toBe(true);
  });

  it('is told in words', () => {
    const event = draft.of[1]!;
    const four = { ...draft, of: draft.of.with(1, { ...event, times: '4' } as never) };
    expect(editText(four, draft)).toBe('at least 4 became at least 3');
    expect(editText(draft, { ...draft, match: 'any' })).toBe('All became Any');
    expect(editText(draft, removeNode(draft, at(draft, '1')))).toBe('condition 1 removed');
    expect(editText(removeNode(draft, at(draft, '3')), draft)).toBe('group 3 added');
    expect(editText(draft, { ...four, match: 'none' })).toBe('2 changes');
    expect(editText(removeNode(removeNode(draft, at(draft, '3')), at(draft, '1')), draft)).toBe('2 changes');
    expect(editText(removeNode(four, at(draft, '1')), draft)).toBe('2 changes');
  });
});
