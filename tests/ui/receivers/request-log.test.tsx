/** The requests of a receiver, and the dialog of one of them. */
import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { HitSender } from '../../../src/contract/receivers.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate, parseRoute } from '../../../src/renderer/stores/route.ts';
import { byName, click, press, until } from '../base/harness.tsx';
import { close, dialog, engine, hits, openRunning, post, receiver, send, text } from './world.tsx';

const requests = () => [...document.querySelectorAll<HTMLElement>('[aria-label="Requests"] li button')];

describe('the request log', () => {
  it('shows requests newest first, and the whole of one', async () => {
    await openRunning();
    await act(() => Promise.all(Array.from({ length: 93 }, () => post('flaky'))));
    for (const event of ['Cart Viewed', 'Product Added', 'Refund Issued'])
      await send('flaky', JSON.stringify({ type: 'track', event }));
    await until(() => requests().length === 96);
    const labels = requests().map((one) => one.getAttribute('aria-label')!);
    expect(labels[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} 200 Refund Issued Verified, track$/);
    expect(labels.slice(1, 4).map((label) => label.replace(/^\S+ /, ''))).toEqual([
      '500 Product Added Verified, track',
      '500 Cart Viewed Verified, track',
      '500 Order Completed Verified, track',
    ]);
    // Whoever speaks to the page says what is written there.
    for (const [i, request] of requests().entries()) expect(labels[i]).toContain(request.textContent);
    await click(requests()[0]!);
    await until(() => dialog().includes('User-Agent'));
    expect(dialog()).toContain('Answered by the program: 200 OK');
  });

  it('says when the raw bytes verify and the re-serialised body would not', async () => {
    await openRunning();
    await send('flaky', '{"total": 184.50}');
    await until(() => requests().length === 1);
    await click(requests()[0]!);
    await until(() => dialog().includes('the re-serialised body does not'));
  });

  it('has an address for each request, and Escape leaves the receiver as it was', async () => {
    await openRunning();
    await send('flaky');
    await until(() => requests().length === 1);
    await click(requests()[0]!);
    expect(location.hash).toMatch(/^#\/receivers\/flaky\/\d+$/);
    await until(() => dialog().includes('Sent byAnother program, not this Hookbench.'));
    const address = location.hash;
    await press(document.querySelector('[role="dialog"]')!, 'Escape');
    await until(() => document.querySelector('[role="dialog"]') === null);
    expect(location.hash).toBe('#/receivers/flaky');
    (document.activeElement as HTMLElement).blur();
    await act(async () => navigate(parseRoute(address)));
    await until(() => dialog().includes('Order Completed'));
    await press(document.querySelector('[role="dialog"]')!, 'Escape');
    await until(() => document.activeElement === requests()[0]);
    await act(async () => navigate(parseRoute(`#/receivers/flaky/${Number(address.split('/').at(-1)) + 1}`)));
    await until(() => dialog().includes('There is no such request; it may have left the log.'));
    await act(async () => navigate(parseRoute('#/receivers/removed/1')));
    await until(() => dialog().includes('There is no such receiver.'));
  });

  it.each([
    ['None of these requests is kept any more.', 1, (go: () => void) => go()],
    [
      'Could not read the requests.',
      2,
      async () => {
        engine.failNext('receivers.hits', new ContractError('internal'));
        await send('flaky');
      },
    ],
  ])('has placeholders while it is read, then says "%s" and never that there are none', async (said, count, end) => {
    let go = () => {};
    const isRead = new Promise<void>((done) => {
      go = done;
    });
    await openRunning(null);
    await send('flaky');
    await until(() => hits('flaky') === '1');
    engine.answer('receivers.hits', () => isRead.then(() => ({ rows: [], kept: 0, nextBefore: null })));
    await act(async () => navigate(parseRoute('#/receivers/flaky')));
    const log = byName('section', 'Requests');
    expect(log.querySelector('[aria-busy="true"]')).not.toBeNull();
    expect(log.textContent).not.toContain('No requests yet.');
    await until(() => log.querySelectorAll('[data-skeleton="shown"] > div').length === 12);
    expect(log.textContent).toBe('Requests1ClearLoading');
    await end(go);
    await until(() => log.textContent === `Requests${count}Clear${said}`);
    expect(log.querySelector('[aria-busy]')).toBeNull();
  });

  it('reads the requests again that could not be read, once the engine is back', async () => {
    await openRunning(null);
    await send('flaky');
    await until(() => hits('flaky') === '1');
    engine.failNext('receivers.hits', new ContractError('stopped'));
    await act(async () => navigate(parseRoute('#/receivers/flaky')));
    await until(() => byName('section', 'Requests').textContent.includes('Could not read the requests.'));
    await act(async () => useRecords.setState({ connection: 'lost' }));
    await act(async () => useRecords.setState({ connection: 'open' }));
    await until(() => requests().length === 1);
    expect(byName('section', 'Requests').textContent).not.toContain('Could not read');
  });

  it('drops the requests of erased users from an open log', async () => {
    await openRunning();
    const order = (userId: string) => JSON.stringify({ type: 'track', event: `Order of ${userId}`, userId });
    for (const userId of ['anna', 'bert', 'anna']) await send('flaky', order(userId));
    await until(() => requests().length === 3);
    await act(async () => void call('deletions.create', { userIds: ['anna'], erase: true }));
    await until(() => requests().length === 1);
    expect(requests()[0]!.textContent).toContain('Order of bert');
    expect(byName('section', 'Requests').textContent).toContain('Requests31 kept');
  });

  it('says of an address from before a restart that its log is gone, and leads on', async () => {
    await openRunning();
    await send('flaky');
    await until(() => requests().length === 1);
    await click(requests()[0]!);
    await until(() => dialog().includes('Sent by'));
    const address = location.hash;
    close();
    await openRunning(null);
    await send('flaky');
    await until(() => receiver('flaky').hits === 1);
    await act(async () => navigate(parseRoute(address)));
    await until(() => dialog().includes('This request came before the receivers were started.'));
    expect(dialog()).toContain('They keep requests only until Hookbench stops.');
    expect(byName('a', 'What Hookbench sent is in the live stream').getAttribute('href')).toBe('#/live');
    await click(byName('button', 'Show the receiver'));
    await until(() => document.querySelector('[role="dialog"]') === null);
    expect(location.hash).toBe('#/receivers/flaky');
    expect(requests()).toHaveLength(1);
  });

  const ATTEMPT = {
    id: 34,
    messageId: 12,
    type: 'track',
    name: 'Order Completed',
    webhookId: 1,
    url: 'http://a.test/',
  };
  it.each<[HitSender, string, string | null]>([
    [
      { by: 'attempt', attempt: { ...ATTEMPT, number: 2, webhookName: 'CRM sync' } },
      'Attempt 2 of Order Completed to CRM sync',
      '#/live/12/attempts/34',
    ],
    [
      { by: 'attempt', attempt: { ...ATTEMPT, number: null, name: '', webhookName: '' } },
      'A replay of track to http://a.test/',
      '#/live/12/attempts/34',
    ],
    [{ by: 'removed' }, 'An attempt of a message that is no longer stored.', null],
    [{ by: 'unknown' }, 'Not known any more. Receivers remember the attempts of their newest requests only.', null],
  ])('names the sender %j', async (sender, words, href) => {
    await openRunning();
    engine.amend('receivers.hit', (hit) => ({ ...hit, sender }));
    await send('flaky');
    await until(() => requests().length === 1);
    await click(requests()[0]!);
    await until(() => dialog().includes('Answered by'));
    const said = [...document.querySelectorAll('[role="dialog"] dt')].find((dt) => dt.textContent === 'Sent by');
    expect(said?.nextElementSibling?.textContent).toBe(words);
    expect(said?.nextElementSibling?.querySelector('a')?.getAttribute('href') ?? null).toBe(href);
  });

  it('says in the dialog that a request has left the log', async () => {
    await openRunning();
    await send('flaky');
    await until(() => requests().length === 1);
    // The window is told 100 simulated ms later.
    await act(() => engine.engine.parts.receivers.clear('flaky'));
    await click(requests()[0]!);
    await until(() => dialog().includes('it may have left the log'));
  });

  it('is cleared', async () => {
    await openRunning();
    await send('flaky');
    await until(() => requests().length === 1);
    await click(byName('button', 'Clear'));
    await until(() => text().includes('No requests yet.'));
  });

  it('shows no cleared request again while the first new one is read', async () => {
    await openRunning();
    for (const count of ['1', '2', '3']) {
      await send('flaky');
      await until(() => hits('flaky') === count);
    }
    await until(() => requests().length === 3);
    engine.answer('receivers.hits', () => new Promise(() => {}));
    await click(byName('button', 'Clear'));
    await until(() => text().includes('No requests yet.'));
    await send('flaky');
    await until(() => hits('flaky') === '1');
    expect(requests()).toHaveLength(0);
    expect(text()).not.toContain('No requests yet.');
  });
});
