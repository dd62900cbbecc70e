import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { DEFAULT_RETRY } from '../../../src/core/model/vocabulary.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import {
  answering,
  answers,
  CONFIG,
  KEY,
  ONE_WEBHOOK,
  ORDER,
  PHASES,
  RETRY,
  retrying,
  SOURCES,
  SPEED,
  WEBHOOKS,
} from './histories.ts';
import { openStage, type Stage } from './mount.tsx';
import { hooks, KINDS } from './scenes.ts';

const HOUR = 3_600_000;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());
/** Starts anew with another config. */
const reopen = async (config: Config) => {
  await stage.close();
  stage = await openStage({ config });
};

const noClose = () => {};
const shown = (id = 1, tab: 'attempts' | 'payload' = 'attempts', onClose = noClose) => (
  <MessageDetail id={id} tab={tab} full={false} onClose={onClose} />
);
/** Another window asks for it. */
const retryNow = () => stage.tell('messages.retryNow', { id: 1 });
const text = () => stage.page.textContent ?? '';
const disabled = (name: string) => (stage.find('button', name) as HTMLButtonElement | undefined)?.disabled;

describe('message detail', () => {
  it('explains a waiting message, with the time left and both ways out', async () => {
    await retrying(stage);
    await stage.show(shown());
    expect(text()).toContain('Retrying. Round 8 in 0:1');
    expect(text()).toContain('Seven rounds failed on every webhook. Expires at 4 h if none succeeds.');
    expect(disabled('Retry now')).toBe(false);
    expect(disabled('Stop')).toBe(false);
  });

  it('sends retry now and takes the answer at once', async () => {
    await retrying(stage);
    answering(stage, 's', 's', 's', 's');
    await stage.show(shown());
    await stage.click('button', 'Retry now');
    expect(stage.calls('messages.retryNow')).toEqual([{ id: 1 }]);
    expect(stage.find('button', 'Retry now')).toBeUndefined();
    expect(text()).toContain('Delivering');
  });

  it('stops the retries and says so', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.click('button', 'Stop');
    expect(stage.calls('messages.stop')).toEqual([{ id: 1 }]);
    expect(text()).toContain('You stopped the retries after 7 rounds. You can still replay it.');
    expect(stage.find('button', 'Stop')).toBeUndefined();
  });

  const hold = (paused: boolean) => stage.tell('destination.save', { paused });
  const stop = () => stage.tell('messages.stop', { id: 1 });
  it.each([
    ['delivered', false, false, () => stage.post(ORDER)],
    [
      'failed',
      false,
      false,
      async () => {
        answering(stage, 'd', 'd', 'd', 'd');
        await stage.post(ORDER);
      },
    ],
    [
      'expired',
      false,
      false,
      async () => {
        await stage.tell('destination.save', { retry: { ...RETRY, windowMs: 0 } });
        answering(stage, 'f', 'f', 'f', 'f');
        await stage.post(ORDER);
      },
    ],
    ['stopped', false, false, () => retrying(stage).then(stop)],
    ['rejected', false, false, () => stage.post({ event: 'Of nobody' })],
    ['not_selected', false, false, () => stage.post({ ...ORDER, integrations: { All: false } })],
    ['queued', false, true, () => hold(true).then(() => stage.post(ORDER))],
    [
      'delivering',
      false,
      true,
      async () => {
        answering(stage, 's', 's', 's', 's');
        await stage.post(ORDER);
      },
    ],
    [
      'waiting',
      false,
      true,
      async () => {
        // The senders of the first webhook are taken.
        answering(stage, 's', 'd', 'd', 'd');
        const batch = Array.from({ length: 16 }, () => ({ type: 'track', userId: 'u', event: 'Before' }));
        await stage.post({ batch }, '/v1/batch');
        await stage.post(ORDER);
      },
    ],
    [
      'paused',
      false,
      true,
      async () => {
        await hold(true);
        await stage.post(ORDER);
        for (const { id, name, url } of useRecords.getState().webhooks)
          await stage.tell('webhooks.save', { id, name, url, enabled: false, headers: [] });
        await hold(false);
      },
    ],
    ['retrying', true, true, () => retrying(stage)],
  ] as const)('offers in the state %s: retry now %s, stop %s', async (state, retryNow, stop, make) => {
    await make();
    const { rows } = await stage.tell('messages.list', { filter: {}, limit: 1 });
    expect(rows[0]?.state).toBe(state);
    const stops = stage.calls('messages.stop').length;
    await stage.show(shown(rows[0]!.id));
    expect(stage.find('button', 'Retry now') !== undefined).toBe(retryNow);
    expect(stage.find('button', 'Stop') !== undefined).toBe(stop);
    await stage.press('R', { shiftKey: true });
    await stage.press('s');
    expect(stage.calls('messages.retryNow')).toHaveLength(retryNow ? 1 : 0);
    if (!stop) expect(stage.calls('messages.stop')).toHaveLength(stops);
  });

  it('gives the reason of a rejected message, and opens it in Replay as well', async () => {
    await stage.post({ ...ORDER, properties: { text: 'x'.repeat(42_000) } });
    await stage.show(shown());
    expect(text()).toContain('Rejected: this call is 41.2 KB. The limit is 32 KB per call.');
    expect(disabled('Replay')).toBe(false);
    await stage.press('r');
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: 1 });
  });

  it('opens Replay by button and by key', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.press('r');
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: 1 });
  });

  it('says when a message was never tried', async () => {
    await stage.tell('destination.save', { paused: true });
    await stage.post(ORDER);
    await stage.pass(1_900);
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
    await reopen({ ...CONFIG, storage: { maxAgeDays: 0.01 } });
    await stage.post(ORDER);
    await stage.post({ ...ORDER, messageId: 'the newest' });
    await stage.show(shown());
    expect(text()).toContain('Delivered');
    await stage.skip(HOUR);
    await stage.pass();
    expect(text()).toContain('This message was removed, by the storage limits or by hand.');
  });

  it('says when it cannot be read, and reads it on demand', async () => {
    await retrying(stage);
    stage.engine.failNext('messages.get', new ContractError('internal'));
    await stage.show(shown());
    expect(text()).toContain('The message could not be read.');
    await stage.click('button', 'Try again');
    expect(text()).toContain('Retrying. Round 8');
  });

  it('shows new attempts when the row changes, asking at most once in a quarter of a second', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.pass(1000);
    const calls = () => stage.calls('messages.attempts').length + stage.calls('messages.get').length;
    const asked = calls();
    answering(stage, 'a');
    await retryNow();
    // Every repeat of the call changes its row.
    for (let n = 0; n < 3; n += 1) {
      await act(async () => void (await stage.engine.post('/v1/track', ORDER, KEY)));
      await stage.pass(0);
    }
    await stage.pass(100);
    await stage.pass(250);
    await stage.pass(250);
    expect(calls() - asked).toBe(2);
    expect(text()).toContain('Delivered by CRM sync in round 8');
    expect(text()).toContain('Round 8');
  });

  it('asks for an open attempt until it has ended, and counts up meanwhile', async () => {
    await reopen(ONE_WEBHOOK);
    stage.engine.transport.on(hooks[0]!.url, answers('a', { afterMs: 1_500, durationMs: 1_500 }));
    await stage.post(ORDER);
    await stage.show(shown());
    await stage.pass(1_250);
    expect(text()).toMatch(/1\.[34] s/);
    const asked = stage.calls('messages.attempts').length;
    expect(asked).toBeGreaterThan(1);
    await stage.pass(1_000);
    const ended = stage.calls('messages.attempts').length;
    await stage.pass(5000);
    expect(stage.calls('messages.attempts').length).toBe(ended);
    expect(text()).toContain('1.50 s');
  });

  it('opens an attempt to its request, timing and reason', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(stage.page.querySelector('[data-attempt]')?.getAttribute('aria-expanded')).toBe('true');
    expect(text()).toContain('Failed with 503 Service Unavailable.');
    expect(text()).toContain('Wait for response');
    expect(text()).toContain('https://crm.acme.test/hooks/segment');
    expect(stage.calls('attempts.bodies')).toHaveLength(1);
  });

  it('goes through attempts with the bracket keys', async () => {
    await retrying(stage);
    const { attempts } = await stage.tell('messages.attempts', { id: 1 });
    await stage.show(shown());
    await stage.press('[');
    const last = attempts.at(-1)!;
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(last.id));
    await stage.press('[');
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(attempts.at(-2)!.id));
    await stage.press(']');
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(last.id));
  });

  it('copies curl with a variable for a hidden value, and with the value only when asked for it', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (copied: string) => void written.push(copied) },
    });
    const entries = [{ ...WEBHOOKS.entries![0]!, headers: { 'X-Access': 'the-access' } }];
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, entries } });
    try {
      answering(stage, 'd');
      await stage.post(ORDER);
      await stage.show(shown());
      await stage.clickFirst('[data-attempt]');
      await stage.click('button', 'Copy as curl: this attempt');
      await stage.click('button', 'Copy with secrets as curl: this attempt');
      expect(written).toEqual([
        expect.stringContaining(`-H 'X-Access: '"\${HEADER_X_ACCESS:?`),
        expect.stringContaining(`-H 'X-Access: the-access'`),
      ]);
      expect(stage.page.innerHTML).not.toContain('the-access');
      stage.engine.failNext('webhooks.headerValue', new ContractError('app_only'));
      await stage.click('button', 'Copy with secrets as curl: this attempt');
      expect(written).toHaveLength(2);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('shows hostile text as text', async () => {
    const evil = HOSTILE_NAMES[0]!;
    const [hook, ...others] = WEBHOOKS.entries!;
    await reopen({
      ...CONFIG,
      sources: [{ ...SOURCES![0]!, name: evil }],
      webhooks: { ...WEBHOOKS, entries: [{ ...hook!, name: evil }, ...others] },
    });
    const headers = [[evil, evil]] as const;
    const told = { statusText: evil, detail: evil, requestHeaders: headers, responseHeaders: headers, body: evil };
    stage.engine.transport.on(hook!.url, answers('d', told));
    answering(stage);
    await stage.post({ ...ORDER, event: evil });
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(stage.page.querySelector('script, img, iframe')).toBeNull();
    expect(stage.page.querySelector('h2')?.textContent).toBe(evil);
  });

  it('shows hidden characters as boxed code points', async () => {
    await stage.post({ ...ORDER, event: 'Pay\u202Efdp.exe' });
    await stage.show(shown());
    expect(stage.page.querySelector('h2')?.textContent).toBe('PayU+202Efdp.exe');
  });

  it('lists replays apart from rounds and marks them', async () => {
    await retrying(stage);
    answering(stage, 'a', 'a', '5');
    await stage.tell('replay.send', { id: 1, webhookIds: [1, 2, 3] });
    await stage.show(shown());
    const replays = stage.page.querySelector('[aria-label="Replays"]');
    expect(replays?.textContent).toContain('2 of 3 accepted');
    expect(stage.find('tab', /^Attempts/)?.textContent).toBe('Attempts28');
  });

  it('gives the chart as a sentence and as a table', async () => {
    await retrying(stage);
    await stage.show(shown());
    expect(stage.page.querySelector('[role="img"][aria-label^="Seven rounds"]')?.getAttribute('aria-label')).toBe(
      'Seven rounds of attempts on 4 webhooks over 10 min 30 s; none succeeded. Next round at 21 min 10 s. The message expires at 4 h.',
    );
    await stage.click('button', 'View as table');
    expect(stage.page.querySelectorAll('tbody tr')).toHaveLength(28);
  });

  it("lists the rounds of the engine's schedule, clock time and real time apart", async () => {
    await retrying(stage);
    await stage.show(shown());
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule7 rounds, \d+ more planned$/);
    await stage.click('button', /^Schedule/);
    const rows = [...stage.page.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => cell.textContent),
    );
    expect(rows[0]?.slice(0, 2)).toEqual(['1', 'at once']);
    expect(rows[6]?.slice(0, 2)).toEqual(['7', '+10 min 30 s']);
    expect(rows[7]?.slice(0, 2)).toEqual(['8', '+21 min 10 s']);
    expect(rows[7]?.[2]).toMatch(/^\d\d:\d\d:\d\d, due in 0:1\d/);
    expect(rows.at(-1)?.slice(0, 2)).toEqual(['Window ends', '+4 h']);
  });

  it('says that at least so many rounds are planned where the drawing ends before the window does', async () => {
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, retry: { ...RETRY, baseMs: 60_000, factor: 1 } } });
    answering(stage, 'f', 'f', 'f', 'f');
    await stage.post(ORDER);
    await stage.skip((6 * 60_000) / SPEED);
    await stage.show(shown());
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule7 rounds, at least \d+ more planned$/);
  });

  it('fetches the new schedule when the message moved, and drops planned rounds once it is final', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    const table = () => stage.page.querySelector('[aria-label="Schedule as a table"]')?.textContent ?? '';
    const planned = () =>
      Number(/, (\d+) more planned/.exec(stage.find('button', /^Schedule/)?.textContent ?? '')?.[1]);
    const before = planned();
    await retryNow();
    await stage.pass(300);
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule8 rounds/);
    expect([before, planned()]).toEqual([11, 11]);
    await stage.tell('messages.stop', { id: 1 });
    await stage.pass(300);
    expect(stage.find('button', /^Schedule/)?.textContent).toBe('Schedule8 rounds');
    expect(table()).not.toContain('due');
    expect(table()).not.toContain('Window ends');
  });

  it('counts nothing down while the clock is paused or delivery is', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    await stage.tell('clock.pause', null);
    expect(text()).toContain('Retrying. Round 8, clock paused');
    expect(text()).toContain('due, clock paused');
    expect(text()).not.toMatch(/due \d|in \d+:\d\d|Infinity|NaN|Invalid/);
    await stage.tell('clock.resume', null);
    await stage.tell('destination.save', { paused: true });
    expect(text()).toContain('due, delivery paused');
    expect(text()).toContain('Retrying. Round 8, delivery paused');
    expect(text()).toContain('Delivery is paused by you. Resume it to go on.');
  });

  it('draws the phases of an attempt one after the other, with the limit and what is outside it', async () => {
    await retrying(stage);
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
    const phases = { ...PHASES, dnsMs: null, tcpMs: null, tlsMs: null, certificateMs: null };
    stage.engine.transport.on(hooks[0]!.url, answers('d', { phases }));
    await stage.post(ORDER);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(text()).toContain('Sent on a kept connection, so there was no lookup, connect or handshake.');
  });

  it('opens a refused certificate and keeps a trusted one folded', async () => {
    answering(stage, '', 'd', 'd', 'r');
    stage.engine.transport.on(hooks[0]!.url, answers('d', { certificate: KINDS.r.certificate! }));
    await stage.post(ORDER);
    const { attempts } = await stage.tell('messages.attempts', { id: 1 });
    await stage.show(shown());
    await stage.clickFirst(`[data-attempt="${attempts.at(-4)!.id}"]`);
    expect(text()).toContain('Certificate trusted, valid to 13 Jan 2031');
    expect(text()).not.toContain('SHA-256');
    await stage.click('button', 'View certificate');
    expect(text()).toContain('SHA-256');
    await stage.clickFirst(`[data-attempt="${attempts.at(-4)!.id}"]`);
    await stage.clickFirst(`[data-attempt="${attempts.at(-1)!.id}"]`);
    expect(text()).toContain('Refused: self-signed');
    expect(text()).toContain('SHA-256');
  });

  it('compares with another profile: verdict, requests, each attempt', async () => {
    const entries = WEBHOOKS.entries!.slice(0, 2);
    await reopen({ sources: SOURCES, webhooks: { ...WEBHOOKS, entries, retry: DEFAULT_RETRY } });
    answering(stage, 'f', 't');
    await stage.post(ORDER);
    await retryNow();
    await stage.show(shown());
    await stage.click('button', /^With other delivery rules/);
    const compared = () =>
      [...stage.page.querySelectorAll('[aria-label="Attempts with other delivery rules"] tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent),
      );
    expect(text()).toContain('Classic as coded: The same: retrying after 2 rounds.');
    expect(text()).toContain('Segment.io/1.0');
    expect(compared()).toEqual([
      ['1', 'CRM sync', 'Failed 503', 'the same'],
      ['1', 'Warehouse loader', 'Timed out', 'the same'],
      ['2', 'CRM sync', 'Failed 503', 'the same'],
      ['2', 'Warehouse loader', 'Timed out', 'the same'],
    ]);
    expect(text()).not.toContain('The histories part');
    const select = stage.page.querySelector('select')!;
    await act(async () => {
      select.value = 'actions';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await stage.pass();
    expect(text()).toContain('Actions as coded: Not known after round 1.');
    expect(compared().slice(0, 2)).toEqual([
      ['1', 'CRM sync', 'Failed 503', 'the same'],
      ['1', 'Warehouse loader', 'Timed out', 'not knownIt would have had 10 s.'],
    ]);
    expect(text()).toContain('The histories part after round 1');
  });

  it('says when profiles could not be compared', async () => {
    await retrying(stage);
    await stage.show(shown());
    stage.engine.failNext('messages.underProfile', new ContractError('internal'));
    await stage.click('button', /^With other delivery rules/);
    expect(text()).toContain('Could not compare.');
    await stage.click('button', 'Try again');
    expect(text()).toContain('Only the times between rounds may differ.');
  });

  it('moves between its tabs by number keys and tells the route', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.press('2');
    expect(useRouteStore.getState().route).toMatchObject({ screen: 'live', messageId: 1, tab: 'payload' });
    await stage.press('3');
    expect(useRouteStore.getState().route).toMatchObject({ tab: 'compare' });
    await stage.press('4');
    expect(useRouteStore.getState().route).toMatchObject({ tab: 'signature' });
    await stage.press('5');
    expect(useRouteStore.getState().route).toMatchObject({ tab: 'raw' });
    await stage.press('6');
    expect(useRouteStore.getState().route).toMatchObject({ tab: 'raw' });
  });

  it('closes on Escape, but not from a field', async () => {
    let closed = 0;
    await retrying(stage);
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
    const [crm, loader] = WEBHOOKS.entries!;
    const old = { ...crm!, name: 'Old CRM', url: 'http://old.test/' };
    const gone = { ...crm!, name: 'Gone' };
    await reopen({ sources: SOURCES, webhooks: { ...WEBHOOKS, entries: [old, loader!, gone] } });
    for (const { url } of [old, loader!, gone]) stage.engine.transport.on(url, answers('f'));
    await stage.post(ORDER);
    await stage.tell('webhooks.save', { ...crm!, id: 1, headers: [] });
    await stage.tell('webhooks.save', { ...loader!, id: 2, enabled: false, headers: [] });
    await stage.tell('webhooks.remove', { id: 3 });
    await retryNow();
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
    await retrying(stage);
    await stage.show(shown(1, 'payload'));
    await stage.click('radio', 'To be sent');
    expect(text()).toContain('Exactly these bytes go to every webhook, in every attempt. None has accepted them yet.');
    const groups = [...stage.page.querySelectorAll('[aria-label="X-Signature"] p:first-of-type span')].map(
      (one) => one.textContent,
    );
    const sent = new Map(stage.engine.transport.sent[0]!.headers).get('X-Signature');
    expect(groups).toEqual(sent?.match(/.{8}/g));
    expect(groups).toHaveLength(5);
    await stage.tell('destination.setSecret', { secret: null });
    await stage.pass(300);
    expect(text()).toContain('Requests are not signed. Add a shared secret to send X-Signature.');
  });

  it('tells why a call was not selected, and what was noted', async () => {
    await reopen({ ...CONFIG, sources: [{ ...SOURCES![0]!, name: 'ios-app', webhooks: false }] });
    const aheadMs = 2 * 60_000;
    const sentAt = new Date(Date.now() + aheadMs).toISOString();
    await stage.post({ ...ORDER, timestamp: sentAt, sentAt });
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('Not selected. The source ios-app has the destination off.');
    expect(stage.page.querySelector('[aria-label="Notes"]')?.textContent).toContain('corrected');
  });

  it('has no delivered side for a rejected call, and request facts for what was no call', async () => {
    await stage.post(`{\n  "batch": [\n    {"type": oops}]}`, '/v1/batch', { Cookie: 'session=01234567890123456x' });
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('Rejected: the body is not valid JSON. Unexpected token at line 3, column 14.');
    expect([...stage.page.querySelectorAll('[role="radio"]')].map((one) => one.textContent)).toEqual(['Received']);
    expect(text()).toContain('POST /v1/batch');
    expect(text()).toContain('hidden, 26 characters');
  });

  it('shows numbers as they were sent, not as they were parsed', async () => {
    await stage.post('{"userId":"u","event":"Counted","properties":{"n":12345678901234567890,"z":1.0}}');
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('12345678901234567890');
    expect(text()).toContain('1.0');
  });
});
