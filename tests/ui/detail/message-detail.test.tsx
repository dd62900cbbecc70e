import { describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import { reopen, shown, stage, text } from './detail-stage.tsx';
import { answering, answers, CONFIG, ORDER, RETRY, retrying, SOURCES, WEBHOOKS } from './histories.ts';

const HOUR = 3_600_000;
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

  it.each([
    ['by button', () => stage.click('button', 'Replay')],
    ['by key', () => stage.press('r')],
  ])('opens Replay %s', async (_, open) => {
    await retrying(stage);
    await stage.show(shown());
    await open();
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
