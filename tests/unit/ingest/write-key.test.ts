import { describe, expect, it } from 'vitest';
import { basicUser, bodyKey, canBeSourceKey, shownKey } from '../../../src/core/ingest/write-key.ts';

describe('a write key', () => {
  it.each([
    ['k', 'k'],
    ['', null],
    [5, null],
    [null, null],
    [undefined, null],
  ])('of a body is text: %j', (value, key) => expect(bodyKey(value)).toBe(key));

  it('is shown up to its 200th character', () => {
    expect([shownKey(null), shownKey('k'), shownKey('x'.repeat(201))]).toEqual([null, 'k', 'x'.repeat(200)]);
  });

  it.each([
    ['!~', true],
    ['x'.repeat(200), true],
    ['x'.repeat(201), false],
    ['', false],
    ['a b', false],
    [' a', false],
    ['a\n', false],
    ['\u007f', false],
    ['aé', false],
  ])('%j may become a source: %s', (key, may) => expect(canBeSourceKey(key)).toBe(may));
});

describe('the Basic user name', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  it.each([
    [`Basic ${encode('KEY:')}`, 'KEY'],
    [`Basic ${encode('KEY')}`, 'KEY'],
    [`Basic ${encode('KEY:password')}`, 'KEY'],
    [`basic  ${encode('KEY:')}`, 'KEY'],
    [`Basic ${encode('KEY:')}  `, 'KEY'],
    [`Basic ${encode(' KEY :x')}`, 'KEY'],
    [`Basic ${encode('  ')}`, null],
    [`Basic ${encode('KEY:')} x`, null],
    [`xBasic ${encode('KEY:')}`, null],
    [`Basic${encode('KEY:')}`, null],
    [`Basic ${Buffer.from('K>>?:').toString('base64url')}`, 'K>>?'],
    [`Basic ${encode(':')}`, null],
    [`Basic ${encode(':password')}`, null],
    ['Basic ', null],
    ['Basic ****', null],
    [`Bearer ${encode('KEY:')}`, null],
    ['tok123', null],
    [null, null],
  ])('%s gives %s', (header, user) => {
    expect(basicUser(header)).toBe(user);
  });
});
