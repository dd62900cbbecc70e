import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { Attempt } from '../../../src/core/delivery/transport/attempt.ts';
import { PhaseRecorder } from '../../../src/core/delivery/transport/phases.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

function attempt(limitMs = 5000) {
  const time = new SimTime();
  const aborted: Error[] = [];
  const controller = {
    rawHeaders: [Buffer.from('X-A'), Buffer.from('1')],
    abort: (reason: Error) => aborted.push(reason),
  } as unknown as Dispatcher.DispatchController;
  const made = new Attempt({ url: 'http://127.0.0.1/', headers: [], body: new Uint8Array(0), limitMs }, time, time);
  return { made, time, controller, aborted };
}

describe('an attempt', () => {
  it('is never written twice: a second start of its request ends it', async () => {
    const { made, controller, aborted } = attempt();
    made.onRequestStart(controller);
    made.wroteHead('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    expect(aborted).toHaveLength(0);

    made.onRequestStart(controller);

    expect(aborted).toHaveLength(1);
    expect(await made.done).toMatchObject({
      outcome: 'no_connection',
      reason: 'connection_closed',
      requestHeaders: [['host', '127.0.0.1']],
    });
  });

  it('ends once: what comes after the end changes nothing', async () => {
    const { made, time, controller } = attempt();
    let ends = 0;
    made.onEnd = () => {
      ends += 1;
    };
    await time.advance(5000);
    made.onResponseStart(controller, 200, {}, 'OK');
    made.onResponseData(controller, Buffer.from('late'));
    made.onResponseEnd();
    made.interrupt();
    made.fail({ outcome: 'no_connection', reason: 'connection_reset', detail: 'late' });
    expect(ends).toBe(1);
    expect(await made.done).toMatchObject({ outcome: 'timed_out', status: null, responseBytes: 0, durationMs: 5000 });
    expect(time.pending).toBe(0);
  });

  it('takes headers at the last moment of the limit, and the rest of the body no more', async () => {
    const { made, time, controller } = attempt();
    await time.advance(4999.9);
    made.onResponseStart(controller, 204, {}, 'No Content');
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
    const { made, controller } = attempt();
    const big = Buffer.alloc(65_536, 'x');
    made.onResponseStart(controller, 200, {}, 'OK');
    made.onResponseData(controller, big.subarray(0, 3));
    made.onResponseEnd();
    big.fill('y');
    const { responseBody } = await made.done;
    expect(Buffer.from(responseBody).toString()).toBe('xxx');
    expect(responseBody.buffer.byteLength).toBe(3);
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
