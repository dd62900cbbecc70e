import { describe, expect, it } from 'vitest';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { click, press, settle, type as typeText } from '../base/harness.tsx';
import { open, search, text } from './world.tsx';

const options = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const values = () => options().map((option) => option.textContent);
const active = () => options().find((option) => option.getAttribute('aria-selected') === 'true');
const field = () => search() as HTMLInputElement;
const typed = async (words: string) => {
  search().focus();
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
    search().focus();
    expect(options()).toEqual([]);
    await press(field(), 'ArrowDown');
    expect(options()).toHaveLength(4);
    await click([...document.querySelectorAll('button')].find((button) => button.textContent === 'All filters')!);
    expect(options()).toHaveLength(13);
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
