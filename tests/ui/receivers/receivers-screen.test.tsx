/**
 * On the real engine. Where a test needs requests, the receivers' worker runs and the test sends them over the loopback
 * interface; elsewhere receivers are off, because their programs can be edited all the same.
 */
import { URL as NodeUrl } from 'node:url';
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { RECEIVER_LIMITS } from '../../../src/contract/receiver-limits.ts';
import { type HitSender, type ReceiverView, receiverEntry } from '../../../src/contract/receivers.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import ReceiversScreen from '../../../src/renderer/screens/receivers/receivers-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { formatRoute, navigate, parseRoute } from '../../../src/renderer/stores/route.ts';
import { rawRequest, sendRaw } from '../../helpers/raw-http.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { takenPort } from '../../helpers/taken-port.ts';
import {
  blur,
  byName,
  click,
  connectEngine,
  disconnect,
  press,
  type Rendered,
  render,
  settle,
  type as typeText,
  until,
} from '../base/harness.tsx';

const SECRET = 'a secret that ends in 12';
const CONFIG: Config = { webhooks: { sharedSecret: SECRET } };

let engine: SimEngine;
let shown: Rendered;
async function open(setup: SimEngineSetup = {}, receiverId: string | null = 'flaky'): Promise<void> {
  engine = await connectEngine({ config: CONFIG, ...setup });
  navigate({ screen: 'receivers', receiverId });
  shown = await render(
    <>
      <ReceiversScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
/** Both listeners work. */
async function openRunning(receiverId: string | null = 'flaky', config = CONFIG): Promise<void> {
  await open({ receivers: true, config }, receiverId);
  await until(() => view().http.state === 'listening' && view().https.state === 'listening');
}
function close(): void {
  shown.unmount();
  disconnect();
}
afterEach(close);

const text = () => document.body.textContent ?? '';
const inputs = (name: string) => engine.calls.filter((one) => one.name === name).map(({ input }) => input);
const view = () => engine.engine.parts.receivers.view();
const receiver = (id: string): ReceiverView => view().entries.find((one) => one.id === id)!;
const statuses = (id: string) =>
  receiver(id).steps.map(({ response, times }) => `${'status' in response ? response.status : response.kind} ${times}`);
const row = (id: string) => document.querySelector<HTMLElement>(`[role="row"][data-id="${id}"]`)!;
const hits = (id: string) => row(id).lastElementChild?.textContent;
const times = (step: number) => byName('input', `Times of step ${step}, empty for ever`);
const grip = (step: number) => byName('button', new RegExp(`^Step ${step}, `));
const requests = () => [...document.querySelectorAll<HTMLElement>('[aria-label="Requests"] li button')];
const dialog = () => document.querySelector('[role="dialog"]')?.textContent ?? '';

/** Posts a signed body to a receiver and returns the status of its answer. */
async function post(id: string, body = JSON.stringify({ type: 'track', event: 'Order Completed' })): Promise<number> {
  const { port } = view().http;
  const head = rawRequest('POST', `/r/${id}`, [
    ['Host', `localhost:${port}`],
    ['User-Agent', 'Hookbench/1.0'],
    ['X-Signature', signatureOf(SECRET, Buffer.from(body))],
    ['Content-Length', String(Buffer.byteLength(body))],
  ]);
  return (await sendRaw(port, head + body)).status;
}
/** As {@link post}, while the screen goes on. */
const send = (...request: Parameters<typeof post>): Promise<number> => act(() => post(...request));

describe('the list', () => {
  it('shows every receiver with its behaviour, verdict and hits, and the first one when none is chosen', async () => {
    await openRunning(null);
    expect([await send('flaky'), await send('flaky'), await send('badsig')]).toEqual([500, 500, 401]);
    await until(() => hits('flaky') === '2' && hits('badsig') === '1');
    expect(text()).toContain(`9 running on localhost:${view().http.port}`);
    expect(row('flaky').textContent).toContain('500 three times, then 200');
    expect(row('flaky').textContent).toContain('Verified');
    expect(row('badsig').textContent).toContain('Mismatch');
    expect(row('tls').textContent).toContain('Never reached');
    expect(row('ok').getAttribute('aria-selected')).toBe('true');
    expect(document.querySelector('aside h2')?.textContent).toBe('Always 200');
  });

  it('is walked with the arrows; Enter goes into the receiver and Escape comes back', async () => {
    await open({}, 'ok');
    row('ok').focus();
    await press(row('ok'), 'ArrowDown');
    expect(row('flaky').getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(row('flaky'));
    await press(row('flaky'), 'End');
    expect(document.activeElement).toBe(row('tls'));
    await press(row('tls'), 'Enter');
    expect((document.activeElement as HTMLElement).dataset.region).toBe('detail');
    await press(document.activeElement as HTMLElement, 'Escape');
    expect(document.activeElement).toBe(row('tls'));
  });

  it('follows hits as they come', async () => {
    await openRunning('ok');
    for (const count of ['1', '2']) {
      expect(await send('ok')).toBe(200);
      await until(() => hits('ok') === count);
    }
  });

  it('has a route for each receiver', () => {
    expect(parseRoute('#/receivers/my-own')).toEqual({ screen: 'receivers', receiverId: 'my-own' });
    expect(parseRoute('#/receivers/../x')).toEqual({ screen: 'receivers', receiverId: null });
    expect(formatRoute({ screen: 'receivers', receiverId: 'ok' })).toBe('#/receivers/ok');
  });
});

describe('the program', () => {
  it('saves a number on Enter, and says what is allowed instead of a wrong one', async () => {
    await openRunning();
    await send('flaky');
    await until(() => text().includes('now at step 1, 2 of 3'));
    await typeText(times(1), '0');
    await press(times(1), 'Enter');
    expect(document.getElementById(times(1).getAttribute('aria-describedby')!)?.textContent).toBe('1 to 10,000');
    expect(inputs('receivers.save')).toEqual([]);
    await typeText(times(1), '7');
    await press(times(1), 'Enter');
    expect(statuses('flaky')).toEqual(['500 7', '200 1']);
    await until(() => text().includes('now at step 1, 1 of 7'));
  });

  it('takes an empty number of times as for ever, and says which steps are then never reached', async () => {
    await open();
    await typeText(times(1), '');
    await blur(times(1));
    expect(statuses('flaky')).toEqual(['500 forever', '200 1']);
    expect(text()).toContain('Step 1 runs for ever, so no later step is reached.');
  });

  it('brings the saved number back on Escape', async () => {
    await open();
    await typeText(times(1), '99');
    await press(times(1), 'Escape');
    expect((times(1) as HTMLInputElement).value).toBe('3');
    expect(inputs('receivers.save')).toEqual([]);
  });

  it('moves a step with Alt and the arrows, keeps the focus on it and says where it went', async () => {
    await open();
    grip(1).focus();
    await press(grip(1), 'ArrowDown', { altKey: true });
    expect(statuses('flaky')).toEqual(['200 1', '500 3']);
    expect(document.activeElement).toBe(grip(2));
    expect(text()).toContain('500 Internal Server Error is step 2 of 2');
    await press(grip(2), 'ArrowDown', { altKey: true });
    expect(inputs('receivers.save')).toHaveLength(1);
  });

  it('moves a step by dragging it', async () => {
    await open();
    const [first, second] = [...document.querySelectorAll('ol > li')];
    await act(async () => {
      for (const [target, type] of [
        [second, 'dragstart'],
        [first, 'dragover'],
        [first, 'drop'],
      ] as const)
        target!.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    });
    await settle();
    expect(statuses('flaky')).toEqual(['200 1', '500 3']);
  });

  it('adds and removes steps, and keeps the last one', async () => {
    await open();
    await click(byName('button', 'Add step'));
    expect(statuses('flaky')).toEqual(['500 3', '200 1', '200 1']);
    await click(byName('button', 'Remove step 1'));
    await click(byName('button', 'Remove step 2'));
    expect(statuses('flaky')).toEqual(['200 1']);
    expect((byName('button', 'Remove step 1') as HTMLButtonElement).disabled).toBe(true);
  });

  it('shows the saved steps again when a save is refused', async () => {
    await open();
    engine.failNext('receivers.save', new ContractError('store_not_writable'));
    await click(byName('button', 'Add step'));
    expect(text()).toContain('Could not save Flaky');
    expect(document.querySelectorAll('ol > li')).toHaveLength(2);
  });

  it('restarts the sequence', async () => {
    await openRunning();
    await send('flaky');
    await until(() => text().includes('now at step 1, 2 of 3'));
    await click(byName('button', 'Restart sequence'));
    await until(() => text().includes('now at step 1, 1 of 3'));
  });
});

describe('the signature check', () => {
  it('is turned off, and told to accept and mark', async () => {
    await open();
    await click(byName('[role="radio"]', 'Accept and mark'));
    expect(receiver('flaky').check).toEqual({ on: true, onMismatch: 'mark', secret: 'shared' });
    await click(byName('[role="switch"]', 'Signature check of Flaky'));
    expect(receiver('flaky').check.on).toBe(false);
    expect(text()).not.toContain('On mismatch');
  });
});

describe('two changes at once', () => {
  it('both hold', async () => {
    await open();
    await act(async () => {
      byName('[role="radio"]', 'Accept and mark').click();
      byName('[role="switch"]', 'Signature check of Flaky').click();
    });
    await settle();
    expect(receiver('flaky').check).toEqual({ on: false, onMismatch: 'mark', secret: 'shared' });
  });
});

describe('a receiver as webhook', () => {
  it('is added with one click and then names its webhook', async () => {
    await openRunning();
    await click(byName('button', 'Use as webhook'));
    expect(inputs('receivers.useAsWebhook')).toEqual([{ id: 'flaky' }]);
    expect(text()).toContain('Used by webhook 1');
    expect(text()).toContain('Added as webhook 1');
  });

  it('says when all five are used', async () => {
    const entries = [1, 2, 3, 4, 5].map((n) => ({
      name: `${n}`,
      url: `http://w${n}.test/`,
      headers: {},
      enabled: true,
    }));
    await openRunning('gone', { webhooks: { ...CONFIG.webhooks, entries } });
    expect((byName('button', 'Use as webhook') as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('a person’s own receivers', () => {
  it('come from a preset in one click, with a name or without', async () => {
    await open();
    await click(byName('button', 'New receiver'));
    await typeText(byName('input', 'Name'), 'My throttler');
    await click(byName('[role="dialog"] button', /^Throttles/));
    expect(inputs('receivers.save').at(-1)).toMatchObject({ name: 'My throttler', tls: false });
    expect(document.querySelector('aside h2')?.textContent).toBe('My throttler');
    await click(byName('button', 'New receiver'));
    await click(byName('[role="dialog"] button', /^Self-signed/));
    expect(inputs('receivers.save').at(-1)).toMatchObject({ name: 'Self-signed', tls: true });
  });

  it('say in the dialog why one could not be added', async () => {
    const entries = Array.from({ length: RECEIVER_LIMITS.receivers }, (_, i) =>
      receiverEntry.parse({ id: `own-${i}`, steps: [{ response: { kind: 'close' } }] }),
    );
    await open({ config: { receivers: { entries } } });
    await click(byName('button', 'New receiver'));
    await click(byName('[role="dialog"] button', /^Closes/));
    expect(dialog()).toContain('All 50 receivers of your own are in use.');
  });
});

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

describe('while receivers do not listen', () => {
  /** A worker that runs this. */
  const worker = (code: string) => new NodeUrl(`data:text/javascript,${encodeURIComponent(code)}`);

  it('a taken port is named with who has it, and the next one takes one click', async () => {
    const port = await takenPort(2);
    await open({ receivers: { port, httpsPort: port + 1 } }, 'ok');
    await until(() => view().https.state === 'listening');
    expect(text()).toContain(`Port ${port} is in use. Receivers are off.`);
    expect(text()).toMatch(new RegExp(`\\S+ \\(process ${process.pid}\\) is listening on 127\\.0\\.0\\.1:${port}\\.`));
    expect(document.querySelector('aside')?.textContent).not.toContain('Copy URL');
    await click(byName('button', `Use ${port + 2}`));
    expect(inputs('receivers.listen')).toEqual([{ port: port + 2 }]);
    await until(() => text().includes(`running on localhost:${port + 2}`));
  });

  it('they are starting, or off for this start', async () => {
    await open({ receivers: { worker: worker('setInterval(() => {}, 1e6)') } }, 'ok');
    expect(row('ok').textContent).toContain('Starting');
    close();
    await open({}, 'ok');
    expect(text()).toContain('Receivers are off for this start.');
    expect(document.querySelector('[role="alert"]')).toBeNull();
  });

  it('one banner says that the worker has ended', async () => {
    await open({ receivers: { worker: worker('throw new Error("Out of memory.")') } }, 'ok');
    await until(() => view().https.state === 'failed');
    expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1);
    expect(text()).toContain('The receivers ended. Out of memory.');
    await click(byName('button', 'Try again'));
    expect(inputs('receivers.listen')).toEqual([{}]);
  });
});
