import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import SettingsScreen from '../../../src/renderer/screens/settings/settings-screen.tsx';
import { emptyQuery, queryOf } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { SHARED_SECRET, WRITE_KEY } from '../../helpers/exchange-world.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  type Rendered,
  render,
  settle,
  settled,
  type,
  until,
} from '../base/harness.tsx';
import { type Saved, watchSavedFiles } from '../base/saved-files.ts';

const config = {
  sources: [{ name: 'Shop', writeKey: WRITE_KEY, kind: 'server' as const, enabled: true, webhooks: true }],
  webhooks: { sharedSecret: SHARED_SECRET },
};
const CALL = { event: 'Signed Up', userId: 'ada', messageId: 'm-1', properties: { email: 'ada@acme.test' } };

let engine: SimEngine;
let shown: Rendered;
let saved: readonly Saved[] = [];

beforeEach(async () => {
  saved = watchSavedFiles();
  engine = await connectEngine({ config });
  await engine.post('/v1/track', CALL, WRITE_KEY);
  navigate({ screen: 'settings', section: 'storage' });
  shown = await render(
    <>
      <SettingsScreen />
      <ToastRegion />
    </>,
  );
  await settle();
});
afterEach(() => {
  shown.unmount();
  disconnect();
});

const text = () => document.body.textContent ?? '';
const maskFields = (value: string): Promise<void> =>
  type(document.querySelector<HTMLInputElement>('input[placeholder="traits.email, userId"]')!, value);

async function choose(content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[aria-label="File of calls"]')!;
  Object.defineProperty(input, 'files', { configurable: true, value: [new File([content], 'calls.ndjson')] });
  await act(async () => {
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

describe('export', () => {
  it('saves all messages as a file, with the chosen fields masked, and says how many', async () => {
    await click(byName('button', 'Export all messages'));
    expect(text()).toContain('All 1 message of this workspace.');
    await maskFields('properties.email, userId');
    await click(byName('button', 'Save file'));
    await until(() => saved.length === 1);
    expect(saved[0]!.name).toMatch(/^hookbench-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.ndjson$/);
    const line = JSON.parse(await saved[0]!.blob.text());
    expect(line).toMatchObject({ messageId: 'm-1', userId: '[masked]', name: 'Signed Up' });
    expect(JSON.stringify(line)).not.toContain('acme.test');
    expect(text()).toContain('Exported 1 message');
  });

  it('begins with the fields that the settings mask, which can be left out of this one', async () => {
    await settled(call('exports.save', { mask: ['properties.email', 'userId'] }));
    await until(() => useRecords.getState().exports?.mask.length === 2);
    await click(byName('button', 'Export all messages'));
    const field = document.querySelector<HTMLInputElement>('input[placeholder="traits.email, userId"]')!;
    expect(field.value).toBe('properties.email, userId');
    await type(field, 'userId');
    await click(byName('button', 'Save file'));
    await until(() => saved.length === 1);
    const file = await saved[0]!.blob.text();
    expect([file.includes('ada@acme.test'), file.includes('"userId":"ada"')]).toEqual([true, false]);
  });

  it('offers what the filter of the live stream selects, and has nothing else', async () => {
    await act(() => engine.post('/v1/page', { userId: 'bob', name: 'Home', messageId: 'm-2' }, WRITE_KEY));
    expect(text()).not.toContain('Export what the live filter selects');
    await act(async () => liveStream.setQuery(queryOf({ key: 'type', values: ['page'] })));
    await until(() => text().includes('Export what the live filter selects'));
    await click(byName('button', 'Export what the live filter selects'));
    await click(byName('button', 'Save file'));
    await until(() => saved.length === 1);
    const lines = (await saved[0]!.blob.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).messageId)).toEqual(['m-2']);
    await act(async () => liveStream.setQuery(emptyQuery));
  });

  it('asks for nothing while the fields cannot be masked, and says why', async () => {
    await click(byName('button', 'Export all messages'));
    await maskFields('x'.repeat(201));
    expect(text()).toContain('A path has at most 200 characters.');
    expect((byName('button', 'Save file') as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('import', () => {
  it('says what became of each row, and keeps the calls as history', async () => {
    await click(byName('button', 'Import calls'));
    await choose(
      `${JSON.stringify({ type: 'track', ...CALL })}\n{"type":"track","event":"New","userId":"u"}\nno json\n`,
    );
    await until(() => text().includes('imported'));
    await until(() => !text().includes('Stop'));
    expect(text()).toContain('1 call imported. 1 there already, 1 refused.');
    expect(text()).toContain('Line 3: It is not valid JSON.');
    const rows = engine.engine.parts.stores.lists.window(1, 10);
    expect(rows.map(({ name, origin, reason }) => [name, origin, reason])).toEqual([
      ['Signed Up', 'sdk', 'no_webhook'],
      ['New', 'import', 'imported'],
    ]);
  });

  it('of a file that is no text says so', async () => {
    await click(byName('button', 'Import calls'));
    await choose(Uint8Array.of(0xff, 0xfe));
    await until(() => text().includes('The file is not UTF-8 text.'));
    expect(text()).toContain('The import ended early.');
  });
});
