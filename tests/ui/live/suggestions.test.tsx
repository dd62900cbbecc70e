import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { click, focus, press, settle, settled, type as typeText, until } from '../base/harness.tsx';
import { engine, KEY, open, search, text, track } from './world.tsx';

const options = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const values = () => options().map((option) => option.textContent);
const active = () => options().find((option) => option.getAttribute('aria-selected') === 'true');
const field = () => search() as HTMLInputElement;
const MARKS = ['dropped', 'silent', 'noted', 'repeated', 'replayed'];
const typed = async (words: string) => {
  await focus(search());
  await typeText(field(), words);
  await settle();
};

describe('suggestions of the filter field', () => {
  it('are the values that match with their counts, and the others in a line', async () => {
    await open();
    await typed('status:');
    expect(values().slice(0, 3)).toEqual(['Retrying20', 'Delivered20', 'Failed20']);
    expect(text()).toContain('in the 60 that match so far');
    expect(text()).toContain('None of these: Rejected, Not selected');
    expect(active()?.textContent).toBe('Retrying20');
    expect(field().getAttribute('aria-activedescendant')).toBe(active()?.id);
  });

  it('are counted within the other tokens', async () => {
    await open();
    await typed('type:track ');
    await typed('status:');
    expect(text()).toContain('in the 30 that match so far');
    expect(values().slice(0, 3)).toEqual(['Retrying10', 'Delivered10', 'Failed10']);
  });

  it('of each kind have their numbers within the other tokens', async () => {
    await open();
    await typed('type:');
    await until(() => values()[0] === 'identify30');
    expect(values()).toEqual(expect.arrayContaining(['track30', 'identify30']));
    expect(text()).toContain('in the 60 that match so far');
    await typed('type:track ');
    // The key alone is counted already, so that the numbers are there with the colon.
    await typed('code');
    await settle();
    await typed('code:');
    expect(values().slice(0, 6)).toEqual(['2xx10', '4xx10', '5xx10', '20010', '41010', '50310']);
    expect(text()).toContain('None of these: 3xx');
    await typed('hook:');
    await until(() => values()[0] === '1CRM sync30');
    await typed('hook:1=');
    await until(() => values().includes('1=accepted10'));
    await typed('source:');
    await until(() => values().includes('web30'));
  });

  it('are the events of the store, with the tokens that find them', async () => {
    await open();
    await typed('event:');
    await until(() => values().includes('"Order Completed"30'));
    await typed('event:ord');
    expect(values().filter((value) => /\d$/.test(value ?? ''))).toEqual(['"Order Completed"30']);
    await press(field(), 'ArrowDown');
    await press(field(), 'Enter');
    expect(liveStream.snapshot().query.terms).toEqual([{ key: 'event', values: ['Order Completed'] }]);
    await until(() => liveStream.snapshot().matching === 30);
  });

  it('stay in their places when their numbers come late, also those that match nothing', async () => {
    await open();
    let answer = (_: unknown): void => {};
    engine.answer('messages.values', () => new Promise((resolve) => (answer = resolve)));
    await typed('is:');
    expect(values().slice(0, 6)).toEqual([...MARKS, 'hook:3a webhook; hook:3=timeout for its last result']);
    const ends = { scannedTo: 1, more: false, newest: 60, oldest: 1, total: 60 };
    await act(() => engine.pass(1_000));
    answer({ counts: [['replayed', 3]], ...ends });
    await settle();
    expect(values().slice(0, 5)).toEqual(['dropped0', 'silent0', 'noted0', 'repeated0', 'replayed3']);
    expect(text()).not.toContain('None of these');
    await typed('is:re');
    expect(values().slice(0, 2)).toEqual(['replayed3', 'hook:3a webhook; hook:3=timeout for its last result']);
    expect(text()).toContain('None of these: repeated');
  });

  it('are ordered by numbers that come soon', async () => {
    await open();
    let answer = (_: unknown): void => {};
    engine.answer('messages.values', () => new Promise((resolve) => (answer = resolve)));
    await typed('is:');
    answer({ counts: [['replayed', 3]], scannedTo: 1, more: false, newest: 60, oldest: 1, total: 60 });
    await settle();
    expect(values()[0]).toBe('replayed3');
    expect(text()).toContain('None of these: dropped, silent, noted, repeated');
  });

  it('show no number before all is counted', async () => {
    await open();
    engine.answer('messages.values', ({ before }: { before?: number }) =>
      before === undefined
        ? { counts: [['noted', 9]], scannedTo: 16, more: true, newest: 60, oldest: 1, total: 60 }
        : new Promise(() => {}),
    );
    await typed('is:');
    await until(() => text().includes('counting, 75%'));
    expect(values().slice(0, 6)).toEqual([...MARKS, 'hook:3a webhook; hook:3=timeout for its last result']);
  });

  it('follow new messages while they are shown', async () => {
    await open();
    await typed('type:');
    await until(() => values().includes('track30'));
    await settled(engine.post('/v1/track', track('Signed Up'), KEY));
    await until(() => values().includes('track31'));
  });

  it('are chosen by arrows and Enter, which makes a token', async () => {
    await open();
    await typed('status:');
    await press(field(), 'ArrowDown');
    await press(field(), 'Enter');
    expect(liveStream.snapshot().query).toEqual({ terms: [{ key: 'status', values: ['delivered'] }], text: '' });
    expect(options()).toEqual([]);
  });

  it('complete the text by Tab and go on with a comma', async () => {
    await open();
    await typed('status:del');
    await press(field(), 'Tab');
    expect(field().value).toMatch(/^status:deliver(ed|ing)$/);
    await typed('status:delivered,fa');
    await press(field(), 'Enter');
    expect(liveStream.snapshot().query.terms).toEqual([{ key: 'status', values: ['delivered', 'failed'] }]);
  });

  it('close by Escape, which leaves the text; the second one clears it', async () => {
    await open();
    await typed('status:');
    await press(field(), 'Escape');
    expect([options().length, field().value]).toEqual([0, 'status:']);
    await press(field(), 'Escape');
    expect(field().value).toBe('');
  });

  it('show more filters on an arrow in the empty field, and all of them on demand', async () => {
    await open();
    await focus(search());
    expect(options()).toEqual([]);
    await press(field(), 'ArrowDown');
    expect(options()).toHaveLength(4);
    await click([...document.querySelectorAll('button')].find((button) => button.textContent === 'All filters')!);
    expect(options()).toHaveLength(14);
    await click(options()[0]!);
    expect(field().value).toBe('type:');
  });

  it('leave a free word to Enter', async () => {
    await open();
    await typed('st');
    expect(values()).toContain('status:the state of the message');
    await press(field(), 'Enter');
    expect(liveStream.snapshot().query.text).toBe('st');
  });
});
