import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../../src/core/receivers/built-in.ts';
import type { Receiver, Step } from '../../../src/core/receivers/program.ts';
import { MAX_BODY_BYTES, type ReceivedRequest, ReceiverSet } from '../../../src/core/receivers/receiver-set.ts';
import { freeSlug, slugOf } from '../../../src/core/receivers/slug.ts';

const clock = { wall: () => 1_000, mono: () => 0 };
const BODY = Buffer.from('{"type":"track","event":"Order Completed","userId":"u"}');
const SECRET = 's3cret';
const signed = (secret = SECRET): string => createHmac('sha1', secret).update(BODY).digest('hex');

let set: ReceiverSet;
beforeEach(() => {
  set = new ReceiverSet(clock);
  set.configure(BUILT_IN);
  set.setSecret(SECRET);
});

const request = (over: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  method: 'POST',
  path: '/r/x',
  rawHeaders: [],
  signature: signed(),
  body: BODY,
  bodyBytes: BODY.length,
  ...over,
});
const take = (id: string, over: Partial<ReceivedRequest> = {}) => set.take(set.get(id)!, request(over));
const statusOf = (id: string, over: Partial<ReceivedRequest> = {}) => take(id, over).hit.status;
const edited = (id: string, change: Partial<Receiver>): void =>
  set.configure(BUILT_IN.map((receiver) => (receiver.id === id ? { ...receiver, ...change } : receiver)));

describe('a receiver', () => {
  it('answers by its program and says where the sequence stands', () => {
    expect([1, 2, 3, 4, 5].map(() => statusOf('flaky'))).toEqual([500, 500, 500, 200, 500]);
    expect(set.state('flaky').position).toEqual({ step: 0, hit: 1 });
    set.restart('flaky');
    expect(set.state('flaky').position).toEqual({ step: 0, hit: 0 });
  });

  it('names the call in the log', () => {
    expect(take('ok').hit).toMatchObject({ type: 'track', name: 'Order Completed', at: 1_000, verdict: 'verified' });
    expect(take('ok', { body: Buffer.from('[]') }).hit).toMatchObject({ type: null, name: '' });
    const alias = Buffer.from('{"version":1,"type":"alias","Previous ID":"a","User ID":"b"}');
    expect(take('ok', { body: alias }).hit.name).toBe('a → b');
  });

  it('begins its sequence anew when its steps change, and only then', () => {
    take('flaky');
    edited('flaky', { name: 'Other name' });
    expect(set.state('flaky').position.hit).toBe(1);
    const steps: Step[] = [{ response: { kind: 'close' }, times: 5, delayMs: 0 }];
    edited('flaky', { steps });
    expect(set.state('flaky')).toMatchObject({ position: { step: 0, hit: 0 }, hits: 1 });
  });

  it('forgets what it was sent once it is removed', () => {
    const own: Receiver = { ...BUILT_IN[0]!, id: 'own' };
    set.configure([...BUILT_IN, own]);
    take('own');
    set.configure(BUILT_IN);
    set.configure([...BUILT_IN, own]);
    expect(set.state('own').hits).toBe(0);
  });
});

describe('the signature check', () => {
  it('replies 401 to a wrong or absent digest, without moving the sequence', () => {
    expect(statusOf('flaky', { signature: signed('other') })).toBe(401);
    expect(take('flaky', { signature: undefined }).hit).toMatchObject({ verdict: 'unsigned', answer: 'signature' });
    expect(set.state('flaky')).toMatchObject({ position: { step: 0, hit: 0 }, hits: 2, verdict: 'unsigned' });
  });

  it('answers as programmed and notes it when told to mark', () => {
    edited('ok', { check: { on: true, onMismatch: 'mark', secret: 'shared' } });
    expect(take('ok', { signature: signed('other') }).hit).toMatchObject({ status: 200, verdict: 'mismatch' });
  });

  it('has no verdict while it is off, and none to give without a secret', () => {
    edited('ok', { check: { on: false, onMismatch: 'reject', secret: 'shared' } });
    expect(take('ok', { signature: 'junk' }).hit).toMatchObject({ status: 200, verdict: null });
    set.setSecret(null);
    expect(take('gone', { signature: undefined }).hit).toMatchObject({ status: 410, verdict: 'no_secret' });
  });

  it('with the wrong secret never fits: every digest is answered 401', () => {
    for (const signature of [signed(), signed(''), undefined, '0'.repeat(40)])
      expect(statusOf('badsig', { signature })).toBe(401);
    set.setSecret(null);
    expect(statusOf('badsig')).toBe(401);
  });
});

describe('a body over 1 MiB', () => {
  it('is answered 413, without a verdict and without moving the sequence', () => {
    expect(take('flaky', { bodyBytes: MAX_BODY_BYTES + 1 }).hit).toMatchObject({
      status: 413,
      answer: 'limit',
      verdict: null,
    });
    expect(statusOf('flaky', { bodyBytes: MAX_BODY_BYTES })).toBe(500);
    expect(set.state('flaky').position.hit).toBe(1);
  });
});

describe('an id from a name', () => {
  it.each([
    ['VIP Käufer (EU)', 'vip-kaufer-eu'],
    ['  --  ', 'receiver'],
    ['طلب', 'receiver'],
    ['x'.repeat(90), 'x'.repeat(40)],
  ])('%s', (name, id) => expect(slugOf(name)).toBe(id));

  it('gets a number when it is taken', () => {
    const taken = new Set(['ok', 'ok-2']);
    expect(freeSlug('OK', (id) => taken.has(id))).toBe('ok-3');
  });
});
