import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { AttemptView, ReplayView } from '../../../src/contract/values.ts';
import { certificateVerdict } from '../../../src/renderer/components/certificate.tsx';
import { byteLength } from '../../../src/renderer/lib/format.ts';
import { jsonTokens } from '../../../src/renderer/lib/json-tokens.ts';
import { limitOf } from '../../../src/renderer/lib/words/attempt-sentence.ts';
import { bytesOfBase64, inGroupsOf8, showBytes } from '../../../src/renderer/message/body.ts';
import { bodyWords } from '../../../src/renderer/message/body-words.ts';
import { bodyOf, curlOf } from '../../../src/renderer/message/copies.ts';
import { AttemptDuration } from '../../../src/renderer/message/open-duration.tsx';
import { mannerText, replaySummary } from '../../../src/renderer/screens/detail/round-list.tsx';
import { roundsOf } from '../../../src/renderer/screens/detail/rounds.ts';
import { onKeptConnection, phaseBars } from '../../../src/renderer/screens/detail/timing.tsx';
import {
  changeOf,
  firstChoice,
  originalOf,
  shownTokens,
  withoutAttempt,
} from '../../../src/renderer/screens/replay/compare.ts';
import { endText } from '../../../src/renderer/screens/replay/course-line.tsx';
import { attempt, detailOf, hooks, message, retrying } from './scenes.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('a certificate that was refused', () => {
  const refused = attempt('r', hooks[0]!, { requestHeaders: [] });
  const redirected = { ...refused, requestHeaders: [{ name: 'Host', value: 'a' }], durationMs: 15 };
  const tabOf = (...attempts: AttemptView[]) =>
    bodyWords({ message: message({ receivedAt: 0, state: 'expired' }), attempts, replays: [] }).tab;
  const durationOf = (one: AttemptView) => renderToStaticMarkup(createElement(AttemptDuration, { attempt: one }));

  it('means that nothing was sent, unless a redirect led there', () => {
    expect([tabOf(refused), tabOf(redirected)]).toEqual(['Would be sent', 'Sent']);
    expect(durationOf(refused)).toContain('not sent');
    expect(durationOf(redirected)).toBe('15 ms');
  });
});

describe('response bodies', () => {
  it('are text when they are UTF-8, JSON when they parse', () => {
    expect(showBytes(utf8('{"a":1}'), false)).toEqual({ kind: 'text', text: '{"a":1}', json: true });
    expect(showBytes(utf8('{"a":1'), true)).toEqual({ kind: 'text', text: '{"a":1', json: false });
    expect(showBytes(utf8('<html>'), false)).toEqual({ kind: 'text', text: '<html>', json: false });
    expect(showBytes(new Uint8Array(), false)).toEqual({ kind: 'empty' });
  });

  it('stay text when the cut went through a character, and are binary when they end in one uncut', () => {
    const half = utf8('price 5 €').slice(0, -1);
    expect(showBytes(half, true)).toMatchObject({ kind: 'text', text: 'price 5 ' });
    expect(showBytes(half, false)).toMatchObject({ kind: 'binary' });
  });

  it('show other bytes in hex', () => {
    expect(showBytes(Uint8Array.from([0x1f, 0x8b, 0x08, 0x00]), false)).toEqual({
      kind: 'binary',
      hex: '1f 8b 08 00',
      bytes: 4,
    });
    expect(showBytes(utf8('a\0b'), false)).toMatchObject({ kind: 'binary' });
  });

  it('come from base64 byte for byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    expect(bytesOfBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
    expect(byteLength('€')).toBe(3);
    expect(inGroupsOf8('0123456789abcdef0')).toEqual(['01234567', '89abcdef', '0']);
  });
});

describe('copies', () => {
  const detail = retrying(1_000_000);

  it('deliver as the newest attempt that was sent did', () => {
    const curl = curlOf(detail, 'delivered', hooks, 8765)!;
    expect(curl).toContain("'http://localhost:8766/r/flaky'");
    expect(curl).toContain('HEADER_AUTHORIZATION:?');
    expect(curl.endsWith(`--data-raw '${detail.deliveredJson}'`)).toBe(true);
  });

  it('deliver to the first webhook that is on when nothing was sent yet', () => {
    const fresh = detailOf(message({ receivedAt: 0, state: 'queued' }));
    const list = hooks.map((hook, index) => ({ ...hook, enabled: index > 0 }));
    const curl = curlOf(fresh, 'delivered', list, 8765)!;
    expect(curl).toContain("'http://localhost:4010/ingest'");
    expect(curl).toContain("-H 'X-Signature: e54feca1c33a6928dfc9ef72905e3b1c9b769052'");
    expect(curlOf(fresh, 'delivered', [], 8765)).toBeNull();
  });

  it('send the received call to the ingest port with its write key', () => {
    const curl = curlOf(detail, 'received', hooks, 8799)!;
    expect(curl).toContain("'http://localhost:8799/v1/track'");
    expect(curl).toContain("-u 'wk_dev_7f3a9c:'");
    const odd = { ...detail, message: { ...detail.message, type: 'unknown' as const } };
    expect(curlOf(odd, 'received', hooks, 8799)).toContain(`{"batch":[${detail.callJson}]}`);
  });

  it('have nothing for what does not exist', () => {
    const none = detailOf(message({ receivedAt: 0, state: 'rejected' }), [], { callJson: null });
    expect([bodyOf(none, 'received'), bodyOf(none, 'delivered')]).toEqual([null, null]);
    expect([curlOf(none, 'received', hooks, 1), curlOf(none, 'delivered', hooks, 1)]).toEqual([null, null]);
  });
});

describe('rounds', () => {
  const lineUp = (list: typeof hooks, afterAttempt = 0) => ({
    afterAttempt,
    webhooks: list.map(({ id, slot, name, enabled }) => ({ id, slot, name, enabled })),
  });
  const waits = message({ receivedAt: 0, cells: 'fff..' });

  it('are newest first, without replays, with their offset from the first attempt', () => {
    const { attempts } = retrying(10_000_000);
    const all = [...attempts, attempt('a', hooks[0]!, { replayId: 1, round: 9 })];
    const rounds = roundsOf(all, [lineUp(hooks)], waits);
    expect(rounds.map((round) => [round.round, round.offsetMs, round.cells])).toEqual([
      [7, 630_000, 'ftfrp'],
      [6, 310_000, 'ftfrp'],
      [5, 150_000, 'ftfrp'],
      [4, 70_000, 'fnfrp'],
      [3, 30_000, 'fnfrp'],
      [2, 10_000, 'fnfrp'],
      [1, 0, 'fnfrp'],
    ]);
  });

  const absent = (round: ReturnType<typeof roundsOf>[number] | undefined) =>
    round?.absent.map(({ slot, name, cell, words }) => `${slot} ${name} ${cell} ${words}`);

  it('say of each one why a webhook was left out, of final messages too', () => {
    const attempts = [
      attempt('d', hooks[0]!, { id: 1 }),
      attempt('f', hooks[1]!, { id: 2 }),
      attempt('f', hooks[1]!, { id: 3, round: 2 }),
      attempt('a', hooks[1]!, { id: 4, round: 3 }),
    ];
    const off = { ...hooks[3]!, enabled: false };
    const renamed = { ...hooks[2]!, name: 'Renamed', enabled: false };
    const lineUps = [lineUp([...hooks.slice(0, 3), off]), lineUp([...hooks.slice(0, 2), renamed], 2), lineUp(hooks, 3)];
    for (const now of [waits, message({ receivedAt: 0, state: 'delivered', cells: 'daxxp' })]) {
      const [third, second, first] = roundsOf(attempts, lineUps, now);
      expect(absent(third)).toEqual([
        '1 CRM sync . Declined before, not tried again',
        '3 Flaky receiver x Not needed',
        '4 Legacy ERP x Not needed',
        '5 Archive p Paused',
      ]);
      expect(absent(second)).toEqual(['1 CRM sync . Declined before, not tried again', '3 Renamed p Paused']);
      expect(absent(first)).toEqual(['3 Flaky receiver . Not tried', '4 Legacy ERP p Paused']);
      expect(first?.cells).toBe('df.p.');
    }
  });

  it('say of the newest one what it waits for, and what was turned off while it waited', () => {
    const attempts = [attempt('f', hooks[0]!, { id: 1 }), attempt('f', hooks[0]!, { id: 2, round: 2 })];
    const row = message({ receivedAt: 0, state: 'delivering', cells: 'fwp..' });
    const [newest, older] = roundsOf(attempts, [lineUp(hooks.slice(0, 3))], row);
    expect(absent(newest)).toEqual(['2 Warehouse loader w Waiting for a free sender', '3 Flaky receiver p Paused']);
    expect(absent(older)).toEqual(['2 Warehouse loader . Not tried', '3 Flaky receiver . Not tried']);
    const waiting = roundsOf(attempts, [lineUp(hooks.slice(0, 3))], { ...row, state: 'waiting' });
    expect(absent(waiting[0])).toEqual(absent(newest));
    const retried = roundsOf(attempts, [lineUp(hooks.slice(0, 2))], { ...row, state: 'retrying' });
    expect(absent(retried[0])).toEqual(['2 Warehouse loader . Not tried']);
  });

  it('say nothing of webhooks that are not known', () => {
    expect(roundsOf([attempt('f', hooks[0]!, { id: 4 })], [lineUp(hooks, 4)], waits)[0]?.absent).toEqual([]);
  });

  it('survive attempts of webhooks outside the five places', () => {
    expect(roundsOf([attempt('f', { ...hooks[0]!, slot: 9 })], [], waits)[0]?.cells).toBe('.....');
    expect(roundsOf([], [lineUp(hooks)], waits)).toEqual([]);
  });
});

describe('a compared line', () => {
  it('cuts long keys and values, so that what stands behind them is in sight, and says how much is left out', () => {
    const key = 'k'.repeat(2_048);
    const tokens = shownTokens(`  "${key}": ["é${'v'.repeat(300)}", 1],`);
    expect(tokens.map(({ text }) => text.trim()).filter((text) => text !== '')).toEqual([
      `"${'k'.repeat(15)}`,
      ':',
      '[',
      `"é${'v'.repeat(14)}`,
      ',',
      '1',
      '],',
    ]);
    expect(tokens.map(({ hiddenBytes }) => hiddenBytes).filter((n) => n > 0)).toEqual([2_034, 287]);
    expect(shownTokens('"short": 1').every(({ hiddenBytes }) => hiddenBytes === 0)).toBe(true);
    expect(shownTokens('x'.repeat(20_001))).toEqual([{ at: 0, text: 'x'.repeat(200), kind: '', hiddenBytes: 19_801 }]);
  });
});

describe('comparison of a replay', () => {
  const of = (letter: Parameters<typeof attempt>[0]) => attempt(letter, hooks[0]!);

  it.each([
    ['f', 'a', 'Now accepted'],
    ['t', 'a', 'Now accepted'],
    ['a', 'a', 'Same result'],
    ['5', '5', 'Same result'],
    ['a', 'f', 'Now fails'],
    ['a', 't', 'Now times out'],
    ['f', 'd', 'Now declined'],
    ['d', 'm', 'Now redirected'],
    ['f', '5', 'Fails differently'],
    ['a', 'n', 'Now no connection'],
    ['f', 'r', 'Now refused'],
    ['f', 's', 'Sending'],
    ['a', 'i', 'Interrupted'],
  ] as const)('of %s with %s is "%s"', (original, replay, words) => {
    expect(changeOf(of(original), of(replay)).words).toBe(words);
  });

  it('knows what was never tried and what was not sent', () => {
    expect(changeOf(undefined, of('a'))).toEqual({ words: 'Not tried before', tone: 'ok' });
    expect(changeOf(of('f'), undefined).words).toBe('Not sent');
    expect(changeOf({ ...of('a'), status: 202 }, of('a')).words).toBe('Still accepted');
  });

  it('takes the newest finished attempt of the engine as the original', () => {
    const list = [
      attempt('f', hooks[0]!, { id: 1, round: 2 }),
      attempt('t', hooks[0]!, { id: 2, round: 1 }),
      attempt('a', hooks[0]!, { id: 3, round: 3, replayId: 1 }),
      attempt('s', hooks[0]!, { id: 4, round: 3 }),
    ];
    expect(originalOf(list, hooks[0]!.id)?.id).toBe(1);
    expect(originalOf(list, 99)).toBeUndefined();
  });

  it('chooses at first what is on and was not refused', () => {
    expect(firstChoice(hooks, retrying(0).attempts)).toEqual([11, 12, 13]);
  });

  it('colours a line of JSON without losing a character', () => {
    for (const line of [
      '  "a": "b\\"c", ',
      '[1,-2.5e3,true,null]',
      '{"k" : {}}',
      'not json "open',
      '<b>\u202e</b>',
      '',
    ]) {
      expect(
        jsonTokens(line)
          .map((token) => token.text)
          .join(''),
      ).toBe(line);
    }
    expect(jsonTokens('  "a": "b",').map((token) => token.kind)).toEqual(['', 'k', 'p', '', 's', 'p']);
    expect(jsonTokens('  "a": "b",').map(({ at }) => at)).toEqual([0, 2, 5, 6, 7, 10]);
    expect(jsonTokens('  "a": true').filter((token) => token.kind === 'n')).toHaveLength(1);
  });
});

describe('timing', () => {
  const phases = {
    queueMs: 2,
    dnsMs: 3,
    tcpMs: 5,
    tlsMs: null,
    certificateMs: null,
    sendMs: 0,
    waitMs: 90,
    readMs: null,
  };

  it('puts each phase where the one before ended, on one line', () => {
    const bars = phaseBars(phases);
    expect(bars.map(({ name }) => name)).toEqual([
      'Queue',
      'DNS lookup',
      'TCP connect',
      'Send request',
      'Wait for response',
    ]);
    expect(bars.map(({ left }) => left)).toEqual([0, 2, 5, 10, 10]);
    for (const { left, width } of bars) expect(left + width).toBeLessThanOrEqual(100);
    expect(bars.at(3)?.width).toBeGreaterThan(0);
    expect(phaseBars({ ...phases, queueMs: 0, dnsMs: 0, tcpMs: 0, waitMs: 0 }).every(({ left }) => left <= 99)).toBe(
      true,
    );
  });

  it('knows a kept connection from one that never opened', () => {
    const none = { ...phases, dnsMs: null, tcpMs: null };
    expect(onKeptConnection(none)).toBe(true);
    expect(onKeptConnection({ ...none, sendMs: null })).toBe(false);
    expect(onKeptConnection(phases)).toBe(false);
  });

  it('tells the limit that an attempt had, not the one of today, where the record shows it', () => {
    expect(limitOf({ outcome: 'accepted', durationMs: 179 }, 5_000)).toBe(5_000);
    expect(limitOf({ outcome: 'timed_out', durationMs: 5_003 }, 5_000)).toBe(5_000);
    expect(limitOf({ outcome: 'timed_out', durationMs: 3_004 }, 10_000)).toBe(3_000);
    expect(limitOf({ outcome: 'accepted', durationMs: 7_000 }, 5_000)).toBeNull();
    expect(limitOf({ outcome: null, durationMs: null }, 5_000)).toBe(5_000);
  });
});

describe('a certificate in words', () => {
  const info = {
    subject: '',
    issuer: '',
    validFrom: '',
    validTo: '2027-03-03T12:00:00.000Z',
    names: '',
    fingerprint256: '',
  };
  it('is trusted to a day or refused for a reason', () => {
    expect(certificateVerdict({ info, reason: null })).toBe('Certificate trusted, valid to 3 Mar 2027');
    expect(certificateVerdict({ info: { ...info, validTo: 'soon' }, reason: null })).toBe('Certificate trusted');
    expect(certificateVerdict({ info, reason: 'wrong_host' })).toBe('Refused: wrong host');
    expect(certificateVerdict({ info, reason: 'new_code' })).toBe('Refused: not valid');
  });
});

describe('the course of a replay', () => {
  const replay = (over: Partial<ReplayView>): ReplayView => ({
    id: 1,
    messageId: 1,
    createdAt: 0,
    finishedAt: 9,
    webhookIds: [1, 2],
    sent: 'delivered',
    signed: true,
    retryUntil: null,
    nextAt: null,
    ended: 'done',
    attempts: [attempt('f', hooks[0]!), attempt('a', hooks[0]!)],
    ...over,
  });
  it('says what a target without an attempt means', () => {
    expect(withoutAttempt(replay({}))).toBe('Not needed');
    expect(withoutAttempt(replay({ finishedAt: null, ended: null }))).toBe('Not sent yet');
    expect(withoutAttempt(replay({ ended: 'stopped' }))).toBe('Not sent');
    expect(withoutAttempt(replay({ attempts: [attempt('f', hooks[0]!)] }))).toBe('Not sent');
  });
  it('counts targets, not attempts, and names an end before all was tried', () => {
    expect(replaySummary(replay({}))).toBe('1 of 2 accepted');
    expect(replaySummary(replay({ ended: 'expired' }))).toBe('1 of 2 accepted, expired');
    const waiting = replay({ finishedAt: null, ended: null, nextAt: 5, retryUntil: 9 });
    expect(replaySummary(waiting)).toBe('1 of 2 accepted, waits for its next try');
    expect(replaySummary({ ...waiting, nextAt: null })).toBe('Sending');
  });
  it('says why it ended', () => {
    const begun = attempt('f', hooks[0]!).clockAt;
    const expired = replay({ ended: 'expired', retryUntil: begun + 14_400_000 });
    expect(endText(expired)).toBe('Not accepted within 4 h. It is not tried again.');
    expect(endText(replay({ ended: 'interrupted' }))).toBe('Interrupted. Nothing more is sent.');
    expect(endText(replay({}))).toBe('');
    expect(endText(replay({ ended: null }))).toBe('');
  });
});

describe('the list of replays', () => {
  it('says how each differs from a plain one', () => {
    expect(mannerText({ sent: 'delivered', signed: true })).toBe('');
    expect(mannerText({ sent: 'received', signed: true })).toBe(', as received');
    expect(mannerText({ sent: 'edited', signed: false })).toBe(', edited, not signed');
  });
});
