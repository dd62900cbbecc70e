import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  CALL_TYPES,
  CELL_LETTERS,
  CELLS,
  EMPTY_CELLS,
  FINAL_STATES,
  MESSAGE_STATES,
  MESSAGE_TYPES,
  OPEN_STATES,
  OUTCOMES,
  RETRYABLE,
} from '../../../src/core/model/vocabulary.ts';

test('the shared words import nothing, so that the page may take them', () => {
  const text = readFileSync(new URL('../../../src/core/model/vocabulary.ts', import.meta.url), 'utf8');
  expect(text).not.toMatch(/^\s*import\b|\bfrom '/m);
});

test('six states are final, and the others go on', () => {
  expect([...FINAL_STATES]).toEqual(['rejected', 'not_selected', 'delivered', 'failed', 'expired', 'stopped']);
  expect(OPEN_STATES).toEqual(['queued', 'delivering', 'waiting', 'retrying', 'paused']);
  expect([...FINAL_STATES, ...OPEN_STATES].sort()).toEqual([...MESSAGE_STATES].sort());
});

test('a stored message has the type of its call, or unknown', () => {
  expect(MESSAGE_TYPES).toEqual([...CALL_TYPES, 'unknown']);
});

test('every outcome has a cell, and only a redirect shares one', () => {
  const lettersOf = (outcome: string) =>
    CELL_LETTERS.filter((letter) => 'outcome' in CELLS[letter] && CELLS[letter].outcome === outcome);
  for (const outcome of OUTCOMES) expect(lettersOf(outcome)).toHaveLength(outcome === 'declined' ? 2 : 1);
});

test('a cell is one letter, and an untried message has five empty ones', () => {
  expect(CELL_LETTERS.filter((letter) => letter.length !== 1)).toEqual([]);
  expect(EMPTY_CELLS).toBe('.....');
});

test('success and a stop of Hookbench are the outcomes that no rule decides on', () => {
  expect(OUTCOMES.filter((outcome) => !(RETRYABLE as readonly string[]).includes(outcome))).toEqual([
    'accepted',
    'interrupted',
  ]);
});
