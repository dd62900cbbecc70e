/** The settings of a workspace as a config file, and a new workspace from it, with the real engine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exportConfigCommand } from '../../src/cli/export-config.ts';
import { type Config, configSchema, parseConfig } from '../../src/contract/config.ts';
import { rulesInput } from '../../src/contract/rules.ts';
import { PROFILES } from '../../src/core/model/rules.ts';
import { readConfigFile } from '../../src/shell/config-file.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { otherThan } from '../helpers/other-values.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const SECRETS = { WEBHOOK_SECRET: 'kept-apart-1', CRM_AUTHORIZATION: 'kept-apart-2', CRM_X_KEY: 'kept-apart-3' };

/** No setting is as it is in a new workspace. */
const EVERYTHING: Config = {
  sources: [
    {
      name: 'shop',
      writeKey: 'wk_1',
      kind: 'web',
      enabled: false,
      webhooks: false,
      eventsOff: ['B', 'a "quoted" one'],
    },
    { name: 'app', writeKey: 'wk_2', kind: 'mobile', enabled: true, webhooks: true, eventsOff: [] },
  ],
  webhooks: {
    enabled: false,
    paused: true,
    sharedSecret: SECRETS.WEBHOOK_SECRET,
    ...otherThan(rulesInput, PROFILES.documented),
    caFile: '/nowhere/ca.pem',
    entries: [
      {
        name: 'CRM',
        url: 'https://crm.test/hook',
        headers: {
          Authorization: SECRETS.CRM_AUTHORIZATION,
          'X-Tenant': { value: 'acme', shown: true },
          'X-Key': [SECRETS.CRM_X_KEY, { value: 'open', shown: true }],
        },
        enabled: false,
      },
      { name: 'Bücher & Co', url: 'http://localhost:4000/', headers: {}, enabled: true },
    ],
  },
  ingest: {
    port: 45_123,
    mode: 'strict',
    acceptAnyKey: true,
    dedupe: false,
    correctEveryTimestamp: true,
    faults: [
      {
        id: 4,
        on: false,
        when: { mode: 'burst', fail: 2, pass: 3 },
        action: { kind: 'status', status: 429, retryAfter: 2, retryAfterForm: 'date' },
        writeKey: 'wk_1',
        paths: ['track'],
        store: true,
      },
    ],
    faultsOn: false,
    faultSeed: 7,
    https: { enabled: false, port: 45_124 },
    browserSdk: '/nowhere/analytics',
  },
  storage: { maxMessages: 5_000, maxBytes: 20_000_000, maxAgeDays: 3 },
  exports: { mask: ['traits.email', 'context.ip'] },
  receivers: {
    port: 45_125,
    httpsPort: 45_126,
    entries: [
      {
        id: 'recovers',
        name: 'Recovers late',
        tls: true,
        steps: [{ response: { kind: 'status', status: 503, headers: [], body: 'no' }, times: 9, delayMs: 2 }],
        check: { on: false, onMismatch: 'mark', secret: 'wrong' },
      },
      {
        id: 'mine',
        name: 'Mine',
        tls: false,
        steps: [{ response: { kind: 'throttle', retryAfter: '3' }, times: 'forever', delayMs: 0 }],
        check: { on: true, onMismatch: 'reject', secret: 'shared' },
      },
    ],
  },
  audiences: [
    {
      name: 'Käufer (EU)',
      property: 'buyers_eu',
      userIds: [' usr_1', 'usr_1', 'ü'],
      sync: { when: 'every', everyMs: 3_600_000 },
      track: true,
    },
    { name: 'Leer', property: 'leer', userIds: [], sync: { when: 'change' }, track: false },
    {
      name: 'Repeat buyers',
      property: 'repeat_buyers',
      rule: {
        match: 'all',
        of: [
          { kind: 'trait', path: 'plan', test: { op: 'is', value: 'pro' } },
          {
            kind: 'group',
            match: 'none',
            of: [
              {
                kind: 'event',
                event: 'Order Completed',
                op: 'at_most',
                times: 1,
                withinMs: 604_800_000,
                where: [{ path: 'properties.total', test: { op: 'above', value: 20.5 } }],
              },
            ],
          },
        ],
      },
      sync: { when: 'change' },
      track: false,
    },
  ],
  traits: [
    {
      name: 'Lifetime value',
      property: 'lifetime_value',
      definition: { kind: 'sum', event: 'Order Completed', path: 'properties.total', where: [], withinMs: null },
      sync: { when: 'every', everyMs: 86_400_000 },
    },
    {
      name: 'First seen',
      property: 'first_seen',
      definition: { kind: 'first_seen', event: null, path: null, where: [], withinMs: null },
      sync: { when: 'hand' },
    },
  ],
  clock: { speed: 60, paused: true },
};

const exported = (engine: RunningEngine) => engine.client.call('config.export');

/** Starts on the text of a file, as a shell does. */
function startOn(text: string): Promise<RunningEngine> {
  const file = join(tempWorkspace(), 'hookbench.json');
  writeFileSync(file, text);
  return startEngine({ config: readConfigFile(file, SECRETS) });
}

test('a start with the exported file gives the same workspace: its export has the same bytes', async () => {
  const first = await exported(await startEngine({ config: EVERYTHING }));
  const second = await exported(await startOn(first.text));
  expect(second).toEqual(first);
});

test('it says every setting, and a variable in place of each secret', async () => {
  const { text, variables } = await exported(await startEngine({ config: EVERYTHING }));
  expect(variables).toEqual(Object.keys(SECRETS));
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  const [crm, books] = EVERYTHING.webhooks!.entries!;
  const headers = {
    Authorization: { env: 'CRM_AUTHORIZATION' },
    'X-Tenant': { value: 'acme', shown: true },
    'X-Key': [{ env: 'CRM_X_KEY' }, { value: 'open', shown: true }],
  };
  expect(JSON.parse(text)).toEqual({
    $schema: './hookbench.schema.json',
    ...EVERYTHING,
    webhooks: {
      ...EVERYTHING.webhooks,
      sharedSecret: { env: 'WEBHOOK_SECRET' },
      entries: [{ ...crm, headers }, books],
    },
  });
});

test('it has every field that the schema knows but the profile, whose rules it spells out', async () => {
  const { text } = await exported(await startEngine({ config: EVERYTHING }));
  const config = JSON.parse(text) as Record<string, object>;
  const fieldsOf = (key: 'webhooks' | 'ingest' | 'storage' | 'receivers' | 'clock') =>
    Object.keys(configSchema.shape[key].unwrap().shape).filter((field) => field !== 'profile');
  expect(Object.keys(config).sort()).toEqual(Object.keys(configSchema.shape).sort());
  for (const key of ['webhooks', 'ingest', 'storage', 'receivers', 'clock'] as const)
    expect(Object.keys(config[key]!).sort()).toEqual(fieldsOf(key).sort());
});

test('a new workspace exports its defaults, and a start with them changes nothing', async () => {
  const engine = await startEngine({ config: configOf([]) });
  const { text, variables } = await exported(engine);
  expect(variables).toEqual([]);
  expect(parseConfig(text).ok).toBe(true);
  expect((await exported(await startOn(text))).text).toBe(text);
});

test('what a person changes is in the next export', async () => {
  const engine = await startEngine({ config: configOf(['http://localhost:1/']) });
  const { client } = engine;
  const source = await client.call('sources.save', { name: 'new', kind: 'web', enabled: true, webhooks: true });
  await client.call('sources.switchEvent', { id: source.id, event: 'Seen', on: false });
  await client.call('storage.save', { maxMessages: 777 });
  await client.call('ingest.save', { mode: 'strict' });
  await client.call('destination.save', { profile: 'classic' });
  await client.call('clock.setSpeed', { speed: 10 });
  const config = JSON.parse((await exported(engine)).text) as Config;
  expect(config.sources!.at(-1)).toMatchObject({ name: 'new', eventsOff: ['Seen'] });
  expect(config).toMatchObject({
    storage: { maxMessages: 777 },
    ingest: { mode: 'strict', acceptAnyKey: false },
    clock: { speed: 10 },
  });
  const again = await startOn(JSON.stringify(config));
  expect(again.hello.parts.destination.profile).toBe('classic');
});

test('names that would give the same variable get different ones', async () => {
  const headers = { 'X-Key': 'one', x_key: 'two' };
  const entries = ['A b', 'A-B'].map((name) => ({ name, url: 'http://localhost:1/', headers }));
  const { variables } = await exported(await startEngine({ config: configOf(entries) }));
  expect(variables).toEqual(['A_B_X_KEY', 'A_B_X_KEY_2', 'A_B_X_KEY_3', 'A_B_X_KEY_4']);
});

test('headers that cannot be read are not left out in silence', async () => {
  const first = await startEngine({ config: configOf([{ url: 'http://localhost:1/', headers: { 'X-Key': 'one' } }]) });
  await first.stop();
  const locked = await startEngine({ workspace: first.workspace, key: new Uint8Array(32) });
  await expect(exported(locked)).rejects.toMatchObject({ code: 'secret_unreadable' });
});

test('the command line writes the file and says which variables it needs', async () => {
  const engine = await startEngine({ config: EVERYTHING, controlSocket: true });
  const file = join(tempWorkspace(), 'hookbench.json');
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const needed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const command = (...args: string[]) =>
    exportConfigCommand.run(['--workspace', engine.workspace, ...args], {} as never, {});
  await command('--out', file);
  const { text } = await exported(engine);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(said.mock.calls).toEqual([[`Wrote ${file}.\n`]]);
  expect(needed.mock.calls).toEqual([[`Set before a start with it: ${Object.keys(SECRETS).join(', ')}.\n`]]);
  said.mockClear();
  await command();
  expect(said.mock.calls).toEqual([[text]]);
  vi.restoreAllMocks();
  await engine.stop();
  await expect(command()).rejects.toMatchObject({ code: 'not_running' });
});
