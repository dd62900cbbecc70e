import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InterimFilter, MAX_HEAD_BYTES } from '../../../src/core/delivery/transport/interim.ts';

function run(text: string, cuts: readonly number[] = []) {
  const events: unknown[] = [];
  const details: string[] = [];
  const filter = new InterimFilter({
    onFinalAnswer: () => events.push('final'),
    onSwitchingProtocols: (head) => events.push(head),
    onFailure: ({ reason, detail }) => {
      events.push(reason);
      details.push(detail);
    },
  });
  filter.expectAnswer();
  const bytes = Buffer.from(text, 'latin1');
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let passed = '';
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    passed += filter.take(bytes.subarray(from, end))?.toString('latin1') ?? '';
    from = end;
  }
  return Object.defineProperty({ passed, events }, 'details', { value: details }) as {
    passed: string;
    events: unknown[];
    details: string[];
  };
}

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('the filter of interim answers', () => {
  it('passes a final answer on untouched', () => {
    expect(run(FINAL)).toEqual({ passed: FINAL, events: ['final'] });
  });

  it('takes interim answers out, however the bytes are cut', () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 103 Hints\r\nLink: </a>\r\n\r\n${FINAL}HTTP/1.1 100 in the body\r\n\r\n`;
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(run(text, cuts)).toEqual({ passed: `${FINAL}HTTP/1.1 100 in the body\r\n\r\n`, events: ['final'] });
      }),
    );
  });

  it.each([
    'HTTP/2 100 x',
    'HTTP/1.1  100',
    'HTTP/1.1 1000 x\r\n\r\n',
    'HTTP/1.1 1xx\r\n\r\n',
    'HTTP/1.1 1xx\r\nHTTP/1.1 100 x\r\n\r\n',
    'HTTP/1.1 200',
  ])('leaves %j to the parser', (text) => {
    expect(run(text)).toEqual({ passed: text, events: ['final'] });
  });

  it.each([
    'SSH-2.0-x\r\n',
    '<html>',
    'RTSP/1.0 200 OK\r\n',
    'ICE/1.0 200 OK',
    'http/1.1 100\r\n\r\n',
    ' HTTP/1.1 200',
    '\0',
  ])('refuses %j, byte by byte too', (text) => {
    expect(run(text)).toMatchObject({ events: ['invalid_response'] });
    expect(run(text, [1, 2, 3, 4, 5]).events[0]).toBe('invalid_response');
  });

  it('ignores empty lines before an answer, as the parser does', () => {
    expect(run(`\r\n\n${FINAL}`, [1, 2])).toEqual({ passed: FINAL, events: ['final'] });
  });

  it('waits while it cannot tell', () => {
    expect(run('HTTP/1.1 ')).toEqual({ passed: '', events: [] });
    expect(run('HTTP/1.1 100 Con')).toEqual({ passed: '', events: [] });
  });

  it('reports 101 with its headers and passes nothing of it on', () => {
    expect(run('HTTP/1.1 101 Switching Protocols\r\nUpgrade:  websocket \r\nX\r\n\r\nrest')).toEqual({
      passed: '',
      events: [
        {
          status: 101,
          statusText: 'Switching Protocols',
          headers: [
            ['Upgrade', 'websocket'],
            ['X', ''],
          ],
        },
      ],
    });
  });

  it('counts to 100 and no further', () => {
    const interim = 'HTTP/1.1 102 P\r\n\r\n';
    expect(run(interim.repeat(100) + FINAL)).toEqual({ passed: FINAL, events: ['final'] });
    expect(run(interim.repeat(101) + FINAL).events).toEqual(['invalid_response']);
  });

  it('holds at most 16 KiB', () => {
    expect(run(`HTTP/1.1 103 H\r\n${'a'.repeat(MAX_HEAD_BYTES)}`).events).toEqual(['headers_too_large']);
  });

  it('holds exactly 16 KiB', () => {
    const start = 'HTTP/1.1 103 H\r\n';
    const held = `${start}${'a'.repeat(MAX_HEAD_BYTES - start.length)}`;
    expect(run(held)).toEqual({ passed: '', events: [] });
    expect(run(`${held}a`).details).toEqual(['An interim answer is over 16 KiB.']);
  });

  it('says what it refused', () => {
    expect(run('SSH-2.0-x\r\nmore').details).toEqual(['The answer is not HTTP: it begins with "SSH-2.0-x".']);
    expect(run('~'.repeat(50)).details).toEqual([`The answer is not HTTP: it begins with "${'~'.repeat(40)}".`]);
    expect(run('HTTP/1.1 102 P\r\n\r\n'.repeat(101)).details).toEqual(['More than 100 interim (1xx) answers.']);
  });

  it('after it refused one passes the rest on, and counts from the start for the next', () => {
    const events: string[] = [];
    const filter = new InterimFilter({
      onFinalAnswer: () => events.push('final'),
      onSwitchingProtocols: () => events.push('101'),
      onFailure: ({ reason }) => events.push(reason),
    });
    const take = (text: string) => filter.take(Buffer.from(text))?.toString() ?? null;
    expect(take('before any answer')).toBe('before any answer');
    const interim = 'HTTP/1.1 102 P\r\n\r\n';
    for (let answer = 0; answer < 2; answer++) {
      filter.expectAnswer();
      expect(take(interim.repeat(100))).toBeNull();
      expect(take(FINAL)).toBe(FINAL);
      expect(take('the body')).toBe('the body');
    }
    filter.expectAnswer();
    expect(take('HTTP/1.1 10')).toBeNull();
    filter.expectAnswer();
    expect(take('nonsense')).toBeNull();
    expect(take('rest')).toBe('rest');
    expect(events).toEqual(['final', 'final', 'invalid_response']);
  });

  it.each([
    ['HTTP/1.1 101\r\n\r\n', { status: 101, statusText: '', headers: [] }],
    ['HTTP/1.0 101 \r\nA: b: c\r\n\r\n', { status: 101, statusText: '', headers: [['A', 'b: c']] }],
    ['HTTP/1.1 101 A b\r\n:x\r\n\r\n', { status: 101, statusText: 'A b', headers: [['', 'x']] }],
  ])('reads the head %j', (text, head) => {
    expect(run(text)).toEqual({ passed: '', events: [head] });
  });
});
