/** The body of a request up to its limit, and what becomes of the rest, over a stream that stands for a connection. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { MAX_DISCARDED_BYTES, type Overflow, readBody } from '../../../src/core/ingest/body-reader.ts';
import { MAX_REQUEST_BYTES } from '../../../src/core/model/call.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

interface Given {
  readonly length?: number;
  readonly encoding?: string;
  readonly expectsContinue?: boolean;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function read({ length, encoding, expectsContinue = false }: Given = {}) {
  const stream = new PassThrough({ highWaterMark: 1 << 30 });
  const headers: Record<string, string> = {};
  if (length !== undefined) headers['content-length'] = String(length);
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  const request = Object.assign(stream, { headers }) as unknown as IncomingMessage & PassThrough;
  const writeContinue = vi.fn();
  const time = new SimTime();
  const done: { body: Uint8Array; overflow: Overflow | undefined }[] = [];
  readBody(request, { writeContinue } as unknown as ServerResponse, expectsContinue, time, (body, overflow) =>
    done.push({ body, overflow }),
  );
  const send = async (...chunks: (string | Uint8Array)[]) => {
    for (const chunk of chunks) stream.write(chunk);
    await turn();
  };
  const end = async () => {
    stream.end();
    await turn();
  };
  return { stream, time, done, send, end, writeContinue };
}

const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const start = (overflow: Overflow | undefined) => ({
  bytes: overflow?.start.bytes,
  first: textOf(overflow?.start.first),
});

describe('a body within its limit', () => {
  it.each([
    ['none', []],
    ['one piece', ['{"a":1}']],
    ['pieces', ['{"a"', ':', '1}']],
  ])('of %s is handed over once, at its end', async (_title, chunks) => {
    const { done, send, end, time, writeContinue } = read();
    await send(...chunks);
    expect(done).toEqual([]);
    await end();
    expect(done.map(({ body, overflow }) => [textOf(body), overflow])).toEqual([[chunks.join(''), undefined]]);
    expect([time.pending, writeContinue.mock.calls]).toEqual([0, []]);
  });

  it.each([
    [MAX_REQUEST_BYTES, undefined],
    [MAX_REQUEST_BYTES + 1024, 'gzip'],
  ])('may have %i bytes with the encoding %s, announced or not', async (bytes, encoding) => {
    for (const length of [undefined, bytes]) {
      const { done, send, end } = read({ ...(length === undefined ? {} : { length }), ...(encoding && { encoding }) });
      await send(Buffer.alloc(bytes - 1, 'x'), 'y');
      await end();
      expect([done.length, done[0]?.body.length, done[0]?.overflow]).toEqual([1, bytes, undefined]);
    }
  });

  it('is asked for when the client waits to be asked', async () => {
    const { done, send, end, writeContinue } = read({ length: 2, expectsContinue: true });
    expect(writeContinue).toHaveBeenCalledOnce();
    await send('{}');
    await end();
    expect(textOf(done[0]?.body)).toBe('{}');
  });

  it('never comes when the client goes away, and that is no error', async () => {
    const { done, send, stream } = read({ length: 10 });
    await send('{');
    stream.destroy(new Error('gone'));
    await turn();
    expect(done).toEqual([]);
  });
});

describe('a body that is too long without having said so', () => {
  it.each([
    [MAX_REQUEST_BYTES, undefined],
    [MAX_REQUEST_BYTES + 1024, 'gzip'],
  ])('is refused at the first byte over %i with the encoding %s, and its start is kept', async (bytes, encoding) => {
    const { done, send, end } = read(encoding === undefined ? {} : { encoding });
    await send(Buffer.alloc(4_000, 'a'), Buffer.alloc(bytes - 4_000, 'b'));
    expect(done).toEqual([]);
    await send('c');
    expect(done.map(({ body, overflow }) => [body.length, start(overflow)])).toEqual([
      [0, { bytes: null, first: 'a'.repeat(4_000) + 'b'.repeat(96) }],
    ]);
    await send('d');
    await end();
    expect(done).toHaveLength(1);
  });
});

describe('a body that says it is too long', () => {
  it.each([
    [MAX_REQUEST_BYTES + 1, undefined, MAX_REQUEST_BYTES + 1],
    [MAX_REQUEST_BYTES + 1025, 'gzip', null],
  ])('by %i bytes (%s) is refused once its first 4,096 bytes have come', async (length, encoding, bytes) => {
    const { done, send, time } = read({ length, ...(encoding && { encoding }) });
    await send(Buffer.alloc(4_095, 'a'));
    expect([done, time.nextInMs]).toEqual([[], 250]);
    await send('b');
    expect(done.map(({ body, overflow }) => [body.length, start(overflow)])).toEqual([
      [0, { bytes, first: `${'a'.repeat(4_095)}b` }],
    ]);
    expect(time.pending).toBe(0);
    await send('d');
    expect(done).toHaveLength(1);
  });

  it('is refused after 250 ms with what there is, which may be nothing', async () => {
    for (const chunks of [['abc', 'd'], []]) {
      const { done, send, time } = read({ length: 600_000 });
      await send(...chunks);
      await time.advance(249);
      expect(done).toEqual([]);
      await time.advance(1);
      expect(done.map(({ overflow }) => start(overflow))).toEqual([{ bytes: 600_000, first: chunks.join('') }]);
      await send(Buffer.alloc(5_000));
      expect(done).toHaveLength(1);
    }
  });

  it('is refused before it is sent to a client that asks first', () => {
    for (const [encoding, bytes] of [
      [undefined, 600_000],
      ['gzip', null],
    ] as const) {
      const { done, time, writeContinue } = read({
        length: 600_000,
        expectsContinue: true,
        ...(encoding && { encoding }),
      });
      expect(done.map(({ body, overflow }) => [body.length, start(overflow)])).toEqual([[0, { bytes, first: '' }]]);
      expect([writeContinue.mock.calls, time.pending]).toEqual([[], 0]);
      const then = vi.fn();
      done[0]?.overflow?.afterUpload(then);
      expect(then).toHaveBeenCalledOnce();
    }
  });

  it('whose client ends before the wait is over has nobody left to answer', async () => {
    const { done, stream, time } = read({ length: 600_000 });
    stream.end('abc');
    await turn();
    await time.advance(250);
    expect([done, time.pending]).toEqual([[], 0]);
  });

  it('whose client goes away leaves no timer', async () => {
    const { done, stream, time } = read({ length: 600_000 });
    stream.destroy();
    await turn();
    await time.advance(1_000);
    expect([done, time.pending]).toEqual([[], 0]);
  });
});

describe('the rest of an upload that nobody wants', () => {
  async function refused() {
    const one = read({ length: 600_000 });
    await one.send(Buffer.alloc(5_000));
    const ended = vi.fn();
    return { ...one, ended, onEnd: () => one.done[0]?.overflow?.afterUpload(ended) };
  }

  it('is read to its end, and then the connection may go', async () => {
    const { send, end, ended, onEnd } = await refused();
    onEnd();
    await send('x');
    expect(ended).not.toHaveBeenCalled();
    await end();
    expect(ended).toHaveBeenCalledOnce();
  });

  it('may have ended before anybody asks', async () => {
    const { end, ended, onEnd } = await refused();
    await end();
    expect(ended).not.toHaveBeenCalled();
    onEnd();
    expect(ended).toHaveBeenCalledOnce();
  });

  it('may end with the connection', async () => {
    const { stream, ended, onEnd } = await refused();
    onEnd();
    stream.destroy();
    await turn();
    expect(ended).toHaveBeenCalledOnce();
  });

  it('is read up to 64 MB, what came before counted', async () => {
    const { send, end, ended, onEnd } = await refused();
    onEnd();
    const megabyte = Buffer.alloc(1024 * 1024);
    await send(...Array.from({ length: 63 }, () => megabyte), Buffer.alloc(1024 * 1024 - 5_000));
    expect(MAX_DISCARDED_BYTES).toBe(64 * 1024 * 1024);
    expect(ended).not.toHaveBeenCalled();
    await send('x');
    expect(ended).toHaveBeenCalledOnce();
    await end();
    expect(ended).toHaveBeenCalledOnce();
  });
});
