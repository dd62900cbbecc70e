import { describe, expect, it } from 'vitest';
import type { PaletteEntry } from '../../../src/renderer/frame/palette/entry.ts';
import { rankEntries } from '../../../src/renderer/frame/palette/rank.ts';
import { titleOf } from '../../../src/renderer/frame/title.ts';

const entry = (title: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: title,
  group: 'Actions',
  title,
  icon: 'none' as never,
  run: () => {},
  ...more,
});
const found = (text: string, ...entries: PaletteEntry[]) => rankEntries(text, entries).map(({ title }) => title);

describe('what a text finds in the palette', () => {
  it('puts the beginning of a title before that of a word, and that before the inside of one', () => {
    const titles = ['Go on', 'Cargo', 'Let it go', 'Faster'].map((title) => entry(title));
    expect(found('go', ...titles)).toEqual(['Go on', 'Let it go', 'Cargo']);
  });
  it('needs every word, in any order and case', () => {
    const titles = ['Pause the view', 'Pause delivery'].map((title) => entry(title));
    expect(found('VIEW pau', ...titles)).toEqual(['Pause the view']);
    expect(found('pause nothing', ...titles)).toEqual([]);
  });
  it('also looks beside the title, for less', () => {
    const beside = entry('Ingest', { detail: 'Settings' });
    expect(found('sett', beside, entry('Settings'))).toEqual(['Settings', 'Ingest']);
    expect(found('colour', entry('Dark theme', { also: 'appearance colours' }))).toEqual(['Dark theme']);
  });
  it('keeps the order of equals, and of all without a text', () => {
    const titles = ['Stop b', 'Stop a', 'Run'].map((title) => entry(title));
    expect(found('stop', ...titles)).toEqual(['Stop b', 'Stop a']);
    expect(found('  ', ...titles)).toEqual(['Stop b', 'Stop a', 'Run']);
  });
});

describe('the title of the window', () => {
  it('names what is open, the screen and the workspace, and leaves out what there is not', () => {
    expect(titleOf(['Order Completed', 'Live', 'acme-shop'])).toBe('Order Completed · Live · acme-shop');
    expect(titleOf([undefined, 'Live', 'acme-shop'])).toBe('Live · acme-shop');
    expect(titleOf(['', undefined, undefined])).toBe('Hookbench');
    expect(titleOf(['x'.repeat(500), 'Live', 'a'])).toHaveLength(60 + ' · Live · a'.length);
  });
});
