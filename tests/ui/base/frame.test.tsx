import Database from 'better-sqlite3';
import { act } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { storePath } from '../../../src/core/store/database.ts';
import { App, SCREENS } from '../../../src/renderer/app.tsx';
import { letterAllowed } from '../../../src/renderer/frame/keys.ts';
import { speedNote } from '../../../src/renderer/frame/retry-clock.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { namelessPort, takenPort } from '../../helpers/taken-port.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  lastCall,
  pageCalls,
  press,
  type Rendered,
  render,
  settled,
  type,
  until,
} from './harness.tsx';

const CONFIG: Config = {
  sources: ['web', 'server', 'mobile'].map((name) => ({
    name,
    writeKey: `wk_${name}`,
    kind: name as 'web' | 'server' | 'mobile',
    enabled: true,
    webhooks: true,
  })),
  webhooks: {
    entries: [1, 2, 3, 4, 5].map((n) => ({
      name: `Hook ${n}`,
      url: `http://hook${n}.test/`,
      headers: {},
      enabled: true,
    })),
  },
};

let engine: SimEngine;
let shown: Rendered | null = null;
async function open(setup: SimEngineSetup = {}): Promise<void> {
  engine = await connectEngine({ config: CONFIG, ...setup });
  navigate({ screen: 'sources' });
  shown = await render(<App />);
}
afterEach(() => {
  shown?.unmount();
  shown = null;
  disconnect();
});

const text = () => document.body.textContent ?? '';

describe('frame', () => {
  it('names the screens that work, the present one marked, with counts', async () => {
    await open();
    const batch = Array.from({ length: 20 }, () => ({ type: 'track', userId: 'u', event: 'Order Completed' }));
    await settled(engine.post('/v1/batch', { batch }, 'wk_web'));
    const links = [...document.querySelectorAll('nav a')].map((link) => link.textContent);
    expect(links).toEqual(
      expect.arrayContaining(['Overview', 'Live stream20', 'Replay', 'Webhooks5', 'Receivers9', 'Sources3']),
    );
    expect(links).toHaveLength(SCREENS.length);
    expect(document.querySelector('[aria-current="page"]')?.textContent).toBe('Sources3');
  });
  it('groups the screens under headings, and keeps ingest faults and settings by the clock', async () => {
    await open();
    const nav = document.querySelector('nav')!;
    expect([...nav.querySelectorAll('p, a')].map(({ textContent }) => textContent!.replace(/\d+$/, ''))).toEqual([
      ...['Overview', 'Live stream', 'People', 'Send', 'Replay', 'Delivery', 'Webhooks', 'Receivers', 'Signature lab'],
      ...['Data', 'Sources', 'Audiences', 'Deletions', 'Ingest faultsOff', 'Settings', 'Real time. 4 h takes 4 h.'],
    ]);
    const action = { kind: 'status', status: 503, retryAfter: null, retryAfterForm: 'seconds' } as const;
    const when = { mode: 'first', requests: 2 } as const;
    const rules = [{ on: true, when, action, writeKey: null, paths: [], store: false }];
    await settled(call('faults.save', { on: true, rules }));
    expect(byName('nav a', 'Ingest faultsOn').getAttribute('href')).toBe('#/faults');
    act(() => useView.setState({ railWanted: true }));
    expect(byName('nav a', 'Ingest faults, on').getAttribute('href')).toBe('#/faults');
    act(() => useView.setState({ railWanted: false }));
  });

  it('goes to a screen with G and its letter, and not while somebody types', async () => {
    await open();
    await press(document.body, 'g');
    await press(document.body, 'w');
    expect(location.hash).toBe('#/webhooks');
    const field = document.createElement('input');
    document.body.append(field);
    await press(field, 'g');
    await press(field, 's');
    expect(location.hash).toBe('#/webhooks');
    field.remove();
  });
  it('leaves single letters alone when they are turned off', async () => {
    await open();
    act(() => useView.setState({ letterKeys: false }));
    await press(document.body, 'g');
    await press(document.body, 'w');
    act(() => useView.setState({ letterKeys: true }));
    expect(location.hash).toBe('#/sources');
  });
  it('lists the shortcuts with ?', async () => {
    await open();
    await press(document.body, '?');
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Keyboard shortcuts');
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Send replay');
    expect(letterAllowed(new KeyboardEvent('keydown', { key: 'x' }))).toBe(false);
  });
  it('changes the retry clock and offers the way back', async () => {
    await open();
    await click(byName('[role="radio"]', '60×'));
    expect(lastCall()).toEqual({ name: 'clock.setSpeed', input: { speed: 60 } });
    expect(text()).toContain('A 4 h window takes 4 min.');
    await click(byName('button', 'Undo'));
    expect(lastCall()).toEqual({ name: 'clock.setSpeed', input: { speed: 1 } });
    await press(document.body, '=');
    expect(lastCall()).toEqual({ name: 'clock.setSpeed', input: { speed: 10 } });
  });
  it('says what the speed means', () => {
    expect(speedNote(1, 14_400_000)).toBe('Real time. 4 h takes 4 h.');
    expect(speedNote(240, 14_400_000)).toBe('A 4 h window takes 1 min.');
  });
});

describe('when something is wrong', () => {
  it('says that the port is in use and listens on the next one', async () => {
    const port = await takenPort();
    await open({ ingestPort: port });
    const alert = document.querySelector('[role="alert"]')?.textContent ?? '';
    expect(alert).toContain(`Port ${port} is in use, so no events can arrive.`);
    expect(alert).toContain(`(process ${process.pid}) is listening on 127.0.0.1:${port}.`);
    const tryAgain = byName('button', 'Try again') as HTMLButtonElement;
    await click(tryAgain);
    expect(lastCall()).toEqual({ name: 'ingest.listen', input: {} });
    await until(() => !tryAgain.disabled);
    expect(document.querySelector('[role="alert"]')?.textContent).toContain(`Port ${port} is in use`);
    await click(byName('button', `Use ${port + 1}`));
    expect(lastCall()).toEqual({ name: 'ingest.listen', input: { port: port + 1 } });
    await until(() => document.querySelector('[role="alert"]') === null);
    expect(text()).toContain(`http://localhost:${port + 1}`);
  });
  it('listens on a port that somebody chooses, and keeps the dialog while the port is no good', async () => {
    const port = await takenPort();
    await open({ ingestPort: port });
    await click(byName('button', 'Choose a port'));
    const field = () => byName('[role="dialog"] input', 'Port') as HTMLInputElement;
    expect(field().value).toBe(String(port + 1));
    const before = pageCalls().length;
    for (const wrong of ['', '0', '65536', '80a', '-1', '1e3']) {
      await type(field(), wrong);
      await click(byName('button', 'Listen'));
      expect(field().getAttribute('aria-invalid')).toBe('true');
      expect(text()).toContain('Enter a port from 1 to 65535.');
    }
    expect(pageCalls()).toHaveLength(before);
    engine.failNext('ingest.listen', new ContractError('internal', 'The setting could not be saved.'));
    await type(field(), String(port + 1));
    await click(byName('button', 'Listen'));
    expect(text()).toContain('The setting could not be saved.');
    await click(byName('button', 'Listen'));
    expect(lastCall()).toEqual({ name: 'ingest.listen', input: { port: port + 1 } });
    await until(() => document.querySelector('[role="dialog"]') === null);
    expect(text()).toContain(`http://localhost:${port + 1}`);
  });
  it('names no program when the one that has the port is not known', async () => {
    const port = await namelessPort();
    await open({ ingestPort: port });
    expect(document.querySelector('[role="alert"]')?.textContent).toContain(
      `Another program is listening on 127.0.0.1:${port}.`,
    );
  });
  it('says that the store cannot be written', async () => {
    await open();
    const other = new Database(storePath(engine.folder));
    onTestFinished(() => void other.close());
    const post = () => settled(engine.post('/v1/track', { userId: 'u', event: 'Order Completed' }, 'wk_web'));
    other.exec('BEGIN IMMEDIATE');
    expect(await post()).toBe(503);
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('The store cannot be written.');
    other.exec('ROLLBACK');
    expect(await post()).toBe(200);
    expect(document.querySelector('[role="alert"]')).toBeNull();
  });
  it('asks for the link when there is no token', async () => {
    shown = await render(<App tokenMissing />);
    expect(text()).toContain('This page needs the link from the terminal.');
  });
  it('says that Hookbench was started again, over what is shown and where nothing is', async () => {
    await open();
    const { act } = await import('react');
    await act(async () => useRecords.setState({ connection: 'refused' }));
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('Hookbench was started again.');
    expect(text()).toContain('Open the address that it printed in the terminal');
    await act(async () => useRecords.setState({ ready: false }));
    expect(document.querySelector('main')?.textContent).toContain('Hookbench was started again.');
    expect(text()).toContain('Open the address that it printed in the terminal');
  });
  it('shows nothing before 300 ms, then that it is connecting', async () => {
    vi.useFakeTimers();
    shown = await render(<App />);
    expect(document.querySelector('main')?.textContent).toBe('Hookbench');
    const { act } = await import('react');
    await act(async () => vi.advanceTimersByTime(300));
    expect(text()).toContain('Connecting to the engine');
    vi.useRealTimers();
  });
});
