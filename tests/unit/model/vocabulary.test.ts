import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  CALL_TYPES,
  CELL_LETTERS,
  CELLS,
  CHANGE_KINDS,
  CHANGE_REASONS,
  COMPARE_OPS,
  COMPUTED_KINDS,
  COUNT_OPS,
  DEFAULT_RETRY,
  DELETION_STATES,
  DELIVERY_REASONS,
  DUE_STATES,
  EMPTY_CELLS,
  FINAL_STATES,
  GROUP_MATCHES,
  LOUD_REASONS,
  MARKS,
  MESSAGE_STATES,
  MESSAGE_TYPES,
  NO_NOTICE_REASONS,
  NOT_SELECTED_REASONS,
  NOT_SENDING_REASONS,
  NOTE_CODES,
  OPEN_STATES,
  ORIGINS,
  OUTCOMES,
  PROFILE_NAMES,
  REJECT_REASONS,
  REPLAY_ENDS,
  RETRYABLE,
  RULE_LIMITS,
  SENT_BODIES,
  UNDER_WAY_STATES,
} from '../../../src/core/model/vocabulary.ts';

test('the shared words import nothing, so that the page may take them', () => {
  const text = readFileSync(new URL('../../../src/core/model/vocabulary.ts', import.meta.url), 'utf8');
  expect(text).not.toMatch(/^\s*import\b|\bfrom '/m);
});

test('six states are final, and the others go on', () => {
  expect([...FINAL_STATES]).toEqual(['rejected', 'not_selected', 'delivered', 'failed', 'expired', 'stopped']);
  expect(OPEN_STATES).toEqual(['queued', 'delivering', 'waiting', 'retrying', 'paused']);
  expect([...FINAL_STATES, ...OPEN_STATES].sort()).toEqual([...MESSAGE_STATES].sort());
  expect([...DUE_STATES]).toEqual(['queued', 'delivering', 'waiting', 'retrying']);
  expect([...UNDER_WAY_STATES]).toEqual(['delivering', 'waiting']);
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

/** Rows of stores, files and the contract hold these words: a new one may come, an old one never changes. */
test.each([
  ['CALL_TYPES', CALL_TYPES, 'identify track page screen group alias delete'],
  ['ORIGINS', ORIGINS, 'sdk composer import audience deletion'],
  [
    'OUTCOMES',
    OUTCOMES,
    `
      accepted failed timed_out no_connection refused_certificate declined throttled interrupted
    `,
  ],
  ['RETRYABLE', RETRYABLE, 'failed timed_out no_connection throttled declined refused_certificate'],
  ['PROFILE_NAMES', PROFILE_NAMES, 'documented classic actions standard-webhooks'],
  [
    'REJECT_REASONS',
    REJECT_REASONS,
    `
      no_user_anon_id event_not_defined event_not_string group_id_required previous_id_required id_not_string
      properties_not_object traits_not_object context_not_object integrations_not_object unknown_type
      call_too_large batch_too_large empty_batch unknown_source source_disabled bad_timestamp
      message_id_too_long invalid_json not_an_object user_suppressed
    `,
  ],
  ['LOUD_REASONS', LOUD_REASONS, 'call_too_large batch_too_large invalid_json not_an_object'],
  [
    'NOT_SELECTED_REASONS',
    NOT_SELECTED_REASONS,
    `
      integrations_off integrations_all_off destination_off source_destination_off no_webhook event_off
      imported
    `,
  ],
  ['NO_NOTICE_REASONS', NO_NOTICE_REASONS, 'does_not_know destination_off no_webhook source_removed'],
  ['DELETION_STATES', DELETION_STATES, 'pending running done partly_failed failed'],
  ['DELIVERY_REASONS', DELIVERY_REASONS, 'body_damaged every_webhook_left_out'],
  [
    'NOTE_CODES',
    NOTE_CODES,
    `
      id_number_to_string integrations_lower_case_all integrations_near_miss clock_skew_corrected
      timestamp_moved empty_array_to_object timestamp_missing message_id_assigned duplicate_key number_lost
      number_changed numbers_rewritten integer_keys_moved
    `,
  ],
  ['CHANGE_KINDS', CHANGE_KINDS, 'added rewritten left_out'],
  [
    'CHANGE_REASONS',
    CHANGE_REASONS,
    `
      write_key path_type id_number_to_string message_id_assigned timestamp_missing original_timestamp
      time_utc time_millisecond clock_skew_corrected timestamp_moved timestamp_kept sent_at_of_batch
      received_at merged_from_batch ip_of_connection empty_array_to_object number_form number_changed
      number_lost not_documented not_in_delete user_id_sent empty_left_out alias_name destination_version
      context_always routing routing_all routing_near_miss unexplained
    `,
  ],
  ['MARKS', MARKS, 'dropped silent noted repeated replayed'],
  [
    'NOT_SENDING_REASONS',
    NOT_SENDING_REASONS,
    `
      stopping store_not_writable store_not_readable secret_unreadable headers_unreadable destination_off
      no_webhook webhooks_off by_person store_damaged store_full clock_paused
    `,
  ],
  ['COMPARE_OPS', COMPARE_OPS, 'is is_not is_one_of contains starts_with ends_with above below exists before after'],
  ['COUNT_OPS', COUNT_OPS, 'at_least at_most exactly'],
  ['GROUP_MATCHES', GROUP_MATCHES, 'all any none'],
  ['COMPUTED_KINDS', COMPUTED_KINDS, 'count sum last most_frequent first_seen unique_list'],
  ['SENT_BODIES', SENT_BODIES, 'delivered received edited'],
  ['REPLAY_ENDS', REPLAY_ENDS, 'done expired stopped interrupted'],
])('%s has the words that stores and clients know', (_name, words, known) => {
  expect(words).toEqual(known.trim().split(/\s+/));
});

test('a cell says what became of an attempt', () => {
  expect(CELLS).toEqual({
    '.': { means: 'not tried' },
    s: { means: 'sending' },
    a: { means: 'accepted', outcome: 'accepted' },
    f: { means: 'failed', outcome: 'failed' },
    t: { means: 'timed out', outcome: 'timed_out' },
    n: { means: 'no connection', outcome: 'no_connection' },
    r: { means: 'certificate refused', outcome: 'refused_certificate' },
    d: { means: 'declined', outcome: 'declined' },
    m: { means: 'declined with a redirect', outcome: 'declined' },
    l: { means: 'throttled', outcome: 'throttled' },
    i: { means: 'interrupted', outcome: 'interrupted' },
    w: { means: 'waiting for a free sender' },
    x: { means: 'not needed' },
    p: { means: 'paused' },
  });
});

test('retries and rules have their limits', () => {
  const day = 24 * 60 * 60 * 1_000;
  expect(DEFAULT_RETRY).toEqual({
    ...{ baseMs: 10_000, factor: 2, maxMs: 20 * 60_000, windowMs: day / 6, jitter: 0.2, seed: 1 },
  });
  expect(RULE_LIMITS).toEqual({
    ...{ nodes: 31, levels: 3, where: 8, values: 100, times: 10_000 },
    ...{ withinMs: 3_650 * day, pathCharacters: 200, valueCharacters: 1_000 },
  });
});
