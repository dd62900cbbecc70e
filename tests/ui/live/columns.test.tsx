import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { useLivePreferences } from '../../../src/renderer/stores/live/preferences.ts';
import { byName, press } from '../base/harness.tsx';
import { open } from './world.tsx';

afterEach(() => act(() => useLivePreferences.setState({ widths: {}, columns: [] })));

const divider = (name: string) => byName('[role="separator"]', `Width of ${name}`);
const width = (name: string) => Number(divider(name).getAttribute('aria-valuenow'));
const columnsOfRows = () =>
  document.querySelector<HTMLElement>('[data-base]')?.style.getPropertyValue('--cols').split(' ');

describe('the widths of columns', () => {
  it('are changed by arrow keys, kept, and reset by Enter', async () => {
    await open();
    expect(width('Received')).toBe(86);
    await press(divider('Received'), 'ArrowRight');
    await press(divider('Received'), 'ArrowRight');
    expect(width('Received')).toBe(102);
    expect(columnsOfRows()?.[0]).toBe('102px');
    expect(JSON.parse(localStorage.getItem('hookbench.live') ?? '{}').state.widths).toEqual({ received: 102 });
    await press(divider('Received'), 'Enter');
    expect(width('Received')).toBe(86);
    expect(useLivePreferences.getState().widths).toEqual({});
  });

  it('stop where a column would show nothing', async () => {
    await open();
    for (let i = 0; i < 20; i += 1) await press(divider('User'), 'ArrowLeft');
    expect(width('User')).toBe(Number(divider('User').getAttribute('aria-valuemin')));
  });

  it('share one stop of the Tab key, between which arrows go', async () => {
    await open();
    const stops = () =>
      [...document.querySelectorAll<HTMLElement>('[role="separator"][data-column]')].filter(
        (one) => one.tabIndex === 0,
      );
    expect(stops()).toEqual([divider('Received')]);
    await press(divider('Received'), 'ArrowDown');
    await press(document.activeElement as HTMLElement, 'ArrowDown');
    expect(document.activeElement).toBe(divider('User'));
    expect(stops()).toEqual([divider('User')]);
    await press(document.activeElement as HTMLElement, 'ArrowUp');
    expect(document.activeElement).toBe(divider('Type'));
  });
});
