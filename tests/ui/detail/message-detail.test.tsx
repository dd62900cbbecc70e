import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { AttemptView, MessageDetail as Detail, MessageRow } from '../../../src/contract/values.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import { NOW, openStage, type Stage } from './mount.tsx';
import { attempt, detailOf, hooks, message, replayOf, retrying } from './scenes.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const noClose = () => {};
const shown = (id = 1, tab: 'attempts' | 'payload' = 'attempts', onClose = noClose) => (
  <MessageDetail id={id} tab={tab} full={false} onClose={onClose} />
);
const text = () => stage.page.textContent ?? '';
/** Changes the engine as another window would. */
const tell = async (name: string, input: unknown) => {
  const handlers = stage.engine.handlers as unknown as Record<string, (value: unknown) => unknown>;
  await act(async () => void (await handlers[name]?.(input)));
  await stage.pass(300);
};
const disabled = (name: string) => (stage.find('button', name) as HTMLButtonElement | undefined)?.disabled;

describe('message detail', () => {
  it('explains a waiting message, with the time left and both ways out', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    expect(text()).toContain('Retrying. Round 8 in 0:1');
    expect(text()).toContain('Seven rounds failed on every webhook. Expires at 4 h if none succeeds.');
    expect(disabled('Retry now')).toBe(false);
    expect(disabled('Stop')).toBe(false);
  });

  it('sends retry now and takes the answer at once', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.click('button', 'Retry now');
    expect(stage.calls('messages.retryNow')).toEqual([{ id: 1 }]);
    expect(stage.find('button', 'Retry now')).toBeUndefined();
    expect(text()).toContain('Delivering');
  });

  it('stops the retries and says so', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.click('button', 'Stop');
    expect(stage.calls('messages.stop')).toEqual([{ id: 1 }]);
    expect(text()).toContain('You stopped the retries after 7 rounds. You can still replay it.');
    expect(stage.find('button', 'Stop')).toBeUndefined();
  });

  it.each([
    ['delivered', false, false],
    ['failed', false, false],
    ['expired', false, false],
    ['stopped', false, false],
    ['rejected', false, false],
    ['not_selected', false, false],
    ['queued', false, true],
    ['delivering', false, true],
    ['waiting', false, true],
    ['paused', false, true],
    ['retrying', true, true],
  ] as const)('offers in the state %s: retry now %s, stop %s', async (state, retryNow, stop) => {
    await stage.put(detailOf(message({ receivedAt: NOW - 2000, state, round: 1 })));
    await stage.show(shown());
    expect(stage.find('button', 'Retry now') !== undefined).toBe(retryNow);
    expect(stage.find('button', 'Stop') !== undefined).toBe(stop);
    await stage.press('R', { shiftKey: true });
    await stage.press('s');
    expect(stage.calls('messages.retryNow')).toHaveLength(retryNow ? 1 : 0);
    if (!stop) expect(stage.calls('messages.stop')).toEqual([]);
  });

  it('keeps Replay from a rejected message and gives the reason', async () => {
    await stage.put(
      detailOf(message({ receivedAt: NOW, state: 'rejected', reason: 'call_too_large', reasonDetail: '41.2 KB' })),
    );
    await stage.show(shown());
    expect(text()).toContain('Rejected: this call is 41.2 KB. The limit is 32 KB per call.');
    expect(disabled('Replay')).toBe(true);
    await stage.press('r');
    expect(useRouteStore.getState().route.screen).toBe('live');
  });

  it('opens Replay by button and by key', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.press('r');
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: 1 });
  });

  it('says when a message was never tried', async () => {
    await stage.put(detailOf(message({ receivedAt: NOW - 2000, state: 'queued' })));
    await stage.show(shown());
    expect(text()).toContain('Not tried yet');
    expect(text()).toContain('Queued 2 s ago');
    expect(stage.page.querySelector('[role="img"][aria-label*="rounds"]')).toBeNull();
  });

  it('says that there has been no message with an id that was never given', async () => {
    await stage.show(shown(4_711));
    expect(text()).toContain('There has been no message with this id.');
    expect(text()).not.toContain('removed');
  });

  it('says when the storage limit removed it, also while it is open', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    stage.engine.remove([1]);
    await stage.pass();
    expect(text()).toContain('This message was removed, by the storage limits or by hand.');
  });

  it('says when it cannot be read, and reads it on demand', async () => {
    await stage.put(retrying(NOW));
    stage.engine.failNext('messages.get', new ContractError('internal'));
    await stage.show(shown());
    expect(text()).toContain('The message could not be read.');
    await stage.click('button', 'Try again');
    expect(text()).toContain('Retrying. Round 8');
  });

  it('shows new attempts when the row changes, asking at most once in a quarter of a second', async () => {
    const before = retrying(NOW);
    await stage.put(before);
    await stage.show(shown());
    await stage.pass(1000);
    const calls = () => stage.calls('messages.attempts').length + stage.calls('messages.get').length;
    const asked = calls();
    const more = attempt('a', hooks[0]!, { round: 8, clockAt: NOW, startedAt: NOW });
    for (let n = 0; n < 20; n += 1)
      await stage.put({
        ...before,
        message: {
          ...before.message,
          round: 8,
          state: 'delivered',
          cells: 'aft5r'.slice(0, 5),
          finishedAt: NOW,
          size: n,
        },
        attempts: [...before.attempts, more],
      });
    await stage.pass(250);
    await stage.pass(250);
    expect(calls() - asked).toBe(2);
    expect(text()).toContain('Delivered by CRM sync in round 8');
    expect(text()).toContain('Round 8');
  });

  it('asks for an open attempt until it has ended, and counts up meanwhile', async () => {
    const row = message({
      receivedAt: NOW,
      state: 'delivering',
      round: 1,
      firstAttemptAt: NOW,
      windowEndsAt: NOW + 14_400_000,
    });
    const open = attempt('s', hooks[0]!, { startedAt: NOW, clockAt: NOW });
    await stage.put(detailOf(row, [open]));
    await stage.show(shown());
    await stage.pass(1400);
    expect(text()).toContain('1.4 s');
    const asked = stage.calls('messages.attempts').length;
    expect(asked).toBeGreaterThan(1);
    await stage.put(
      detailOf({ ...row, state: 'delivered', finishedAt: NOW }, [
        { ...open, outcome: 'accepted', status: 200, statusText: 'OK', durationMs: 1500 },
      ]),
    );
    await stage.pass(1000);
    const ended = stage.calls('messages.attempts').length;
    await stage.pass(5000);
    expect(stage.calls('messages.attempts').length).toBe(ended);
    expect(text()).toContain('1.50 s');
  });

  it('opens an attempt to its request, timing and reason', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(stage.page.querySelector('[data-attempt]')?.getAttribute('aria-expanded')).toBe('true');
    expect(text()).toContain('Failed with 503 Service Unavailable.');
    expect(text()).toContain('Wait for response');
    expect(text()).toContain('https://crm.acme.test/hooks/segment');
    expect(stage.calls('attempts.bodies')).toHaveLength(1);
  });

  it('goes through attempts with the bracket keys', async () => {
    const detail = retrying(NOW);
    await stage.put(detail);
    await stage.show(shown());
    await stage.press('[');
    const last = detail.attempts.at(-1)!;
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(last.id));
    await stage.press('[');
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(detail.attempts.at(-2)!.id));
    await stage.press(']');
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(last.id));
  });

  it('shows a hidden header by its length and never its value', async () => {
    const secret = 'Bearer very-secret-token-value';
    const detail = retrying(NOW);
    // A value beside the length would be the engine's mistake; the page must not show it either.
    for (const one of detail.attempts)
      one.requestHeaders = [{ name: 'Authorization', hiddenLength: 30, value: secret } as never];
    await stage.put(detail);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(text()).toContain('hidden, 30 characters');
    expect(stage.page.innerHTML).not.toContain('very-secret');
  });

  it('copies curl with a variable for a hidden value, and with the value only when asked for it', async () => {
    const hook = hooks[0]!;
    const detail = retrying(NOW);
    const requestHeaders = [{ name: 'X-Access', hiddenLength: 10 }];
    for (const one of detail.attempts) Object.assign(one, { webhookId: hook.id, requestHeaders });
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (copied: string) => void written.push(copied) },
    });
    const told = { ...hook, headers: requestHeaders };
    useRecords.setState({ webhooks: [told] });
    stage.engine.handlers['webhooks.headerValue'] = () => ({ value: 'the-access' });
    try {
      await stage.put(detail);
      await stage.show(shown());
      await stage.clickFirst('[data-attempt]');
      await stage.click('button', 'Copy as curl, this attempt');
      await stage.click('button', 'Copy with secrets as curl, this attempt');
      expect(written).toEqual([
        expect.stringContaining(`-H 'X-Access: '"\${HEADER_X_ACCESS:?`),
        expect.stringContaining(`-H 'X-Access: the-access'`),
      ]);
      expect(stage.page.innerHTML).not.toContain('the-access');
      stage.engine.handlers['webhooks.headerValue'] = () => {
        throw new ContractError('app_only');
      };
      await stage.click('button', 'Copy with secrets as curl, this attempt');
      expect(written).toHaveLength(2);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('shows hostile text as text', async () => {
    const evil = HOSTILE_NAMES[0]!;
    const detail = retrying(NOW);
    detail.message.name = evil;
    detail.sourceName = evil;
    for (const one of detail.attempts) {
      one.webhookName = evil;
      one.statusText = evil;
      one.detail = evil;
      one.requestHeaders = [{ name: evil, value: evil }];
      one.responseHeaders = [{ name: evil, value: evil }];
    }
    await stage.put(detail);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(stage.page.querySelector('script, img, iframe')).toBeNull();
    expect(stage.page.querySelector('h2')?.textContent).toBe(evil);
  });

  it('shows hidden characters as boxed code points', async () => {
    const detail = retrying(NOW);
    detail.message.name = 'Pay\u202Efdp.exe';
    await stage.put(detail);
    await stage.show(shown());
    expect(stage.page.querySelector('h2')?.textContent).toBe('PayU+202Efdp.exe');
  });

  it('lists replays apart from rounds and marks them', async () => {
    await stage.put({ ...retrying(NOW), replays: [replayOf(1, NOW - 5000, 'aa5')] });
    await stage.show(shown());
    const replays = stage.page.querySelector('[aria-label="Replays"]');
    expect(replays?.textContent).toContain('2 of 3 accepted');
    expect(stage.find('tab', /^Attempts/)?.textContent).toBe('Attempts28');
  });

  it('draws 400 attempts, the rounds beyond 50 on demand', async () => {
    const first = NOW - 14_000_000;
    const attempts = Array.from({ length: 80 }, (_, n) =>
      hooks.map((hook) =>
        attempt('f', hook, { round: n + 1, clockAt: first + n * 170_000, startedAt: first + n * 170_000 }),
      ),
    ).flat();
    await stage.put(
      detailOf(
        message({
          receivedAt: first,
          state: 'expired',
          round: 80,
          firstAttemptAt: first,
          windowEndsAt: first + 14_400_000,
          finishedAt: NOW,
        }),
        attempts,
      ),
    );
    await stage.show(shown());
    expect(stage.page.querySelectorAll('section[aria-label^="Round "]')).toHaveLength(50);
    await stage.click('button', 'Show 30 older rounds');
    expect(stage.page.querySelectorAll('section[aria-label^="Round "]')).toHaveLength(80);
  });

  it('gives the chart as a sentence and as a table', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    expect(stage.page.querySelector('[role="img"][aria-label^="Seven rounds"]')?.getAttribute('aria-label')).toBe(
      'Seven rounds of attempts on 4 webhooks over 10 min 30 s; none succeeded. Next round at 40 min. The message expires at 4 h.',
    );
    await stage.click('button', 'View as table');
    expect(stage.page.querySelectorAll('tbody tr')).toHaveLength(28);
  });

  it("lists the rounds of the engine's schedule, clock time and real time apart", async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule7 rounds, \d+ more planned$/);
    await stage.click('button', /^Schedule/);
    const rows = [...stage.page.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => cell.textContent),
    );
    expect(rows[0]?.slice(0, 2)).toEqual(['1', 'at once']);
    expect(rows[6]?.slice(0, 2)).toEqual(['7', '+10 min 30 s']);
    expect(rows[7]?.slice(0, 2)).toEqual(['8', '+40 min']);
    expect(rows[7]?.[2]).toMatch(/^\d\d:\d\d:53, due in 0:12/);
    expect(rows.at(-1)?.slice(0, 2)).toEqual(['Window ends', '+4 h']);
  });

  it('says that at least so many rounds are planned where the drawing ends before the window does', async () => {
    const long = retrying(NOW);
    await stage.put({ ...long, schedule: { ...long.schedule!, more: true } });
    await stage.show(shown());
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule7 rounds, at least \d+ more planned$/);
  });

  it('counts offsets from the first request and the window from its commit a moment before', async () => {
    const late = retrying(NOW);
    const before = late.message.firstAttemptAt! - 2_000;
    const message = { ...late.message, firstAttemptAt: before, windowEndsAt: before + 14_400_000 };
    await stage.put({ ...late, message, schedule: { ...late.schedule!, windowEndsAt: message.windowEndsAt } });
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    const offsets = [...stage.page.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map(
      (row) => row.querySelectorAll('td')[1]?.textContent,
    );
    expect(offsets.slice(0, 2)).toEqual(['at once', '+10 s']);
    expect(offsets.at(-1)).toBe('+4 h');
    expect([...stage.page.querySelectorAll('svg text')].map((label) => label.textContent)).toContain('4 h');
  });

  it('fetches the new schedule when the message moved, and drops planned rounds once it is final', async () => {
    const before = retrying(NOW);
    await stage.put(before);
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    const table = () => stage.page.querySelector('[aria-label="Schedule as a table"]')?.textContent ?? '';
    const schedule = { ...before.schedule!, rounds: before.schedule!.rounds.filter(({ kind }) => kind !== 'planned') };
    await stage.put({ ...before, message: { ...before.message, nextDueAt: NOW + 600_000 }, schedule });
    await stage.pass(300);
    expect(stage.find('button', /^Schedule/)?.textContent).toBe('Schedule7 rounds, 1 more planned');
    await stage.put({ ...before, message: { ...before.message, state: 'stopped', nextDueAt: null }, schedule });
    await stage.pass(300);
    expect(stage.find('button', /^Schedule/)?.textContent).toBe('Schedule7 rounds');
    expect(table()).not.toContain('due');
    expect(table()).not.toContain('Window ends');
  });

  it('counts nothing down while the clock is paused or delivery is', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    await tell('clock.pause', null);
    expect(text()).toContain('Retrying. Round 8, clock paused');
    expect(text()).toContain('due, clock paused');
    expect(text()).not.toMatch(/due \d|in \d+:\d\d|Infinity|NaN|Invalid/);
    await tell('clock.resume', null);
    await tell('destination.save', { paused: true });
    expect(text()).toContain('due, delivery paused');
    expect(text()).toContain('Retrying. Round 8, delivery paused');
    expect(text()).toContain('Delivery is paused by you. Resume it to go on.');
  });

  it('draws the phases of an attempt one after the other, with the limit and what is outside it', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    const timing = stage.page.querySelector('section[aria-label="Timing"]')!;
    expect(timing.textContent).toContain('184 ms of the 5 s limit');
    expect([...timing.querySelectorAll('dt')].map((name) => name.textContent)).toEqual([
      'Queue',
      'DNS lookup',
      'TCP connect',
      'TLS handshake',
      'Certificate check',
      'Send request',
      'Wait for response',
      'Read response',
      'Of the limit',
    ]);
    expect(timing.textContent).toContain('The queue is before the limit starts.');
    expect(timing.textContent).not.toContain('kept connection');
  });

  it('explains a kept connection', async () => {
    const detail = retrying(NOW);
    for (const one of detail.attempts)
      one.phases = { ...one.phases!, dnsMs: null, tcpMs: null, tlsMs: null, certificateMs: null };
    await stage.put(detail);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(text()).toContain('Sent on a kept connection, so there was no lookup, connect or handshake.');
  });

  it('opens a refused certificate and keeps a trusted one folded', async () => {
    const detail = retrying(NOW);
    const info = detail.attempts.find((one) => one.certificate !== null)!.certificate;
    detail.attempts.at(-4)!.certificate = info;
    await stage.put(detail);
    await stage.show(shown());
    await stage.clickFirst(`[data-attempt="${detail.attempts.at(-4)!.id}"]`);
    expect(text()).toContain('Certificate trusted, valid to 13 Jan 2031');
    expect(text()).not.toContain('SHA-256');
    await stage.click('button', 'View certificate');
    expect(text()).toContain('SHA-256');
    await stage.clickFirst(`[data-attempt="${detail.attempts.at(-4)!.id}"]`);
    await stage.clickFirst(`[data-attempt="${detail.attempts.at(-1)!.id}"]`);
    expect(text()).toContain('Refused: self-signed');
    expect(text()).toContain('SHA-256');
  });

  it('compares with another profile: verdict, requests, each attempt', async () => {
    const detail = retrying(NOW);
    const [first, second] = detail.attempts;
    const handlers = stage.engine.handlers as unknown as Record<string, (input: { profile: string }) => unknown>;
    handlers['messages.underProfile'] = ({ profile }) => ({
      profile,
      requests: [{ what: 'User-Agent', recorded: 'Hookbench/1.0', under: 'Segment.io/1.0' }],
      attempts: [
        { attemptId: first!.id, round: 1, slot: 1, recorded: 'failed', under: 'failed', why: null },
        {
          attemptId: second!.id,
          round: 2,
          slot: 2,
          recorded: 'no_connection',
          under: null,
          why: 'It would have had 20 s.',
        },
      ],
      partsAfterRound: 1,
      verdict: `Verdict of ${profile}.`,
      schedule: detail.schedule,
    });
    await stage.put(detail);
    await stage.show(shown());
    await stage.click('button', /^With other delivery rules/);
    expect(text()).toContain('Classic as coded: Verdict of classic.');
    expect(text()).toContain('Segment.io/1.0');
    const rows = [...stage.page.querySelectorAll('[aria-label="Attempts with other delivery rules"] tbody tr')];
    expect(rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))).toEqual([
      ['1', 'CRM sync', 'Failed 503', 'the same'],
      ['2', 'Warehouse loader', 'No connection', 'not knownIt would have had 20 s.'],
    ]);
    expect(text()).toContain('The histories part after round 1');
    const select = stage.page.querySelector('select')!;
    await act(async () => {
      select.value = 'actions';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await stage.pass();
    expect(text()).toContain('Actions as coded: Verdict of actions.');
  });

  it('says when profiles could not be compared', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    stage.engine.failNext('messages.underProfile', new ContractError('internal'));
    await stage.click('button', /^With other delivery rules/);
    expect(text()).toContain('Could not compare.');
    await stage.click('button', 'Try again');
    expect(text()).toContain('Round 2 would follow');
  });

  it('moves between its tabs by number keys and tells the route', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown());
    await stage.press('2');
    expect(useRouteStore.getState().route).toMatchObject({ screen: 'live', messageId: 1, tab: 'payload' });
    await stage.press('3');
    expect(useRouteStore.getState().route).toMatchObject({ tab: 'raw' });
    await stage.press('4');
    expect(useRouteStore.getState().route).toMatchObject({ tab: 'raw' });
  });

  it('closes on Escape, but not from a field', async () => {
    let closed = 0;
    await stage.put(retrying(NOW));
    await stage.show(
      shown(1, 'attempts', () => {
        closed += 1;
      }),
    );
    const field = document.createElement('input');
    document.body.append(field);
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true, cancelable: true }));
    field.remove();
    await stage.pass();
    expect(closed).toBe(0);
    expect(stage.calls('messages.stop')).toEqual([]);
    await stage.press('Escape');
    expect(closed).toBe(1);
  });
});

describe('the name at the time', () => {
  it('is that of rounds, chart and table, with a mark where it is another one now', async () => {
    const [crm, loader] = useRecords.getState().webhooks;
    const then = { webhookName: 'Old CRM', url: 'http://old.test/' };
    const attempts = [
      attempt('f', crm!, { id: 1, ...then }),
      attempt('f', loader!, { id: 2 }),
      attempt('f', { ...crm!, id: 99, slot: 3 }, { id: 3, webhookName: 'Gone' }),
      attempt('f', crm!, { id: 4, round: 2, clockAt: NOW + 10_000 }),
    ];
    const list = [crm!, loader!, { ...crm!, id: 99, slot: 3, name: 'Gone' }];
    const lineUps = [
      { afterAttempt: 0, webhooks: list.map(({ id, slot, name }) => ({ id, slot, name, enabled: true })) },
      { afterAttempt: 3, webhooks: list.map(({ id, slot, name }) => ({ id, slot, name, enabled: id !== loader!.id })) },
    ];
    await stage.put(detailOf(message({ receivedAt: NOW, round: 2 }), attempts, { lineUps }));
    await stage.show(shown());
    const lanes = () => [...stage.page.querySelectorAll('[role="img"] [title]')].map((one) => one.textContent);
    expect(lanes().slice(0, 4)).toEqual(['1Old CRM', `1${crm!.name}`, `2${loader!.name}`, '3Gone']);
    const [second, first] = [2, 1].map((round) => stage.find('region', `Round ${round}`)!);
    expect(first!.textContent).not.toContain('Old CRM');
    expect(second!.textContent).toContain(`2${loader!.name}Paused`);
    await stage.click('button', /^Round 1/);
    const titles = [...first!.querySelectorAll('[title]')].map((one) => [one.textContent, one.getAttribute('title')]);
    expect(titles).toContainEqual([
      'Old CRMearlier',
      `http://old.test/\nIt has changed since. It is now ${crm!.name}, ${crm!.url}`,
    ]);
    expect(titles).toContainEqual(['Goneremoved', `${crm!.url}\nThis webhook was removed.`]);
    expect(second!.textContent).not.toContain('earlier');
  });
});

describe('payload', () => {
  it('shows the signature in groups of eight, and says when there is none', async () => {
    await stage.put(retrying(NOW));
    await stage.show(shown(1, 'payload'));
    await stage.click('radio', 'To be sent');
    expect(text()).toContain('Exactly these bytes go to every webhook, in every attempt. None has accepted them yet.');
    const groups = [...stage.page.querySelectorAll('[aria-label="X-Signature"] p:first-of-type span')].map(
      (one) => one.textContent,
    );
    expect(groups).toEqual(['e54feca1', 'c33a6928', 'dfc9ef72', '905e3b1c', '9b769052']);
    stage.engine.setSecret({ state: 'none' });
    await stage.put({ ...retrying(NOW), signature: null });
    await stage.pass(300);
    expect(text()).toContain('Requests are not signed. Add a shared secret to send X-Signature.');
  });

  it('tells why a call was not selected, and what was noted', async () => {
    await stage.put(
      detailOf(
        message({
          receivedAt: NOW,
          state: 'not_selected',
          reason: 'source_destination_off',
          notes: [{ code: 'clock_skew_corrected', detail: '2 min' }],
        }),
        [],
        { sourceName: 'ios-app' },
      ),
    );
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('Not selected. The source ios-app has the destination off.');
    expect(stage.page.querySelector('[aria-label="Notes"]')?.textContent).toContain('corrected');
  });

  it('calls the bytes of a message delivered only when somebody took them', async () => {
    const row = (part: Partial<MessageRow>) => message({ receivedAt: NOW, ...part });
    const replay = replayOf(9, NOW, 'a');
    const cases: Array<[string, MessageRow, AttemptView[], Partial<Detail>]> = [
      ['To be sent', row({ state: 'queued' }), [], {}],
      ['To be sent', row({ state: 'paused' }), [attempt('f', hooks[0]!)], {}],
      ['Delivered', row({ state: 'delivered' }), [attempt('a', hooks[0]!)], {}],
      ['Would be sent', row({ state: 'delivered', reason: 'every_webhook_left_out' }), [], {}],
      ['Would be sent', row({ state: 'not_selected', reason: 'no_webhook' }), [], {}],
      ['Would be sent', row({ state: 'stopped' }), [], {}],
      ['Would be sent', row({ state: 'expired' }), [attempt('r', hooks[0]!)], {}],
      ['Sent', row({ state: 'expired' }), [attempt('r', hooks[0]!), attempt('t', hooks[1]!)], {}],
      ['Delivered', row({ state: 'failed' }), [attempt('d', hooks[0]!)], { replays: [replay] }],
    ];
    for (const [word, of, attempts, part] of cases) {
      await stage.put(detailOf(of, attempts, part));
      await stage.show(shown(1, 'payload'));
      await stage.pass(300);
      const words = [...stage.page.querySelectorAll('[role="radio"]')].map((one) => one.textContent);
      expect([words, of.state, of.reason]).toEqual([['Received', word], of.state, of.reason]);
      await stage.show(null);
    }
  });

  it('has no delivered side for a rejected call, and request facts for what was no call', async () => {
    await stage.put(
      detailOf(
        message({
          receivedAt: NOW,
          state: 'rejected',
          reason: 'invalid_json',
          reasonDetail: 'Unexpected token at line 3, column 17',
        }),
        [],
        {
          callJson: null,
        },
      ),
    );
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('Rejected: the body is not valid JSON. Unexpected token at line 3, column 17.');
    expect([...stage.page.querySelectorAll('[role="radio"]')].map((one) => one.textContent)).toEqual(['Received']);
    expect(text()).toContain('POST /v1/batch');
    expect(text()).toContain('hidden, 26 characters');
  });

  it('shows numbers as they were sent, not as they were parsed', async () => {
    const detail = retrying(NOW);
    await stage.put({ ...detail, callJson: '{"n":12345678901234567890,"z":1.0}' });
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('12345678901234567890');
    expect(text()).toContain('1.0');
  });
});
