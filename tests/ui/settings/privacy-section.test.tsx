/** Settings, Privacy: each sentence by what the engine has. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import SettingsScreen from '../../../src/renderer/screens/settings/settings-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import {
  byName,
  connectEngine,
  disconnect,
  press,
  type Rendered,
  render,
  settle,
  settled,
  type,
  until,
} from '../base/harness.tsx';

let engine: SimEngine;
let shown: Rendered;

async function open(config: Config = {}, setup: SimEngineSetup = {}): Promise<void> {
  engine = await connectEngine({ config, keyStorage: 'file', ...setup });
  navigate({ screen: 'settings', section: 'privacy' });
  shown = await render(<SettingsScreen />);
  await settle();
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

/** Sections are named by their titles. */
const cards = () => [...document.querySelectorAll('section h2')].map((title) => title.textContent);
const cardOf = (title: string): string =>
  [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === title)
    ?.textContent ?? '';
const rowsOf = (name: string) =>
  [...document.querySelectorAll(`ul[aria-label="${name}"] li`)].map((row) =>
    [...row.querySelectorAll(':scope > span')].map((cell) => cell.textContent),
  );
const field = () => byName('main input', 'Mask fields') as HTMLInputElement;

const HOOKS: Config = {
  webhooks: {
    entries: [
      { name: 'CRM', url: 'https://crm.acme.test/in?key=1', headers: {}, enabled: true },
      { name: 'Mine', url: 'http://localhost:4000/', headers: {}, enabled: false },
      { name: 'Near', url: 'http://127.0.0.1.acme.test/', headers: {}, enabled: true },
    ],
  },
};

describe('what leaves this machine', () => {
  it('names each webhook by its host, and says which are this machine', async () => {
    await open(HOOKS);
    expect(rowsOf('Webhooks')).toEqual([
      ['CRM', 'https://crm.acme.test', 'another host, on'],
      ['Mine', 'http://localhost:4000', 'this machine, off'],
      ['Near', 'http://127.0.0.1.acme.test', 'another host, on'],
    ]);
    expect(cardOf('What leaves this machine')).not.toContain('nothing is delivered');
  });

  it('follows what changes: no webhook, and rules that follow redirects', async () => {
    await open();
    const words = () => cardOf('What leaves this machine');
    expect(words()).toContain('No webhook is set, so nothing is delivered.');
    expect(words()).toContain('Redirects are not followed.');
    await settled(call('destination.save', { redirects: 'follow' }));
    await until(() => words().includes('follow redirects, so a receiver can lead a request to another host.'));
    expect(words()).not.toContain('Redirects are not followed.');
  });
});

describe('masked fields', () => {
  it('are saved as a list, and shown as the engine keeps them', async () => {
    await open();
    await type(field(), 'traits.email,  context.ip , traits.email');
    await press(field(), 'Enter');
    await until(() => useRecords.getState().exports?.mask.length === 2);
    expect(field().value).toBe('traits.email, context.ip');
    const config = JSON.parse((await settled(call('config.export'))).text) as Config;
    expect(config.exports).toEqual({ mask: ['traits.email', 'context.ip'] });
  });

  it('are refused with the reason, and the typed text stays', async () => {
    await open();
    const long = `traits.${'x'.repeat(200)}`;
    await type(field(), long);
    await press(field(), 'Enter');
    expect(cardOf('Exports and pages to share')).toContain('A path has at most 200 characters.');
    expect([field().value, useRecords.getState().exports?.mask]).toEqual([long, []]);
  });
});

describe('secrets', () => {
  const SEALED: Config = {
    webhooks: {
      sharedSecret: 'a secret of the test',
      entries: [
        {
          name: 'CRM',
          url: 'https://crm.test/',
          headers: { Authorization: 'Bearer x', 'X-Tenant': { value: 'acme', shown: true } },
          enabled: true,
        },
      ],
    },
  };

  it('are told by what is set', async () => {
    await open();
    expect(cardOf('Secrets')).toContain('None, so requests are not signed.');
    expect(cardOf('Secrets')).toContain('Static headersNone.');
  });

  it('are counted, without their values', async () => {
    await open(SEALED);
    expect(cardOf('Secrets')).toContain('Set and sealed.');
    expect(cardOf('Secrets')).toContain('2 values sealed, 1 of them shown in clear because you chose so.');
    expect(document.body.textContent).not.toContain('Bearer x');
    expect(document.body.textContent).not.toContain('secret of the test');
  });
});

describe('files', () => {
  it('are those of this shell and key, each with its whole path to copy', async () => {
    await open({}, { keyStorage: 'system', shell: 'electron' });
    const names = () => rowsOf('Files of the workspace').map(([name]) => name);
    expect(names()).toEqual(['store.sqlite', 'key.sealed', 'store.json']);
    expect(cardOf('Files')).toContain(engine.folder);
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    byName('button', 'Copy the path of key.sealed').click();
    await settle();
    expect(copied).toEqual([`${engine.folder}/key.sealed`]);
    await settled(call('ingest.authority'));
    await until(() => names().length === 5);
    expect(names()).toEqual(['store.sqlite', 'key.sealed', 'authority.pem', 'authority.key', 'store.json']);
    expect(cardOf('Secrets')).toContain('Local authority');
  });
});

it('says that there is no log file', async () => {
  await open();
  expect(cardOf('Log')).toContain('Hookbench writes no log file.');
  expect(cards()).toEqual(['What leaves this machine', 'Exports and pages to share', 'Secrets', 'Files', 'Log']);
});
