import { describe, expect, it } from 'vitest';
import { MESSAGE_STATES } from '../../../src/contract/names.ts';
import type { AttemptView, MessageRow, NoteView } from '../../../src/contract/values.ts';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { selectDestination } from '../../../src/core/model/selection.ts';
import { REJECT_REASONS } from '../../../src/core/model/vocabulary.ts';
import { attemptSentence } from '../../../src/renderer/lib/words/attempt-sentence.ts';
import { attemptResult, isRefusedUnsent, noRequestWords } from '../../../src/renderer/lib/words/attempts.ts';
import { userText } from '../../../src/renderer/lib/words/calls.ts';
import { cellsSentence } from '../../../src/renderer/lib/words/cells.ts';
import { rejectText, SHORT_REASON } from '../../../src/renderer/lib/words/rejections.ts';
import { noteText, notSelectedText } from '../../../src/renderer/lib/words/selection.ts';
import {
  STATE_ORDER,
  STATE_WORDS,
  stateExtra,
  stateExtraInFull,
  stateSentence,
} from '../../../src/renderer/lib/words/states.ts';
import { makeRow } from '../../helpers/fake-data.ts';

const ALL_ON = {
  destinationEnabled: true,
  sourceWebhooks: true,
  sourceName: 's',
  webhookCount: 1,
  eventsOff: new Set<string>(),
};
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
    redirectedTo: null,
    durationMs: null,
    phases: null,
    requestHeaders: [],
    responseHeaders: [],
    ...change,
  }) as AttemptView;

describe('message states', () => {
  it('has a word, a glyph and a place in the order for every state of the contract', () => {
    for (const state of MESSAGE_STATES) expect(STATE_WORDS[state].word).not.toBe('');
    expect([...STATE_ORDER].sort()).toEqual([...MESSAGE_STATES].sort());
    const glyphs = MESSAGE_STATES.map((state) => STATE_WORDS[state].glyph);
    expect(new Set(glyphs).size).toBe(MESSAGE_STATES.length);
  });
  it('says more behind the word where the row tells more', () => {
    expect(stateExtra(row({ state: 'rejected', reason: 'call_too_large', reasonDetail: '41.2 KB' }))).toBe('41.2 KB');
    expect(stateExtra(row({ state: 'rejected', reason: 'no_user_anon_id' }))).toBe('no id');
    expect(stateExtra(row({ state: 'expired', firstAttemptAt: 10, windowEndsAt: 14_400_010 }))).toBe('4 h');
    expect(stateExtra(row({ state: 'waiting' }))).toBe('for a sender');
    expect(stateExtra(row({ state: 'delivered' }))).toBe('');
  });
  it('says why a call was rejected in nine characters, and in words where there is room', () => {
    for (const reason of REJECT_REASONS) {
      const rejected = row({ state: 'rejected', reason, reasonDetail: reason === 'call_too_large' ? '41.2 KB' : null });
      expect(stateExtra(rejected).length, stateExtra(rejected)).toBeLessThanOrEqual(SHORT_REASON);
      expect(stateExtra(rejected), reason).not.toMatch(/_|^$/);
      expect(stateExtraInFull(rejected).length).toBeGreaterThanOrEqual(stateExtra(rejected).length);
    }
    const many = row({ state: 'rejected', reason: 'batch_too_large', reasonDetail: '2,501 calls' });
    expect(stateExtra(many)).toBe('too large');
    expect(stateExtraInFull(many)).toBe('batch too large, 2,501 calls');
    const suppressed = row({ state: 'rejected', reason: 'user_suppressed', reasonDetail: 'usr_5d10' });
    expect([stateExtra(suppressed), stateExtraInFull(suppressed)]).toEqual(['suppr.', 'usr_5d10 is suppressed']);
    const json = row({
      state: 'rejected',
      reason: 'invalid_json',
      reasonDetail: 'Unexpected token at line 3, column 17',
    });
    expect(stateExtra(json)).toBe('bad JSON');
  });
  it('tells a key that is missing from one that was pasted with its example', () => {
    expect(rejectText('unknown_source', 'wk_x91')).toBe(
      'Rejected: no source has the write key wk_x91. Copy the key from Sources.',
    );
    for (const key of ['YOUR_WRITE_KEY', '<write-key>', 'WRITE_KEY', 'YOUR_API_KEY', '<YOUR_SEGMENT_WRITE_KEY>'])
      expect(rejectText('unknown_source', key)).toMatch(
        /stands for a write key in an example\. Put the key of a source/,
      );
    expect(rejectText('unknown_source', 'monkey')).toMatch(/^Rejected: no source has the write key monkey/);
  });
  it('reads out each state as a sentence', () => {
    const next = new Date(2026, 10, 20, 14, 32, 53).getTime();
    expect(stateSentence(row({ state: 'retrying' }), next)).toBe('retrying, next round at 14:32:53');
    expect(stateSentence(row({ state: 'delivering', cells: 'sssrp' }))).toBe('delivering, 3 requests open');
    expect(stateSentence(row({ state: 'waiting', cells: 'wwfrp' }))).toBe('waiting for a sender');
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
  });

  it.each([
    'webhooks',
    'WebHooks',
    'WEBHOOKS',
    'Webhook',
    'webhook',
    'web_hooks',
    'Web Hooks',
    'web-hook',
    'Webhooks ',
  ])('names the key as it was sent: %j', (key) => {
    const miss = (integrations: JsonObject) => selectDestination(integrations, ALL_ON);
    const off = miss({ All: false, [key]: true });
    expect(notSelectedText(off.reason, null, off.notes as NoteView[])).toBe(
      `Not selected. The integrations key is "${key}"; the name is case sensitive: Webhooks.`,
    );
    expect(off.detail).toBe(`The integrations key is "${key}"; the name is case sensitive: Webhooks.`);
    expect((miss({ [key]: false }).notes as NoteView[]).map(noteText)).toEqual([
      `The integrations key "${key}" does nothing; the name is case sensitive: Webhooks.`,
    ]);
  });

  it.each(['all', 'ALL', 'aLL'])('names the key that was read as All: %s', (key) => {
    const { notes } = selectDestination({ [key]: false }, ALL_ON);
    expect((notes as NoteView[]).map(noteText)).toEqual([`integrations.${key} was read as integrations.All.`]);
  });

  it('says what was wrong and not what might have been', () => {
    expect(rejectText('batch_too_large', '2,501 calls')).toBe(
      'Rejected: this batch has 2,501 calls. The limit is 2,500 calls per batch.',
    );
    expect(rejectText('context_not_object', 'context of the batch')).toBe(
      'Rejected: context of the batch is not an object.',
    );
    expect(rejectText('bad_timestamp', 'It is not text.')).toBe('Rejected: the timestamp is not a date.');
    expect(rejectText('not_an_object', 'The batch is not an array.')).toBe('Rejected: the batch is not an array.');
  });

  it('says by how much a timestamp was moved, and what an empty array was read as', () => {
    const moved = { field: 'timestamp', detail: '+0.412 s' };
    expect(noteText({ code: 'timestamp_moved', ...moved })).toBe(
      'The timestamp was moved by the time from sending to arrival (+0.412 s), as Segment does.',
    );
    expect(noteText({ code: 'empty_array_to_object', field: 'integrations of the batch' })).toBe(
      'integrations of the batch came as an empty array and was read as an empty object.',
    );
  });
});

describe('attempts', () => {
  it('say that nothing was sent only where the result says so', () => {
    const phases = {} as AttemptView['phases'];
    expect(noRequestWords({ outcome: null, phases: null })).toBe('open');
    expect(noRequestWords({ outcome: 'no_connection', phases })).toBe('nothing was sent');
    expect(noRequestWords({ outcome: 'interrupted', phases: null })).toBe('what was sent is not stored');
  });

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
    // Its cell may say more, where a damaged page kept only the result away.
    expect(say({ outcome: 'interrupted' })).toBe(
      'Interrupted. Hookbench stopped, erased the message or could not store the result. This attempt does not say whether the request arrived.',
    );
    const phases = {} as AttemptView['phases'];
    expect(say({ outcome: 'interrupted', phases })).toBe('Interrupted before a request was sent.');
    expect(say({ outcome: 'interrupted', phases, requestHeaders: [{ name: 'Host', value: 'a' }] })).toMatch(
      /whether the request arrived\.$/,
    );
    expect(say({ outcome: 'declined', status: 410 })).toBe('Declined with 410 Gone. 4xx answers are not retried.');
    expect(say({ outcome: 'declined', status: 302, responseHeaders: [{ name: 'location', value: '/r/ok' }] })).toBe(
      'Redirect 302 to /r/ok. Redirects are not followed.',
    );
  });

  it('name the host to which a redirect led, where that one was at fault', () => {
    const say = (redirectedTo: string | null, change: Partial<AttemptView>) =>
      attemptSentence(attempt({ redirectedTo, ...change }), 5000);
    const refused = { outcome: 'refused_certificate', reason: 'self_signed' } as const;
    expect(say('https://erp.acme.test:8443/a,b', refused)).toBe(
      'Redirected, and refused. erp.acme.test presents a self-signed certificate, so no request was sent there.',
    );
    const closed = { outcome: 'no_connection', reason: 'connection_refused' } as const;
    expect(say('http://b.test/2', closed)).toBe('Redirected, and no connection. Nothing is listening on b.test:80.');
    expect(say(null, closed)).toBe('No connection. Nothing is listening on localhost:4010.');
  });

  it('of a refused certificate were sent to an earlier host where redirects were followed', () => {
    const requestHeaders = [{ name: 'Host', value: 'a' }];
    expect(isRefusedUnsent(attempt({ outcome: 'refused_certificate' }))).toBe(true);
    expect(isRefusedUnsent(attempt({ outcome: 'refused_certificate', requestHeaders }))).toBe(false);
    expect(isRefusedUnsent(attempt({ outcome: 'no_connection' }))).toBe(false);
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
