import { describe, expect, it } from 'vitest';
import { messageStates } from '../../../src/contract/names.ts';
import type { AttemptView, MessageRow } from '../../../src/contract/values.ts';
import {
  attemptResult,
  attemptSentence,
  cellsSentence,
  noteText,
  notSelectedText,
  rejectText,
  STATE_ORDER,
  STATE_WORDS,
  stateExtra,
  stateSentence,
  userText,
} from '../../../src/renderer/lib/words.ts';
import { makeRow } from '../../helpers/fake-data.ts';

const row = (change: Partial<MessageRow>): MessageRow => ({
  ...makeRow(1, { hostile: false, now: 0, total: 1 }),
  reason: null,
  reasonDetail: null,
  ...change,
});
const attempt = (change: Partial<AttemptView>): AttemptView =>
  ({
    url: 'http://localhost:4010/ingest',
    outcome: 'accepted',
    status: null,
    statusText: '',
    reason: null,
    detail: null,
    durationMs: null,
    responseHeaders: [],
    ...change,
  }) as AttemptView;

describe('message states', () => {
  it('has a word, a glyph and a place in the order for every state of the contract', () => {
    for (const state of messageStates) expect(STATE_WORDS[state].word).not.toBe('');
    expect([...STATE_ORDER].sort()).toEqual([...messageStates].sort());
    const glyphs = messageStates.map((state) => STATE_WORDS[state].glyph);
    expect(new Set(glyphs).size).toBe(messageStates.length);
  });
  it('says more behind the word where the row tells more', () => {
    expect(stateExtra(row({ state: 'rejected', reason: 'call_too_large', reasonDetail: '41.2 KB' }))).toBe('41.2 KB');
    expect(stateExtra(row({ state: 'rejected', reason: 'no_user_anon_id' }))).toBe('no identity');
    expect(stateExtra(row({ state: 'expired', firstAttemptAt: 10, windowEndsAt: 14_400_010 }))).toBe('4 h');
    expect(stateExtra(row({ state: 'delivered' }))).toBe('');
  });
  it('reads out each state as a sentence', () => {
    const next = new Date(2026, 10, 20, 14, 32, 53).getTime();
    expect(stateSentence(row({ state: 'retrying' }), next)).toBe('retrying, next round at 14:32:53');
    expect(stateSentence(row({ state: 'delivering', cells: 'sssrp' }))).toBe('delivering, 3 requests open');
    expect(stateSentence(row({ state: 'delivered', round: 2 }))).toBe('delivered in round 2');
    expect(stateSentence(row({ state: 'expired', round: 31, firstAttemptAt: 0, windowEndsAt: 14_400_000 }))).toBe(
      'expired after 4 h, 31 rounds',
    );
    expect(stateSentence(row({ state: 'not_selected', reason: 'integrations_off' }))).toBe(
      'not selected by integrations',
    );
  });
  it('reads out the five cells as one sentence, with statuses where known', () => {
    expect(cellsSentence('ftfrp', [503, null, 500, null, null])).toBe(
      'Webhooks: 1 failed 503, 2 timed out, 3 failed 500, 4 refused, 5 paused',
    );
    expect(cellsSentence('?....')).toBe('Webhooks: 1 not tried, 2 not tried, 3 not tried, 4 not tried, 5 not tried');
  });
});

describe('reasons', () => {
  it('writes the exact texts of rejections', () => {
    expect(rejectText('call_too_large', '41.2 KB')).toBe(
      'Rejected: this call is 41.2 KB. The limit is 32 KB per call.',
    );
    expect(rejectText('batch_too_large', '612 KB')).toBe(
      "Rejected: this batch is 612 KB. The limit is 500 KB per batch. Lower the SDK's flush size.",
    );
    expect(rejectText('no_user_anon_id', null)).toBe('Rejected: this call has neither userId nor anonymousId.');
    expect(rejectText('unknown_source', 'wk_x91')).toBe(
      'Rejected: no source has the write key wk_x91. Copy the key from Sources.',
    );
    expect(rejectText('event_not_defined', null)).toBe('Rejected: a track call needs an event name.');
    expect(rejectText('invalid_json', 'Unexpected token at line 3, column 17')).toBe(
      'Rejected: the body is not valid JSON. Unexpected token at line 3, column 17.',
    );
  });
  it('shows a reason it does not know as it is', () => {
    expect(rejectText('from_the_future', null)).toBe('Rejected: from_the_future.');
    expect(noteText({ code: 'from_the_future', detail: 'x' })).toBe('from_the_future, x');
  });
  it('says why a message was not selected, and names a key in the wrong case', () => {
    expect(notSelectedText('integrations_off', null)).toBe(
      'Not selected. integrations turns Webhooks off for this message.',
    );
    expect(notSelectedText('source_destination_off', 'ios-app')).toBe(
      'Not selected. The source ios-app has the destination off.',
    );
    expect(
      notSelectedText('integrations_all_off', null, [{ code: 'integrations_near_miss', detail: 'webhooks' }]),
    ).toBe('Not selected. The integrations key is "webhooks"; the name is case sensitive: Webhooks.');
  });
});

describe('attempts', () => {
  it('says what happened, why, and what comes next', () => {
    const say = (change: Partial<AttemptView>) => attemptSentence(attempt(change), 5000);
    expect(say({ outcome: 'timed_out' })).toBe('Timed out. No response within 5 s.');
    expect(say({ outcome: 'failed', status: 503 })).toBe('Failed with 503 Service Unavailable.');
    expect(say({ outcome: 'no_connection', reason: 'connection_refused' })).toBe(
      'No connection. Nothing is listening on localhost:4010.',
    );
    expect(say({ outcome: 'no_connection', reason: 'dns_failed', url: 'https://crm.acme.test/x' })).toBe(
      'No connection. The name crm.acme.test was not found.',
    );
    expect(say({ outcome: 'refused_certificate', reason: 'self_signed', url: 'https://erp.acme.test:8443/' })).toBe(
      'Refused before sending. erp.acme.test presents a self-signed certificate, so no request was sent.',
    );
    expect(say({ outcome: 'declined', status: 410 })).toBe('Declined with 410 Gone. 4xx answers are not retried.');
    expect(say({ outcome: 'declined', status: 302, responseHeaders: [{ name: 'location', value: '/r/ok' }] })).toBe(
      'Redirect 302 to /r/ok. Redirects are not followed.',
    );
  });
  it('has a short result for the attempts list, with the server\u2019s own words first', () => {
    expect(attemptResult(attempt({ outcome: 'failed', status: 503, statusText: 'Nope' }))).toBe('503 Nope');
    expect(attemptResult(attempt({ outcome: 'timed_out' }))).toBe('Timed out, no response');
    expect(attemptResult(attempt({ outcome: 'refused_certificate', reason: 'self_signed' }))).toBe(
      'Refused, self-signed',
    );
    expect(attemptResult(attempt({ outcome: 'declined', status: 599 }))).toBe('599');
  });
});

it('names the user, or the anonymous id when there is none', () => {
  expect(userText({ userId: 'usr_1', anonymousId: 'x' })).toBe('usr_1');
  expect(userText({ userId: null, anonymousId: '5e0c91b7-aa40' })).toBe('anon 5e0c91');
  expect(userText({ userId: '', anonymousId: null })).toBe('');
});
