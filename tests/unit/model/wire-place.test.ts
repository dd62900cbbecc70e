import { expect, test } from 'vitest';
import { wireKey } from '../../../src/core/model/wire-place.ts';

test('the text of a place on the wire differs with each of its parts', () => {
  const place = { client: '127.0.0.1:52100', port: 8766, order: 1 };
  expect(wireKey(place)).toBe('127.0.0.1:52100>8766#1');
  const others = [place, { ...place, client: '[::1]:52100' }, { ...place, port: 8767 }, { ...place, order: 2 }];
  expect(new Set(others.map(wireKey)).size).toBe(4);
});
