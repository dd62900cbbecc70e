import { expect, test } from 'vitest';
import { textsIn } from '../../../src/core/model/filter-texts.ts';
import { filterOf } from '../../helpers/filters.ts';

test.each([
  ['order "two words"', ['order', 'two words']],
  ['user:ada event:Or*er', ['ada', 'Or', 'er']],
  ['event:*', []],
  ['a*b user:=c*d', ['a*b', 'c*d']],
  // Any one of several values is enough, so none has to be there.
  ['user:a,b event:c,d', []],
  ['-order -user:ada', []],
  ['type:track properties.plan:pro reason:event-off order', ['order']],
  ['', []],
])('every match of %s has the texts %j', (filter, texts) => {
  expect(textsIn(filterOf(filter))).toEqual(texts);
});

test('of several free texts none has to be there', () => {
  expect(textsIn({ terms: [{ key: 'text', values: ['a', 'b'] }] })).toEqual([]);
});
