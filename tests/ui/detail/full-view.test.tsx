import { EditorView } from '@codemirror/view';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { useView } from '../../../src/renderer/stores/view.ts';
import { answering, ORDER } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';

let stage: Stage;
let written: string[];
beforeEach(async () => {
  written = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: async (copied: string) => void written.push(copied) },
  });
  stage = await openStage();
});
afterEach(async () => {
  await stage.close();
  useView.setState({ curlShell: 'sh', changesAs: 'fields' });
  vi.unstubAllGlobals();
});

const show = (tab: 'payload' | 'raw' | 'compare', full = false) =>
  stage.show(<MessageDetail id={1} tab={tab} full={full} onClose={() => {}} />);
const text = () => stage.page.textContent ?? '';
const editor = () => EditorView.findFromDOM(stage.page.querySelector<HTMLElement>('.cm-editor')!)!;
const aside = () => stage.page.querySelector('section[aria-label="Attempt"]');
/** The window is as wide as it says, and matches no other question. */
const wideWindow = () =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: /min-width/.test(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));

describe('Payload', () => {
  it('copies the path and the value at the caret, by button and by key', async () => {
    await stage.post(ORDER);
    await show('payload');
    expect(stage.find('button', 'Copy path')).toHaveProperty('disabled', true);
    const view = editor();
    const at = view.state.doc.toString().indexOf('"EUR"');
    await act(async () => view.dispatch({ selection: { anchor: at + 2 } }));
    expect(text()).toContain('properties.currency');
    await stage.click('button', 'Copy path');
    await stage.click('button', 'Copy value');
    await act(async () => view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf('"properties"') } }));
    for (const key of ['p', 'v'])
      await act(async () => {
        view.contentDOM.dispatchEvent(
          new KeyboardEvent('keydown', { key, altKey: true, bubbles: true, cancelable: true }),
        );
      });
    await stage.pass();
    expect(written).toEqual([
      'properties.currency',
      'EUR',
      'properties',
      '{"orderId":"A-10482","total":184.5,"currency":"EUR"}',
    ]);
  });

  it('opens the search of the body', async () => {
    await stage.post(ORDER);
    await show('payload');
    await stage.click('button', 'Find');
    expect(stage.page.querySelector('.cm-search')).not.toBeNull();
  });

  it('copies curl for another shell, and keeps the choice', async () => {
    await stage.post(ORDER);
    await show('payload');
    await stage.click('button', 'Copy as curl for another shell: Received call');
    await stage.click('menuitem', 'For PowerShell');
    await stage.click('button', 'Copy as curl: Received call');
    expect(written[0]).toMatch(/^\$request = New-TemporaryFile\n/);
    expect(written[1]).toBe(written[0]);
    expect(useView.getState().curlShell).toBe('powershell');
  });
});

describe('Raw', () => {
  it('marks where a body stops being JSON', async () => {
    await stage.post('{"event": "E",\n  "userId" "u"}');
    await show('raw');
    expect(text()).toContain('The body stops being JSON at line 2, column 12, which is marked.');
    const line = stage.page.querySelector('[class*="faultLine"]');
    expect(line?.textContent).toBe('  "userId" "u"}');
    expect(line?.querySelector('[class*="fault"]')?.textContent).toBe('"');
    await stage.click('radio', '\\u');
    expect(stage.page.querySelector('[class*="faultLine"]')?.textContent).toBe('  "userId" "u"}');
  });

  it('marks the end of a body that ends too early, and nothing in a good one', async () => {
    await stage.post('{"event": "E"');
    await show('raw');
    expect(stage.page.querySelector('[class*="faultLine"] [class*="fault"]')?.textContent).toBe('\u2026');
    await stage.post(ORDER);
    await stage.show(<MessageDetail id={2} tab="raw" full={false} onClose={() => {}} />);
    expect(stage.page.querySelector('[class*="fault"]')).toBeNull();
    expect(text()).not.toContain('stops being JSON');
  });

  it('is one link away from the payload of a body that was no call', async () => {
    await stage.post('{"event"');
    await show('payload');
    expect(stage.find('link', 'Show the bytes')?.getAttribute('href')).toBe('#/live/1/raw');
  });
});

describe('the full view', () => {
  it('names who accepted the message, and shows that attempt beside the tab with steps to the others', async () => {
    wideWindow();
    answering(stage, 'f', 'd', 'a', 'f');
    await stage.post(ORDER);
    await show('payload', true);
    expect(text()).toContain('Delivered by Flaky receiver');
    expect(text()).toMatch(/Deliveredafter \d.*, in round 1/);
    expect(aside()?.textContent).toContain('Attempt 3 on Flaky receiver');
    expect(aside()?.textContent).toContain('round 1, at once');
    await stage.press('[');
    expect(aside()?.textContent).toContain('Attempt 2 on Warehouse loader');
    await stage.press(']');
    await stage.press(']');
    expect(aside()?.textContent).toContain('Attempt 4 on Legacy ERP');
    expect(stage.find('button', 'Next attempt')).toHaveProperty('disabled', true);
    await stage.click('button', 'Copy as curl: this message');
    expect(written[0]).toContain('curl -i -g -X POST');
    await stage.click('button', 'Copy as curl for another shell: this message');
    await stage.click('menuitem', 'As hookbench replay');
    await stage.click('button', 'Copy as curl for another shell: this attempt');
    await stage.click('menuitem', 'As hookbench replay');
    expect(written.slice(1)).toEqual([
      `hookbench replay ${ORDER.messageId}`,
      `hookbench replay --to="Legacy ERP" ${ORDER.messageId}`,
    ]);
  });

  it('leaves the width to the table of fields, and to a narrow window', async () => {
    wideWindow();
    await stage.post(ORDER);
    await show('compare', true);
    expect(aside()).toBeNull();
    await stage.click('radio', 'Side by side');
    expect(aside()).not.toBeNull();
    expect(stage.page.querySelector('section[aria-label="Received and delivered, side by side"]')).not.toBeNull();
    vi.stubGlobal('matchMedia', undefined);
    await stage.show(null);
    await show('payload', true);
    expect(aside()).toBeNull();
  });
});
