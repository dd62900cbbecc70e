/** What a receiver answers: the steps of its program and its signature check. */
import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { blur, byName, click, press, settle, type as typeText, until } from '../base/harness.tsx';
import { engine, inputs, open, openRunning, receiver, send, text } from './world.tsx';

const statuses = (id: string) =>
  receiver(id).steps.map(({ response, times }) => `${'status' in response ? response.status : response.kind} ${times}`);
const times = (step: number) => byName('input', `Times of step ${step}, empty for ever`);
const grip = (step: number) => byName('button', new RegExp(`^Step ${step}, `));

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
