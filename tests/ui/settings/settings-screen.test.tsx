import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectContract } from '../../../src/contract/channel.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { formatDateTime, formatDay, formatTime } from '../../../src/renderer/lib/format.ts';
import { useLivePreferences } from '../../../src/renderer/stores/live/preferences.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { formatRoute, navigate, parseRoute, SETTINGS_SECTIONS } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
import { takenPort } from '../../helpers/taken-port.ts';
import { byName, click, press, settle, settled, until } from '../base/harness.tsx';
import { about, calls, dialog, engine, enter, field, main, open, text } from './world.tsx';

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
