import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { ReceiverView } from '../../../src/contract/receivers.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import ReceiversScreen from '../../../src/renderer/screens/receivers/receivers-screen.tsx';
import { formatRoute, navigate, parseRoute } from '../../../src/renderer/stores/route.ts';
import type { FakeEngine, FakeOptions } from '../../helpers/fake-engine.ts';
import {
  blur,
  byName,
  click,
  connectFake,
  disconnectFake,
  press,
  type Rendered,
  render,
  settle,
  type as typeText,
} from '../base/harness.tsx';

let engine: FakeEngine;
let shown: Rendered;
async function open(options: FakeOptions = {}, receiverId: string | null = 'flaky'): Promise<void> {
  engine = await connectFake(options);
  navigate({ screen: 'receivers', receiverId });
  shown = await render(
    <>
      <ReceiversScreen />
      <ToastRegion />
    </>,
  );
  await later();
}
/** The log asks for its rows in a task of its own. */
const later = async (): Promise<void> => {
  await act(async () => new Promise((done) => setTimeout(done, 0)));
  await settle();
};
afterEach(() => {
  shown.unmount();
  disconnectFake();
});

const text = () => document.body.textContent ?? '';
const inputs = (name: string) => engine.calls.filter((one) => one.name === name).map(({ input }) => input);
const receiver = (id: string): ReceiverView => engine.receivers.view().entries.find((one) => one.id === id)!;
const statuses = (id: string) =>
  receiver(id).steps.map(({ response, times }) => `${'status' in response ? response.status : response.kind} ${times}`);
const row = (id: string) => document.querySelector<HTMLElement>(`[role="row"][data-id="${id}"]`)!;
const times = (step: number) => byName('input', `Times of step ${step}, empty for ever`);
const grip = (step: number) => byName('button', new RegExp(`^Step ${step}, `));

describe('the list', () => {
  it('shows every receiver with its behaviour, verdict and hits, and the first one when none is chosen', async () => {
    await open({}, null);
    expect(text()).toContain('9 running on localhost:8766');
    expect(row('flaky').textContent).toContain('500 three times, then 200');
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
    await open({}, 'ok');
    engine.receivers.receive('ok');
    await settle();
    expect(row('ok').textContent).toContain('419');
  });

  it('has a route for each receiver', () => {
    expect(parseRoute('#/receivers/my-own')).toEqual({ screen: 'receivers', receiverId: 'my-own' });
    expect(parseRoute('#/receivers/../x')).toEqual({ screen: 'receivers', receiverId: null });
    expect(formatRoute({ screen: 'receivers', receiverId: 'ok' })).toBe('#/receivers/ok');
  });
});

describe('the program', () => {
  it('saves a number on Enter, and says what is allowed instead of a wrong one', async () => {
    await open();
    expect(text()).toContain('now at step 1, 2 of 3');
    await typeText(times(1), '0');
    await press(times(1), 'Enter');
    expect(document.getElementById(times(1).getAttribute('aria-describedby')!)?.textContent).toBe('1 to 10,000');
    expect(inputs('receivers.save')).toEqual([]);
    await typeText(times(1), '7');
    await press(times(1), 'Enter');
    expect(statuses('flaky')).toEqual(['500 7', '200 1']);
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
    await open();
    await click(byName('button', 'Restart sequence'));
    expect(text()).toContain('now at step 1, 1 of 3');
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

describe('a receiver as webhook', () => {
  it('is added with one click and then names its webhook', async () => {
    await open({ fresh: true });
    await click(byName('button', 'Use as webhook'));
    expect(inputs('receivers.useAsWebhook')).toEqual([{ id: 'flaky' }]);
    expect(text()).toContain('Used by webhook 1');
    expect(text()).toContain('Added as webhook 1');
  });

  it('says when all five are used', async () => {
    await open({}, 'gone');
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
    await open();
    engine.failNext('receivers.save', new ContractError('too_many_receivers'));
    await click(byName('button', 'New receiver'));
    await click(byName('[role="dialog"] button', /^Closes/));
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain(
      'All 50 receivers of your own are in use.',
    );
  });
});

describe('the request log', () => {
  it('shows requests newest first, and the whole of one', async () => {
    await open();
    const rows = [...document.querySelectorAll<HTMLElement>('[aria-label="Requests"] li button')];
    expect(rows).toHaveLength(96);
    expect(rows[0]!.getAttribute('aria-label')).toMatch(/^\d\d:\d\d:\d\d, 200, track .+, verified$/);
    await click(rows[0]!);
    const dialog = document.querySelector('[role="dialog"]')!;
    expect(dialog.textContent).toContain('Answered by the program: 200 OK');
    expect(dialog.textContent).toContain('User-Agent');
  });

  it('says when the raw bytes verify and the re-serialised body would not', async () => {
    await open();
    const rows = [...document.querySelectorAll<HTMLElement>('[aria-label="Requests"] li button')];
    await click(rows[96 - 91]!);
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('the re-serialised body does not');
  });

  it('says in the dialog that a request has left the log', async () => {
    await open();
    engine.failNext('receivers.hit', new ContractError('hit_not_found'));
    await click(document.querySelector<HTMLElement>('[aria-label="Requests"] li button')!);
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('it may have left the log');
  });

  it('is cleared', async () => {
    await open();
    await click(byName('button', 'Clear'));
    expect(text()).toContain('No requests yet.');
  });
});

describe('while receivers do not listen', () => {
  it('a taken port is named with who has it, and the next one takes one click', async () => {
    await open({}, 'ok');
    engine.receivers.setListeners({ http: { state: 'port_in_use', holder: 'node (process 48213)' } });
    await settle();
    expect(text()).toContain('Port 8766 is in use. Receivers are off.');
    expect(text()).toContain('node (process 48213) is listening on 127.0.0.1:8766.');
    expect(document.querySelector('aside')?.textContent).not.toContain('Copy URL');
    await click(byName('button', 'Use 8768'));
    expect(inputs('receivers.listen')).toEqual([{ port: 8768 }]);
    expect(text()).toContain('running on localhost:8768');
  });

  it('they are starting, or off for this start', async () => {
    await open({ fresh: true }, 'ok');
    engine.receivers.setListeners({ http: { state: 'starting' }, https: { state: 'starting' } });
    await settle();
    expect(row('ok').textContent).toContain('Starting');
    engine.receivers.setListeners({ http: { state: 'off', message: 'Receivers are off for this start.' } });
    await settle();
    expect(text()).toContain('Receivers are off for this start.');
    expect(document.querySelector('[role="alert"]')).toBeNull();
  });

  it('one banner says that the worker has ended', async () => {
    await open({}, 'ok');
    const failed = { state: 'failed', message: 'The receivers ended. Out of memory.' } as const;
    engine.receivers.setListeners({ http: failed, https: failed });
    await settle();
    expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1);
    await click(byName('button', 'Try again'));
    expect(inputs('receivers.listen')).toEqual([{}]);
  });
});
