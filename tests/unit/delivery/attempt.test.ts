import { describe, expect, it } from 'vitest';
import type { AnswerHead } from '../../../src/core/delivery/transport/answer-head.ts';
import { Attempt } from '../../../src/core/delivery/transport/attempt.ts';
import { PhaseRecorder } from '../../../src/core/delivery/transport/phases.ts';
import { type CertificateInfo, MAX_RESPONSE_BODY_BYTES } from '../../../src/core/model/attempt.ts';
import type { Header } from '../../../src/core/model/header.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const WRITTEN: Header[] = [['host', '127.0.0.1']];
const head = (status: number, over: Partial<AnswerHead> = {}): AnswerHead => ({
  version: '1.1',
  status,
  statusText: 'x',
  headers: [['X-A', '1']],
  ...over,
});

function attempt(limitMs = 5000, time = new SimTime()) {
  const made = new Attempt({ url: 'http://127.0.0.1/', headers: [], body: new Uint8Array(0), limitMs }, time, time);
  return { made, time };
}

describe('an attempt', () => {
  it('ends once: what comes after the end changes nothing', async () => {
    const { made, time } = attempt();
    let ends = 0;
    made.carrier = {
      attemptEnded: () => {
        ends += 1;
      },
    };
    await time.advance(5000);
    made.answered(head(200, { statusText: 'OK' }));
    made.received(Buffer.from('late'));
    made.answerEnded();
    made.interrupt();
    made.fail({ outcome: 'no_connection', reason: 'connection_reset', detail: 'late' });
    expect(ends).toBe(1);
    expect(await made.done).toMatchObject({ outcome: 'timed_out', status: null, responseBytes: 0, durationMs: 5000 });
    expect(time.pending).toBe(0);
  });

  it('takes headers at the last moment of the limit, and the rest of the body no more', async () => {
    const { made, time } = attempt();
    await time.advance(4999.9);
    made.answered(head(204, { statusText: 'No Content' }));
    await time.advance(10);
    expect(await made.done).toMatchObject({
      outcome: 'accepted',
      status: 204,
      responseHeaders: [['X-A', '1']],
      responseCut: true,
      detail: 'The body had not ended after 5000 ms.',
    });
  });

  it('keeps a copy of the body, not the buffers it came in', async () => {
    const { made } = attempt();
    const big = Buffer.alloc(65_536, 'x');
    made.answered(head(200, { statusText: 'OK' }));
    made.received(big.subarray(0, 3));
    made.answerEnded();
    big.fill('y');
    const { responseBody } = await made.done;
    expect(Buffer.from(responseBody).toString()).toBe('xxx');
    expect(responseBody.buffer.byteLength).toBe(3);
  });
});

describe('its result', () => {
  const OK = { status: 200, statusText: 'OK' };
  const failure = { outcome: 'no_connection', reason: 'connection_reset', detail: 'reset' } as const;

  it('of a whole answer has all that is known of it', async () => {
    const time = new SimTime();
    await time.advance(7);
    const { made } = attempt(5000, time);
    const ends: boolean[] = [];
    made.carrier = { attemptEnded: (clean) => void ends.push(clean) };
    expect([made.settled, made.written]).toEqual([false, false]);
    made.certificate = { subject: 'CN=a' } as CertificateInfo;
    made.sending(WRITTEN);
    await time.advance(1);
    expect(made.written).toBe(true);
    made.sent();
    await time.advance(2);
    made.answerBegins();
    await time.advance(3.0006);
    made.answered(head(200, { statusText: 'OK' }));
    made.received(Buffer.from('body'));
    made.answerEnded();
    expect([made.settled, ends, time.pending]).toEqual([true, [true], 0]);
    expect(await made.done).toEqual({
      outcome: 'accepted',
      reason: null,
      detail: null,
      ...OK,
      requestHeaders: WRITTEN,
      responseHeaders: [['X-A', '1']],
      responseBody: new Uint8Array(Buffer.from('body')),
      responseBytes: 4,
      responseCut: false,
      phases: {
        queueMs: null,
        dnsMs: null,
        tcpMs: null,
        tlsMs: null,
        certificateMs: null,
        sendMs: 1,
        waitMs: 2,
        readMs: 3.001,
      },
      durationMs: 6.001,
      certificate: { subject: 'CN=a' },
    });
  });

  it('without an answer has the failure, and its connection is used no more', async () => {
    const { made } = attempt();
    const ends: boolean[] = [];
    made.carrier = { attemptEnded: (clean) => void ends.push(clean) };
    made.fail(failure);
    expect(await made.done).toMatchObject({
      ...failure,
      status: null,
      statusText: '',
      requestHeaders: [],
      responseHeaders: [],
      responseCut: false,
    });
    expect(ends).toEqual([false]);
  });

  it('that is interrupted without an answer is to be tried again', async () => {
    const { made } = attempt();
    made.interrupt();
    const detail = 'Hookbench stopped while the attempt was open.';
    expect(await made.done).toMatchObject({ outcome: 'interrupted', reason: null, detail, status: null });
  });

  it.each([
    ['fails', (made: Attempt) => made.fail(failure), null, 'reset'],
    ['is interrupted', (made: Attempt) => made.interrupt(), null, 'Hookbench stopped while the attempt was open.'],
    ['is too long', (made: Attempt) => made.answerTooLarge(), 'answer_too_large', 'The answer goes on after 256 KiB.'],
  ] as const)('after complete headers is that of the status, when the rest %s', async (_, cut, reason, detail) => {
    const { made } = attempt();
    const ends: boolean[] = [];
    made.carrier = { attemptEnded: (clean) => void ends.push(clean) };
    made.answered(head(503, { statusText: 'Busy' }));
    cut(made);
    expect(await made.done).toMatchObject({ outcome: 'failed', status: 503, reason, detail, responseCut: true });
    expect(ends).toEqual([false]);
  });

  it('of an answer that is too long before its headers are complete is a failure', async () => {
    const { made } = attempt();
    made.answerTooLarge();
    expect(await made.done).toMatchObject({
      outcome: 'no_connection',
      reason: 'headers_too_large',
      detail: 'The answer goes on after 256 KiB.',
    });
  });

  it('of a body that is too long is cut, and says nothing more', async () => {
    const { made } = attempt();
    made.answered(head(200, { statusText: 'OK' }));
    made.received(Buffer.alloc(MAX_RESPONSE_BODY_BYTES));
    expect(made.settled).toBe(false);
    made.received(Buffer.alloc(1));
    expect(await made.done).toMatchObject({
      outcome: 'accepted',
      reason: null,
      detail: null,
      responseCut: true,
      responseBytes: MAX_RESPONSE_BODY_BYTES + 1,
    });
  });

  it('of a switch of protocols is that of its status, and its connection is used no more', async () => {
    const { made } = attempt();
    const ends: boolean[] = [];
    made.carrier = { attemptEnded: (clean) => void ends.push(clean) };
    made.switchingProtocols(head(101, { statusText: 'Switching', headers: [['Upgrade', 'x']] }));
    expect(await made.done).toMatchObject({
      outcome: 'declined',
      status: 101,
      statusText: 'Switching',
      responseHeaders: [['Upgrade', 'x']],
      responseCut: false,
    });
    expect(ends).toEqual([false]);
  });

  it.each([
    [199, 'no_connection'],
    [200, 'accepted'],
    [599, 'failed'],
    [600, 'no_connection'],
  ])('of the status %d is %s', async (status, outcome) => {
    const { made } = attempt();
    made.answered(head(status));
    made.answerEnded();
    made.interrupt();
    const detail = outcome === 'no_connection' ? `The status ${status} is not one of HTTP.` : null;
    const reason = outcome === 'no_connection' ? 'invalid_response' : null;
    expect(await made.done).toMatchObject({ outcome, reason, detail });
  });

  it('has at most 200 characters of the status text', async () => {
    const { made } = attempt();
    made.answered(head(200, { statusText: 'x'.repeat(201) }));
    made.answerEnded();
    expect((await made.done).statusText).toBe('x'.repeat(200));
  });
});

describe('the limit', () => {
  it('says in which phase it ended the attempt, if one was open', async () => {
    const one = attempt();
    await one.time.advance(5_000);
    expect((await one.made.done).detail).toBe('No complete answer within 5000 ms.');
    const other = attempt();
    other.made.sending(WRITTEN);
    await other.time.advance(5_000);
    expect(await other.made.done).toMatchObject({
      outcome: 'timed_out',
      detail: 'No complete answer within 5000 ms (in the phase send).',
      phases: { sendMs: 5_000 },
    });
  });

  it('counts though its timer fires late', async () => {
    for (const [late, outcome] of [
      [0, 'accepted'],
      [0.5, 'timed_out'],
    ] as const) {
      const time = new SimTime();
      const never = { after: () => ({ cancel: () => {} }), soon: () => {} };
      const request = { url: 'http://127.0.0.1/', headers: [], body: new Uint8Array(0), limitMs: 100 };
      const made = new Attempt(request, time, never);
      await time.advance(100 + late);
      made.answered(head(200));
      made.answerEnded();
      expect((await made.done).outcome).toBe(outcome);
    }
  });
});

describe('the wait for an answer begins', () => {
  it('when the socket has taken all of the request, unless the answer has begun', async () => {
    const { made, time } = attempt();
    made.sent();
    expect(made.phases.open).toBeNull();
    made.sending(WRITTEN);
    await time.advance(4);
    expect(made.phases.open).toBe('send');
    made.sent();
    expect(made.phases.open).toBe('wait');
    made.answerBegins();
    made.sent();
    expect(made.phases.open).toBe('read');
  });
});

describe('phases', () => {
  it('follow one another, add up, and count up to the end when one is cut short', async () => {
    const time = new SimTime();
    const recorder = new PhaseRecorder(time);
    recorder.enter('dns');
    await time.advance(2);
    recorder.enter('tcp');
    await time.advance(3);
    recorder.leave();
    await time.advance(100);
    recorder.enter('wait');
    await time.advance(4.0004);
    recorder.leave();
    recorder.enter('tcp');
    await time.advance(1);
    recorder.leave();
    expect(recorder.phases()).toEqual({
      queueMs: null,
      dnsMs: 2,
      tcpMs: 4,
      tlsMs: null,
      certificateMs: null,
      sendMs: null,
      waitMs: 4,
      readMs: null,
    });
  });
});
