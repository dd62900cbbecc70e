import { describe, expect, test } from 'vitest';
import { POLICIES } from '../../../src/core/faults/policies.ts';
import { expectedOf, policyFor, waitRange } from '../../../src/core/faults/policy-rules.ts';
import { policySummary } from '../../../src/core/faults/policy-words.ts';

const policy = (name: string) => POLICIES.find((one) => one.name.startsWith(name))!;

describe('the policy of a client', () => {
  test.each([
    ['@segment/analytics-node', '3.1.0', 'analytics-node 3.1.0', true],
    ['@segment/analytics-node', '3.0.1', 'analytics-node 3.1.0', false],
    ['@segment/analytics-node', '2.2.1', 'analytics-node 2.2.1', true],
    ['@segment/analytics-node', '1.3.0', 'analytics-node 2.2.1', false],
    ['analytics-go', '2.1.0', 'analytics-go 2.1.1', false],
    ['analytics-go', '2.0.0', 'analytics-go 2.0.0', true],
    ['analytics-go', '3.0.0', 'analytics-go 3.3.0', false],
    ['analytics.js', 'npm:next-1.84.3', 'analytics-next 1.84.3', true],
    ['analytics.js', 'npm:next-1.70.0', 'analytics-next 1.70.0', true],
    ['analytics-node', '6.2.0', 'analytics-node 6.2.0 (legacy)', true],
    ['analytics-python', '2.3.4', 'analytics-python 2.3.4', true],
    ['analytics-go', '1.2.0', 'analytics-go 2.0.0', false],
    ['analytics-go', '2.0.9', 'analytics-go 2.0.0', false],
    ['analytics-go', '2.9.0', 'analytics-go 2.1.1', false],
    ['analytics-go', '4.0.0', 'analytics-go 3.3.0', false],
    ['analytics-go', '', 'analytics-go 3.3.0', false],
    ['analytics.js', 'npm:next-1.71.0', 'analytics-next 1.70.0', false],
    ['analytics.js', 'npm:next-1.100.0', 'analytics-next 1.84.3', false],
    ['@segment/analytics-node', '99999999.0.0', 'analytics-node 3.1.0', false],
  ])('%s %s is that of %s', (library, version, name, exact) => {
    expect(policyFor(library, version)).toMatchObject({ policy: { name }, exact });
  });

  test('is none for a library that is not in the table', () => {
    expect(policyFor('my-own', '1.0.0')).toBeNull();
  });
});

describe('what is expected of an answer', () => {
  test.each([
    ['analytics-node 3', 200, 'success'],
    ['analytics-node 3', 302, 'success'],
    ['analytics-node 3', 400, 'dropped'],
    ['analytics-node 3', 429, 'retried'],
    ['analytics-node 3', 460, 'retried'],
    ['analytics-node 3', 500, 'retried'],
    ['analytics-node 3', 501, 'dropped'],
    ['analytics-node 3', null, 'retried'],
    ['analytics-node 2', 400, 'dropped'],
    ['analytics-node 2', 401, 'retried'],
    ['analytics-python', 201, 'retried'],
    ['analytics-python', 404, 'dropped'],
    ['analytics-php', null, 'dropped'],
    ['analytics-next 1.70', 500, 'success'],
    ['analytics-go 2.0', 500, 'dropped'],
  ])('%s on %s: %s', (name, status, expected) => {
    expect(expectedOf(policy(name), status, true)).toBe(expected);
  });

  test('a 200 that cannot be read is what the row says of it', () => {
    expect(expectedOf(policy('analytics-ruby'), 200, false)).toBe('retried');
    expect(expectedOf(policy('analytics-node 3'), 200, false)).toBe('success');
  });

  test('every row says something of every status and of a lost connection', () => {
    for (const one of POLICIES) {
      for (let status = 200; status < 600; status += 1)
        expect(expectedOf(one, status, true), `${one.name} ${status}`).not.toBe(
          status >= 300 && status < 400 ? '' : 'unknown',
        );
      expect(expectedOf(one, null, true), one.name).not.toBe('unknown');
    }
  });
});

test('the waits of a row are those of its matrix', () => {
  expect(waitRange(policy('analytics-node 3'), 1)).toEqual([1_000, 2_000]);
  expect(waitRange(policy('analytics-node 3'), 7)).toEqual([60_000, 60_000]);
  expect(waitRange(policy('analytics-node 2'), 3)).toEqual([200, 400]);
  const go = Array.from({ length: 10 }, (_, n) => waitRange(policy('analytics-go 2.1'), n + 1)![0]);
  expect(go.reduce((sum, ms) => sum + ms, 0)).toBe(42_700);
  const php = Array.from({ length: 7 }, (_, n) => waitRange(policy('analytics-php'), n + 1)![0]);
  expect(php.reduce((sum, ms) => sum + ms, 0)).toBe(12_700);
});

test('every row can be said in words', () => {
  for (const one of POLICIES) {
    const text = policySummary(one).join(' ');
    expect(text, one.name).not.toMatch(/undefined|NaN|null/);
  }
});
