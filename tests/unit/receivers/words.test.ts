import { describe, expect, it } from 'vitest';
import { type ReceiverResponse, type ReceiverStep, receiverResponse } from '../../../src/contract/receivers.ts';
import { BUILT_IN } from '../../../src/core/receivers/built-in.ts';
import { wholeNumber } from '../../../src/renderer/lib/whole-number.ts';
import { CHECK, PRESETS, QUICK_RESPONSES, status } from '../../../src/renderer/screens/receivers/presets.ts';
import { draftOf, readDraft } from '../../../src/renderer/screens/receivers/response-form.ts';
import { moved } from '../../../src/renderer/screens/receivers/steps.ts';
import {
  behaviourText,
  hitKind,
  nextPort,
  positionText,
  responseKind,
  usedBy,
  usedByText,
} from '../../../src/renderer/screens/receivers/words.ts';

const step = (response: ReceiverResponse, times: ReceiverStep['times'] = 1, delayMs = 0): ReceiverStep => ({
  response,
  times,
  delayMs,
});
const text = (...steps: ReceiverStep[]): string => behaviourText({ steps, check: CHECK, tls: false });

describe('what a receiver does, in a line', () => {
  it('is as drawn for the built-in set', () => {
    const lines = BUILT_IN.map((receiver) =>
      behaviourText({ ...receiver, steps: structuredClone(receiver.steps) as ReceiverStep[] }),
    );
    expect(lines).toEqual([
      'Respond 200',
      '500 three times, then 200',
      'Respond 500',
      'Respond 200 after 3.2 s',
      'Hold open for 30 s',
      'Respond 410',
      '302 to /r/ok',
      'Replies 401 to every digest',
      'HTTPS, self-signed certificate',
    ]);
  });

  it('says times in words, for ever, and how many steps are left out', () => {
    expect(text(step(status(500), 2), step(status(200), 'forever'))).toBe('500 twice, then 200 for ever');
    expect(text(step(status(500), 1000), step({ kind: 'close' }))).toBe(
      '500 1,000 times, then close without an answer',
    );
    expect(text(...Array.from({ length: 5 }, () => step(status(200))))).toBe('200, then 200, then 3 more steps');
    expect(text(step({ kind: 'reset' }), step(status(200)))).toBe('Reset before the answer, then 200');
  });

  it('is drawn as what our own delivery makes of it', () => {
    expect(QUICK_RESPONSES.flat().map(responseKind)).toEqual([
      ...['accepted', 'accepted', 'accepted', 'declined', 'declined', 'declined', 'failed', 'failed'],
      ...['throttled', 'redirect', 'timed_out', 'no_connection', 'no_connection', 'accepted', 'no_connection'],
      ...['timed_out', 'accepted', 'accepted', 'no_connection', 'no_connection'],
    ]);
  });
});

describe('where the sequence stands', () => {
  it('counts from 1', () => {
    const steps = [step(status(500), 3), step(status(200), 'forever')];
    expect(positionText({ steps, position: { step: 0, hit: 1 } })).toBe('now at step 1, 2 of 3');
    expect(positionText({ steps, position: { step: 1, hit: 1_233 } })).toBe('now at step 2, 1,234');
  });
});

describe('requests', () => {
  it('are drawn by their status, else by what was answered', () => {
    expect(hitKind({ status: 200, answer: 'status' })).toBe('accepted');
    expect(hitKind({ status: 401, answer: 'signature' })).toBe('declined');
    expect(hitKind({ status: 200, answer: 'huge_headers' })).toBe('no_connection');
    expect(hitKind({ status: null, answer: 'hang' })).toBe('timed_out');
    expect(hitKind({ status: null, answer: 'status' })).toBe('timed_out');
    expect(hitKind({ status: null, answer: 'reset' })).toBe('no_connection');
  });
});

describe('webhooks that lead to a receiver', () => {
  const url = 'http://localhost:8766/r/ok';
  it('are found by every name of this machine', () => {
    const urls = ['http://127.0.0.1:8766/r/ok', 'http://[::1]:8766/r/ok', 'http://localhost:8766/r/ok?x=1'];
    expect(
      usedBy(
        url,
        urls.map((one, i) => ({ slot: i + 1, url: one })),
      ),
    ).toEqual([1, 2, 3]);
    const others = ['https://localhost:8766/r/ok', 'http://localhost:8767/r/ok', 'http://localhost:8766/r/ok2', 'junk'];
    expect(
      usedBy(
        url,
        others.map((one, i) => ({ slot: i + 1, url: one })),
      ),
    ).toEqual([]);
    expect(usedBy(null, [{ slot: 1, url }])).toEqual([]);
  });
  it('are named', () => {
    expect(usedByText([3])).toBe('Used by webhook 3');
    expect(usedByText([1, 2, 4])).toBe('Used by webhooks 1, 2 and 4');
  });
});

describe('ports', () => {
  it('offers the next one that the other server does not have', () => {
    expect(nextPort(8_766, 8_767)).toBe(8_768);
    expect(nextPort(8_767, 8_769)).toBe(8_771);
    expect(nextPort(65_535, 1)).toBe(8_766);
  });
});

describe('the response form', () => {
  it('gives every response back as it was', () => {
    const all = [...QUICK_RESPONSES.flat(), ...PRESETS.flatMap(({ steps }) => steps.map(({ response }) => response))];
    const full: ReceiverResponse = {
      kind: 'status',
      status: 503,
      headers: [{ name: 'X-A', value: 'b: c' }],
      body: '{"a":1}\n',
    };
    for (const response of [...all, full]) {
      expect(readDraft(draftOf(response))).toEqual({ ok: true, response });
      expect(receiverResponse.parse(response)).toEqual(response);
    }
  });

  it.each([
    ['status', { status: '99' }, 'Enter a whole number from 100 to 999.'],
    ['status', { status: '2x' }, 'Enter a whole number from 100 to 999.'],
    ['headers', { headers: 'X-A: b\nno colon' }, 'Write each header as "Name: value". This is not one: no colon'],
    ['location', { kind: 'redirect', location: ' ' }, 'Enter a path or a URL.'],
    ['holdMs', { kind: 'hang', holdMs: '60001' }, 'Enter a whole number from 1 to 60000.'],
  ] as const)('names the field that is wrong: %s', (field, change, message) => {
    expect(readDraft({ ...draftOf(status(200)), ...change })).toEqual({ ok: false, field, message });
  });
});

describe('steps', () => {
  it('move to their place', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  });
  it('take whole numbers within their limits', () => {
    expect(wholeNumber(' 1,000 ', 1, 10_000)).toBe(1_000);
    for (const bad of ['', '0', '10001', '1.5', '-1', 'x', '1e3']) expect(wholeNumber(bad, 1, 10_000)).toBeNull();
  });
});
