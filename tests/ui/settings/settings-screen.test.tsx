import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectContract } from '../../../src/contract/channel.ts';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { App } from '../../../src/renderer/app.tsx';
import { formatDateTime, formatDay, formatSize, formatTime } from '../../../src/renderer/lib/format.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
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
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
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
  settled,
  type as typeText,
  until,
} from '../base/harness.tsx';

const HOOK = 'http://crm.test/hook';
const CONFIG: Config = {
  sources: [{ name: 'checkout', writeKey: 'wk_1', kind: 'server', enabled: true, webhooks: true }],
  webhooks: { entries: [{ name: 'CRM', url: HOOK, headers: {}, enabled: true }] },
};

let engine: SimEngine;
let calls: (name: string) => unknown[];
let shown: Rendered | null = null;
interface OpenOptions extends SimEngineSetup {
  /** Calls that were delivered before the window opened. */
  readonly delivered?: number;
  /** Calls that came after them and wait to be tried again. */
  readonly waiting?: number;
}
async function open(section: SettingsSection, options: OpenOptions = {}): Promise<void> {
  const { delivered = 0, waiting = 0, config, ...setup } = options;
  const before = async (started: SimEngine): Promise<void> => {
    await receive(started, delivered);
    if (waiting === 0) return;
    started.transport.on(HOOK, always(answer(500)));
    await receive(started, waiting);
  };
  engine = await connectEngine({ config: { ...CONFIG, ...config }, ...setup }, before);
  calls = callsOf(engine);
  await show(section);
}
async function receive({ post, pass }: SimEngine, count: number): Promise<void> {
  const batch = Array.from({ length: count }, () => ({ type: 'track', userId: 'u', event: 'Order Completed' }));
  if (count > 0) await post('/v1/batch', { batch }, 'wk_1');
  await pass(1_000);
}
const callsOf = (called: Pick<SimEngine, 'calls'>) => (name: string) =>
  called.calls.filter((one) => one.name === name).map(({ input }) => input);
async function show(section: SettingsSection): Promise<void> {
  navigate({ screen: 'settings', section });
  shown = await render(<App />);
  await until(() => document.querySelector('nav[aria-label="Settings"]') !== null);
}
afterEach(async () => {
  for (const close of document.querySelectorAll<HTMLElement>('[aria-label="Close notice"]')) await click(close);
  shown?.unmount();
  shown = null;
  disconnect();
});

const text = () => document.body.textContent ?? '';
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
    for (const name of ['Storage', 'Delivery', 'Privacy', 'Appearance', 'Shortcuts', 'About', 'Ingest']) {
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
    const say = async (count: number) => {
      for (let i = 0; i < count; i += 1) engine.open().post('{"no":"call"}');
      await settle();
    };
    await say(1);
    expect(document.body.textContent).toContain('1 text that was no call, the last at ');
    await say(1_233);
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
    const otherWindow = connectContract(engine.open(), () => {});
    await settled(otherWindow.call('ingest.save', { mode: 'segment', dedupe: true }));
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
    const before = useRecords.getState().status!.listener.port;
    const taken = await takenPort();
    await enter('Port', String(taken));
    await until(() => about('Port').includes(`has port ${taken}. Calls still arrive on ${before}.`));
    await enter('Port', String(taken + 1));
    await until(() => field('Port').getAttribute('aria-invalid') === null);
    expect(main().textContent).toContain(`http://localhost:${taken + 1}`);
    expect(useRecords.getState().ingest?.port).toBe(taken + 1);
  });

  it('tells a port of this run from the setting', async () => {
    await open('ingest', { config: { ingest: { port: 8765 } }, ingestPort: 0 });
    expect(about('Port')).toBe('For this run. The setting is 8765; a port entered here replaces it.');
  });
});

describe('storage', () => {
  const meter = (name: string) => byName('[role="meter"]', name);

  it('shows how much of each limit is in use', async () => {
    await open('storage', { delivered: 200, config: { storage: { maxMessages: 250 } } });
    expect(meter('Messages').getAttribute('aria-valuetext')).toBe('200 of 250 messages');
    expect(meter('Size').getAttribute('aria-valuetext')).toBe(
      `${formatSize(useRecords.getState().status!.storeBytes)} of 1 GB`,
    );
    await settled(receive(engine, 30));
    expect(meter('Messages').getAttribute('aria-valuenow')).toBe('230');
    expect(meter('Messages').children).toHaveLength(1);
    expect(text()).toContain('92%');
  });

  it('draws no bar for nothing', async () => {
    await open('storage');
    expect(meter('Messages').getAttribute('aria-valuenow')).toBe('0');
    expect(meter('Messages').children).toHaveLength(0);
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
    await open('storage', { delivered: 200 });
    await enter('Messages', '100');
    expect(dialog()?.textContent).toContain('The oldest 100 finished messages will be deleted');
    await click(byName('button', 'Cancel'));
    expect(calls('storage.save')).toEqual([]);
    expect(field('Messages').value).toBe('100,000');
    await enter('Messages', '100');
    await click(byName('button', 'Lower and delete'));
    expect(calls('storage.save')).toEqual([{ maxMessages: 100 }]);
    await enter('Age', '7');
    expect(dialog()?.textContent).toContain('Finished messages older than 7 days');
    await press(dialog()!, 'Escape');
    expect(calls('storage.save')).toHaveLength(1);
    expect(field('Age').value).toBe('30 days');
  });

  it('says that a limit would fill the store, and raises one of a full store without a question', async () => {
    await open('storage', { waiting: 151, config: { storage: { maxMessages: 150 } } });
    expect(useRecords.getState().status?.storage.full).toBe(true);
    await enter('Messages', '120');
    expect(dialog()?.textContent).toContain('151 messages wait for delivery, so the store will be full');
    await click(byName('button', 'Cancel'));
    await enter('Messages', '180');
    expect(dialog()).toBeNull();
    expect(calls('storage.save')).toEqual([{ maxMessages: 180 }]);
  });

  it('lowers a limit that nothing reaches without a question', async () => {
    await open('storage', { delivered: 200 });
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
    await open('storage', { delivered: 120, waiting: 40 });
    await click(byName('button', 'Delete'));
    expect(dialog()?.textContent).toContain('Delete 120 finished messages');
    expect(dialog()?.textContent).toContain('40 messages wait for delivery and stay.');
    await click(byName('button', 'Cancel'));
    expect(calls('storage.clear')).toEqual([]);
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    await settle(60);
    expect(calls('storage.clear')).toEqual([{}]);
    expect(useRecords.getState().status?.total).toBe(40);
    expect(text()).toContain('Deleted 120 messages');
  });

  it('asks on until all are gone, shows how far it is, and can be stopped', async () => {
    await open('storage', { delivered: 400 });
    const answers: Array<(value: unknown) => void> = [];
    engine.answer('storage.clear', () => new Promise((resolve) => answers.push(resolve)));
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
    await open('storage', { delivered: 200 });
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
    await open('ingest', { waiting: 101, config: { storage: { maxMessages: 100 } } });
    for (const screen of ['sources', 'settings'] as const) {
      act(() => navigate(screen === 'sources' ? { screen } : { screen, section: 'about' }));
      await settle();
      expect(main().textContent).toContain('The store is full: 101 messages wait to be delivered.');
      expect(document.querySelector('[role="alert"]')?.textContent).toContain('The store is full.');
    }
    await click(byName('button', 'Open Storage'));
    expect(location.hash).toBe('#/settings/storage');
    expect(main().textContent).toContain('Four ways to make room');
    expect([...document.querySelectorAll('button')].some((b) => b.textContent === 'Open Storage')).toBe(false);
    await settled(call('storage.save', { maxMessages: 500 }));
    expect(main().textContent).not.toContain('The store is full');
  });

  it('or any other opens from the status bar', async () => {
    await open('ingest', { delivered: 200 });
    const link = byName('footer a', /^200 messages/);
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

  it('sets theme, row height and sidebar for this window, and leads to the switch of single keys', async () => {
    await open('appearance');
    await click(byName('[role="radio"]', 'Light'));
    await click(byName('[role="radio"]', 'Comfortable'));
    await click(byName('[role="switch"]', 'Narrow sidebar'));
    expect(useView.getState()).toMatchObject({ theme: 'light', railWanted: true });
    expect(useLivePreferences.getState().density).toBe('comfortable');
    expect(text()).toContain('36 px high');
    expect(main().textContent).toContain('Single keysOn. The switch is under Shortcuts.');
    expect(byName('a', 'Shortcuts', main().querySelector('[data-region="content"]')!).getAttribute('href')).toBe(
      '#/settings/shortcuts',
    );
  });

  it('writes every time in UTC when asked, and says so where a date stands', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const at = Date.UTC(2026, 10, 20, 23, 59, 58, 7);
    await open('appearance', { delivered: 5 });
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
    await open('delivery', { receivers: true });
    await until(() => useRecords.getState().receivers?.http.state === 'listening');
    expect(main().textContent).toContain('5xx, 408, 429, timeouts, no connection');
    expect(main().textContent).toContain(`port ${useRecords.getState().receivers?.http.port}, listening`);
    await click(byName('button', 'Edit rules'));
    expect(location.hash).toBe('#/webhooks/rules');
  });

  it('tell version, folder, key and licences', async () => {
    await open('about', { keyStorage: 'environment' });
    expect(main().textContent).toContain('0.0.0-test');
    expect(main().textContent).toContain(engine.folder);
    expect(main().textContent).toContain('HOOKBENCH_KEY');
    await click(byName('button', 'Licence of Geist'));
    expect(dialog()?.textContent).toContain('SIL OPEN FONT LICENSE');
    await press(dialog()!, 'Escape');
    await click(byName('button', 'Licence of Lucide'));
    expect(dialog()?.textContent).toContain('ISC License');
  });

  it.each([
    ['system', 'electron', 'key.sealed” in the workspace, itself sealed by the key store of this system.'],
    ['file', 'electron', 'not in the key store of this system.'],
    ['file', 'headless', 'In the file “key” in the workspace, readable by you alone.Log'],
  ] as const)('say where the key lies: %s, %s', async (keyStorage, shell, words) => {
    await open('about', { shell, keyStorage });
    expect(main().textContent).toContain(words);
  });
});
