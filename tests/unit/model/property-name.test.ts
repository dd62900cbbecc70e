import { expect, test } from 'vitest';
import { PROPERTY_PATTERN } from '../../../src/contract/audiences.ts';
import { freeProperty, MAX_PROPERTY, propertiesLike, propertyOf } from '../../../src/core/model/property-name.ts';

test.each([
  ['VIP Customers (EU)', 'vip_customers_eu'],
  ['Cart Abandoners 24h', 'cart_abandoners_24h'],
  ['high_value_customers', 'high_value_customers'],
  ['  Café  –  Été ', 'cafe_ete'],
  ['Šárka', 'sarka'],
  ['İstanbul', 'istanbul'],
  ['24h buyers', '_24h_buyers'],
  ['__init__', 'init'],
  ['a.b/c', 'a_b_c'],
  ['日本', null],
  ['日本 VIP', 'vip'],
  ['!!!', null],
  ['', null],
  ['۳', null],
  ['\u202eEU', 'eu'],
  ['Straße', 'stra_e'],
  ['ℌello', 'hello'],
])('%j becomes %j', (name, property) => {
  expect(propertyOf(name)).toBe(property);
});

test('a long name is cut, never behind an underscore', () => {
  expect(propertyOf('x'.repeat(150))).toHaveLength(MAX_PROPERTY);
  expect(propertyOf(`${'x'.repeat(MAX_PROPERTY - 1)} yy`)).toBe('x'.repeat(MAX_PROPERTY - 1));
  expect(propertyOf(`a ${'x'.repeat(MAX_PROPERTY)}`)).toBe(`a_${'x'.repeat(MAX_PROPERTY - 2)}`);
});

test('a clash gets the next free number', () => {
  const taken = new Set(['a', 'a_2', 'a_3']);
  expect(freeProperty('a', (one) => taken.has(one))).toBe('a_4');
  const long = 'x'.repeat(MAX_PROPERTY);
  expect(freeProperty(long, () => false)).toBe(`${'x'.repeat(MAX_PROPERTY - 2)}_2`);
  expect(freeProperty('a_b__', () => false)).toBe('a_b_2');
});

test('whatever the name, the contract accepts the property', () => {
  for (let code = 0x20; code < 0x3000; code++) {
    const property = propertyOf(`${String.fromCodePoint(code)}1${String.fromCodePoint(code)}`);
    if (property !== null) expect(property).toMatch(PROPERTY_PATTERN);
  }
});

test('properties like one are it and the first free ones with a number', () => {
  const taken = new Set(['vip', 'vip_3']);
  expect(propertiesLike('vip', 3, (one) => taken.has(one))).toEqual(['vip', 'vip_2', 'vip_4', 'vip_5']);
});
