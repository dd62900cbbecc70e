import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { App } from '../../../src/renderer/app.tsx';
import { formatDateTime, formatDay, formatTime } from '../../../src/renderer/lib/format.ts';
import { useShellFacts } from '../../../src/renderer/platform/desktop.ts';
import { useLivePreferences } from '../../../src/renderer/stores/live/preferences.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import {
  formatRoute,
  navigate,
  parseRoute,
  SETTINGS_SECTIONS,
  type SettingsSection,
} from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
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
let shown: Rendered | null = null;
async function open(section: SettingsSection, options: FakeOptions = {}): Promise<void> {
  engine = await connectFake(options);
  navigate({ screen: 'settings', section });
  shown = await render(<App />);
  // The screen is imported when it is first shown. That takes a while on a busy machine.
  await vi.waitFor(
    () => {
      if (document.querySelector('nav[aria-label="Settings"]') === null) throw new Error('the screen is not there yet');
    },
    { timeout: 30_000 },
  );
  await settle();
}
afterEach(async () => {
  for (const close of document.querySelectorAll<HTMLElement>('[aria-label="Close notice"]')) await click(close);
  shown?.unmount();
  shown = null;
  disconnectFake();
});

const text = () => document.body.textContent ?? '';
const calls = (name: string) => engine.calls.filter((one) => one.name === name).map(({ input }) => input);
const field = (name: string) =>
  byName('main input:not([type="radio"]):not([type="checkbox"])', name) as HTMLInputElement;
const about = (name: string) =>
  document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent ?? '';
async function enter(name: string, value: string): Promise<void> {
  await typeText(field(name), value);
  await press(field(name), 'Enter');
}
const main = () => document.querySelector('main')!;
const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]');

describe('the way there', () => {
  it('is a route a section, and anything else is the first', () => {
    for (const section of SETTINGS_SECTIONS) {
      const hash = `#/settings/${section}`;
      expect(parseRoute(hash)).toEqual({ screen: 'settings', section });
      expect(formatRoute({ screen: 'settings', section })).toBe(hash);
    }
    for (const hash of ['#/settings', '#/settings/', '#/settings/secrets'])
      expect(parseRoute(hash)).toEqual({ screen: 'settings', section: 'ingest' });
  });

  it('is Ctrl and a comma, or G and T, and comes back to the section that was left', async () => {
    await open('appearance');
    for (const keys of [
      [[',', { ctrlKey: true }]],
      [
        ['g', {}],
        ['t', {}],
      ],
      [[',', { metaKey: true }]],
    ] as const) {
      act(() => navigate({ screen: 'sources' }));
      await settle();
      for (const [key, more] of keys) await press(document.body, key, more);
      expect(location.hash).toBe('#/settings/appearance');
    }
    expect(engine.calls.some(({ name }) => name.startsWith('clock.'))).toBe(false);
  });

  it('leads from section to section, the present one marked', async () => {
    await open('ingest');
    const nav = document.querySelector('nav[aria-label="Settings"]')!;
    for (const name of ['Storage', 'Delivery', 'Appearance', 'About', 'Ingest']) {
      await click(byName('a', name, nav));
      expect(nav.querySelector('[aria-current="page"]')?.textContent).toBe(name);
      expect(location.hash).toBe(`#/settings/${name.toLowerCase()}`);
    }
  });
});

describe('about', () => {
  it('tells texts on the contract that were no call, once there are some', async () => {
    await open('about');
    expect(document.body.textContent).not.toContain('no call');
    const { act } = await import('react');
    const badTexts = (count: number) => ({
      status: { ...useRecords.getState().status!, badTexts: { count, lastAt: 0 } },
    });
    await act(async () => useRecords.setState(badTexts(1)));
    expect(document.body.textContent).toContain('1 text that was no call, the last at ');
    await act(async () => useRecords.setState(badTexts(1_234)));
    expect(document.body.textContent).toContain('1,234 texts that were no call, the last at ');
  });
});

describe('ingest', () => {
  it('saves mode, keys and duplicates at once, and shows what another window saved', async () => {
    await open('ingest');
    await click(byName('[role="radio"]', 'Strict'));
    await click(byName('[role="switch"]', 'Accept any write key'));
    await click(byName('[role="switch"]', 'Store duplicates once'));
    await click(byName('[role="switch"]', 'Correct every timestamp, as Segment does'));
    expect(calls('ingest.save')).toEqual([
      { mode: 'strict' },
      { acceptAnyKey: true },
      { dedupe: false },
      { correctEveryTimestamp: true },
    ]);
    expect(text()).toContain('Strict, in use');
    engine.push({
      ingest: { mode: 'segment', acceptAnyKey: true, dedupe: true, correctEveryTimestamp: false, port: 8765 },
    });
    await settle();
    expect(text()).toContain('Segment, in use');
    expect(byName('[role="switch"]', 'Store duplicates once').getAttribute('aria-checked')).toBe('true');
  });

  it('keeps the old value and says why when it cannot be saved', async () => {
    await open('ingest');
    engine.failNext('ingest.save', new ContractError('store_not_writable'));
    await click(byName('[role="radio"]', 'Strict'));
    expect(text()).toContain('Could not save how calls are taken in');
    expect(text()).toContain('Segment, in use');
  });

  it('takes another port, and says under the field when that one is no port or taken', async () => {
    await open('ingest');
    for (const wrong of ['0', '65536', 'x']) {
      await enter('Port', wrong);
      expect(about('Port')).toBe('Enter a port from 1 to 65535.');
    }
    expect(calls('ingest.listen')).toEqual([]);
    engine.takePort(9000);
    await enter('Port', '9000');
    expect(about('Port')).toBe('Another program has port 9000. Calls still arrive on 8765.');
    await enter('Port', '9001');
    expect(field('Port').getAttribute('aria-invalid')).toBeNull();
    expect(main().textContent).toContain('http://localhost:9001');
    expect(useRecords.getState().ingest?.port).toBe(9001);
  });

  it('tells a port of this run from the setting', async () => {
    await open('ingest', { listener: { port: 51_000 }, ingest: { port: 8765 } });
    expect(about('Port')).toBe('For this run. The setting is 8765; a port entered here replaces it.');
  });
});

describe('storage', () => {
  const meter = (name: string) => byName('[role="meter"]', name);

  it('shows how much of each limit is in use', async () => {
    await open('storage', { rows: 400, storage: { maxMessages: 500 } });
    expect(meter('Messages').getAttribute('aria-valuetext')).toBe('400 of 500 messages');
    expect(meter('Size').getAttribute('aria-valuetext')).toMatch(/^1\.6 MB of 1 GB$/);
    engine.receive(60);
    await settle();
    expect(meter('Messages').getAttribute('aria-valuenow')).toBe('460');
    expect(text()).toContain('92%');
  });

  it('raises a limit at once', async () => {
    await open('storage');
    await enter('Messages', '200,000');
    await enter('Size', '2 GB');
    await enter('Age', '60');
    expect(calls('storage.save')).toEqual([{ maxMessages: 200_000 }, { maxBytes: 2 * 1024 ** 3 }, { maxAgeDays: 60 }]);
    expect(field('Messages').value).toBe('200,000');
    expect(field('Size').value).toBe('2 GB');
    expect(field('Age').value).toBe('60 days');
  });

  it('asks before a lower limit deletes anything, and keeps the old one when the answer is no', async () => {
    await open('storage', { rows: 400 });
    await enter('Messages', '300');
    expect(dialog()?.textContent).toContain('The oldest 100 finished messages will be deleted');
    await click(byName('button', 'Cancel'));
    expect(calls('storage.save')).toEqual([]);
    expect(field('Messages').value).toBe('100,000');
    await enter('Messages', '300');
    await click(byName('button', 'Lower and delete'));
    expect(calls('storage.save')).toEqual([{ maxMessages: 300 }]);
    await enter('Age', '7');
    expect(dialog()?.textContent).toContain('Finished messages older than 7 days');
    await press(dialog()!, 'Escape');
    expect(calls('storage.save')).toHaveLength(1);
    expect(field('Age').value).toBe('30 days');
  });

  it('says that a limit would fill the store, and raises one of a full store without a question', async () => {
    await open('storage', { rows: 1_000, storage: { maxMessages: 600, full: true } });
    await enter('Messages', '200');
    expect(dialog()?.textContent).toMatch(/\d+ messages wait for delivery, so the store will be full/);
    await click(byName('button', 'Cancel'));
    await enter('Messages', '650');
    expect(dialog()).toBeNull();
    expect(calls('storage.save')).toEqual([{ maxMessages: 650 }]);
  });

  it('lowers a limit that nothing reaches without a question', async () => {
    await open('storage', { rows: 400 });
    await enter('Messages', '5000');
    expect(dialog()).toBeNull();
    expect(calls('storage.save')).toEqual([{ maxMessages: 5_000 }]);
  });

  it('refuses a limit under its field, with the old one in force', async () => {
    await open('storage');
    for (const [name, wrong, message] of [
      ['Messages', '12', 'Enter a number from 100'],
      ['Size', 'big', '"big" is not a size.'],
      ['Age', '0', 'Enter a time from'],
    ] as const) {
      await typeText(field(name), wrong);
      await blur(field(name));
      expect(about(name)).toContain(message);
    }
    expect(calls('storage.save')).toEqual([]);
  });

  it('deletes what is finished after a question that counts, and tells how many went', async () => {
    await open('storage', { rows: 400 });
    const { counts, total } = useRecords.getState().status!;
    const waiting = counts.queued + counts.delivering + counts.waiting + counts.retrying + counts.paused;
    await click(byName('button', 'Delete'));
    expect(dialog()?.textContent).toContain(`Delete ${total - waiting} finished messages`);
    expect(dialog()?.textContent).toContain(`${waiting} messages wait for delivery and stay.`);
    await click(byName('button', 'Cancel'));
    expect(calls('storage.clear')).toEqual([]);
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    await settle(60);
    expect(calls('storage.clear')).toEqual([{}]);
    expect(useRecords.getState().status?.total).toBeLessThanOrEqual(waiting + 1);
    expect(text()).toMatch(/Deleted \d+ messages/);
  });

  it('asks on until all are gone, shows how far it is, and can be stopped', async () => {
    await open('storage', { rows: 400 });
    const answers: Array<(value: unknown) => void> = [];
    const wait = () => new Promise((resolve) => answers.push(resolve));
    Object.assign(engine.handlers, {
      'storage.clear': (input: unknown) => {
        engine.calls.push({ name: 'storage.clear', input });
        return wait();
      },
    });
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    const bar = () => byName('[role="progressbar"]', 'Deleting finished messages').getAttribute('aria-valuetext');
    expect(bar()).toMatch(/^0 of \d+ deleted$/);
    answers[0]?.({ removed: 120, next: { after: 120, upTo: 400 } });
    await settle(60);
    expect(bar()).toMatch(/^120 of \d+ deleted$/);
    expect(calls('storage.clear')).toEqual([{}, { after: 120, upTo: 400 }]);
    await click(byName('button', 'Stop'));
    answers[1]?.({ removed: 30, next: { after: 150, upTo: 400 } });
    await settle(60);
    expect(calls('storage.clear')).toHaveLength(2);
    expect(text()).toContain('Stopped after 150 messages');
    expect(document.querySelector('[role="progressbar"]')).toBeNull();
  });

  it('says what was deleted before it failed', async () => {
    await open('storage', { rows: 400 });
    engine.failNext('storage.clear', new ContractError('store_not_writable'));
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    await settle(60);
    expect(text()).toContain('Could not delete the messages');
    expect(byName('button', 'Delete')).toBeTruthy();
  });
});

describe('a full store', () => {
  it('is shown on every screen with a link to the limits, and disappears once there is room', async () => {
    await open('ingest', { rows: 400, storage: { full: true } });
    for (const screen of ['sources', 'settings'] as const) {
      act(() => navigate(screen === 'sources' ? { screen } : { screen, section: 'about' }));
      await settle();
      expect(main().textContent).toMatch(/The store is full: \d+ messages wait to be delivered\./);
      expect(document.querySelector('[role="alert"]')?.textContent).toContain('The store is full.');
    }
    await click(byName('button', 'Open Storage'));
    expect(location.hash).toBe('#/settings/storage');
    expect(main().textContent).toContain('Four ways to make room');
    expect([...document.querySelectorAll('button')].some((b) => b.textContent === 'Open Storage')).toBe(false);
    engine.setStorage({ full: false });
    await settle();
    expect(main().textContent).not.toContain('The store is full');
  });

  it('or any other opens from the status bar', async () => {
    await open('ingest', { rows: 400 });
    const link = byName('footer a', /^400 messages/);
    expect(link.getAttribute('href')).toBe('#/settings/storage');
  });
});

describe('appearance', () => {
  afterEach(() =>
    act(() => {
      useView.setState({ theme: 'system', timeZone: 'local', letterKeys: true, railWanted: false });
      useLivePreferences.setState({ density: 'default' });
    }),
  );

  it('sets theme, row height, sidebar and single keys for this window', async () => {
    await open('appearance');
    await click(byName('[role="radio"]', 'Light'));
    await click(byName('[role="radio"]', 'Comfortable'));
    await click(byName('[role="switch"]', 'Narrow sidebar'));
    await click(byName('[role="switch"]', 'Single-letter shortcuts'));
    expect(useView.getState()).toMatchObject({ theme: 'light', railWanted: true, letterKeys: false });
    expect(useLivePreferences.getState().density).toBe('comfortable');
    expect(text()).toContain('36 px high');
    await press(document.body, 'g');
    await press(document.body, 's');
    expect(location.hash).toBe('#/settings/appearance');
  });

  it('writes every time in UTC when asked, and says so where a date stands', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const at = Date.UTC(2026, 10, 20, 23, 59, 58, 7);
    await open('appearance');
    expect(formatDateTime(at)).toBe('21 Nov 2026, 08:59:58.007');
    const loads = calls('messages.window').length;
    await click(byName('[role="radio"]', 'UTC'));
    expect([formatTime(at), formatDay(at)]).toEqual(['23:59:58.007', '20 Nov 2026']);
    expect(formatDateTime(at)).toBe('20 Nov 2026, 23:59:58.007 UTC');
    expect(text()).toMatch(/Now it is \d+ \w{3} \d{4}, \d\d:\d\d:\d\d UTC\./);
    // Days begin elsewhere, so the list of the live stream is made anew.
    expect(calls('messages.window').length).toBeGreaterThan(loads);
    await click(byName('[role="radio"]', 'Local'));
    expect(formatTime(at)).toBe('08:59:58.007');
    expect(text()).not.toContain(' UTC.');
    vi.unstubAllEnvs();
  });
});

describe('delivery and about', () => {
  it('tell the rules and lead to where they are changed', async () => {
    await open('delivery');
    expect(main().textContent).toContain('5xx, 408, 429, timeouts, no connection');
    expect(main().textContent).toContain('port 8766, listening');
    await click(byName('button', 'Edit rules'));
    expect(location.hash).toBe('#/webhooks/rules');
  });

  it('tell version, folder, key and licences', async () => {
    await open('about');
    expect(main().textContent).toContain('0.1.0');
    expect(main().textContent).toContain('/home/dev/acme-shop/.hookbench');
    expect(main().textContent).toContain('HOOKBENCH_KEY');
    await click(byName('button', 'Licence of Geist'));
    expect(dialog()?.textContent).toContain('SIL OPEN FONT LICENSE');
    await press(dialog()!, 'Escape');
    await click(byName('button', 'Licence of Lucide'));
    expect(dialog()?.textContent).toContain('ISC License');
  });

  it('say where the desktop keeps the key', async () => {
    await open('about', { shell: 'electron' });
    const facts = { theme: 'system', titleBar: { height: 47, buttons: 'right' } } as const;
    for (const [keyStorage, words] of [
      ['system', 'Sealed by the key store of this system.'],
      ['file', 'this system has no safe place for it'],
    ] as const) {
      act(() => useShellFacts.setState({ facts: { ...facts, keyStorage } }));
      await settle();
      expect(main().textContent).toContain(words);
    }
    act(() => useShellFacts.setState({ facts: null }));
  });
});
