import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LivePart } from '../../../src/contract/live.ts';
import { createSealer } from '../../../src/core/adapters/sealer.ts';
import { Authorities } from '../../../src/core/delivery/authorities.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { DEFAULT_RETRY } from '../../../src/core/model/vocabulary.ts';
import { SqliteWorkspace } from '../../../src/core/store/workspace.ts';
import { ConfigValueError, takeConfig } from '../../../src/core/workspace/settings-owner.ts';
import { Workspace } from '../../../src/core/workspace/workspace.ts';
import { createSelfSigned } from '../../helpers/certificates.ts';
import { Core } from '../../helpers/core-fixture.ts';
import { countingIds } from '../../helpers/sim-ports.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const OWN_PORT = 8765;
let core: Core;
let parts: LivePart[];
let commits = 0;
let workspace: Workspace;

function openWorkspace(over: Core, key = 7): Workspace {
  return new Workspace({
    store: new SqliteWorkspace(over.db, createSealer(new Uint8Array(32).fill(key))),
    write: (job) => over.writer.write(job),
    clock: over.time,
    ids: countingIds(),
    ownPorts: () => [OWN_PORT],
    authorities: new Authorities((path) => readFileSync(path)),
    changed: (part) => void parts.push(part),
  });
}

beforeEach(() => {
  parts = [];
  core = new Core({
    folder: tempWorkspace(),
    onCommit: () => {
      commits += 1;
    },
  });
  workspace = openWorkspace(core);
});

const done = <T>(promise: Promise<T>): Promise<T> => core.done(promise);
const source = (name: string, over: object = {}) => ({
  name,
  kind: 'server' as const,
  enabled: true,
  webhooks: true,
  ...over,
});
const webhook = (over: object = {}) => ({
  name: '',
  url: 'https://example.test/hook',
  headers: [],
  enabled: true,
  ...over,
});

describe('sources', () => {
  test('are saved, changed and removed; each change is told once', async () => {
    const saved = await done(workspace.sources.save(source('a')));
    expect(saved).toMatchObject({ name: 'a', enabled: true, createdAt: core.time.wall() });
    expect(saved.writeKey).toMatch(/^wk_[0-9a-f]{24}$/);
    expect(workspace.sources.byKey(saved.writeKey)).toEqual(saved);
    const changed = await done(workspace.sources.save(source('b', { id: saved.id, enabled: false })));
    expect(changed).toEqual({ ...saved, name: 'b', enabled: false });
    await done(workspace.sources.remove(saved.id));
    expect(workspace.sources.all).toEqual([]);
    expect(workspace.sources.byKey(saved.writeKey)).toBeUndefined();
    expect(parts).toEqual(['sources', 'sources', 'sources']);
  });

  test('a write key has one source', async () => {
    await done(workspace.sources.save(source('a', { writeKey: 'same' })));
    await expect(done(workspace.sources.save(source('b', { writeKey: 'same' })))).rejects.toMatchObject({
      code: 'write_key_taken',
      field: 'writeKey',
    });
    const both = Promise.allSettled([
      workspace.sources.save(source('c', { writeKey: 'k' })),
      workspace.sources.save(source('d', { writeKey: 'k' })),
    ]);
    expect(
      (await done(both)).map((one) =>
        one.status === 'fulfilled' ? one.value.name : (one.reason as { code: string }).code,
      ),
    ).toEqual(['c', 'write_key_taken']);
  });

  test('what is not there cannot be changed', async () => {
    await expect(done(workspace.sources.save(source('a', { id: 9 })))).rejects.toMatchObject({
      code: 'source_not_found',
    });
    await expect(done(workspace.sources.remove(9))).rejects.toMatchObject({ code: 'source_not_found' });
  });

  test('a first source is made for a workspace without one, and only then', async () => {
    await done(workspace.sources.ensureOne());
    await done(workspace.sources.ensureOne());
    expect(workspace.sources.all.map(({ name, writeKey }) => [name, writeKey.slice(0, 7)])).toEqual([
      ['dev', 'wk_dev_'],
    ]);
  });

  test('made by a key: once for many requests of one turn', async () => {
    const made = await done(Promise.all([1, 2, 3].map(() => workspace.sources.makeFor('new-key'))));
    expect(new Set(made.map((one) => one!.id)).size).toBe(1);
    expect(workspace.sources.all).toHaveLength(1);
  });

  test('made by a key: 50 at most, even when they are asked for in one turn', async () => {
    const made = await done(Promise.all(Array.from({ length: 60 }, (_, i) => workspace.sources.makeFor(`key-${i}`))));
    expect(made.filter((one) => one !== undefined)).toHaveLength(50);
    expect(workspace.sources.all).toHaveLength(50);
    expect(await done(workspace.sources.makeFor('one-more'))).toBeUndefined();
    await done(workspace.sources.save(source('by a person')));
    expect(workspace.sources.all).toHaveLength(51);
  });
});

describe('webhooks', () => {
  test('take the first free of five slots', async () => {
    for (let slot = 1; slot <= 5; slot++)
      expect(await done(workspace.webhooks.save(webhook()))).toMatchObject({ slot, name: `Webhook ${slot}` });
    await expect(done(workspace.webhooks.save(webhook()))).rejects.toMatchObject({ code: 'too_many_webhooks' });
    const third = workspace.webhooks.all[2]!;
    await done(workspace.webhooks.remove(third.id));
    const again = await done(workspace.webhooks.save(webhook({ name: 'again' })));
    expect(again).toMatchObject({ slot: 3, name: 'again' });
    expect(again.id).not.toBe(third.id);
    expect(workspace.webhooks.all).toHaveLength(5);
  });

  test('two new ones of one turn get two slots', async () => {
    const both = await done(Promise.all([workspace.webhooks.save(webhook()), workspace.webhooks.save(webhook())]));
    expect(both.map(({ slot }) => slot)).toEqual([1, 2]);
  });

  test('keep the value of a header that is given as null, and drop those not given', async () => {
    const first = await done(
      workspace.webhooks.save(
        webhook({
          headers: [
            { name: 'Authorization', value: 'Bearer x' },
            { name: 'X-Env', value: 'dev' },
          ],
        }),
      ),
    );
    const second = await done(
      workspace.webhooks.save(webhook({ id: first.id, headers: [{ name: 'authorization', value: null }] })),
    );
    expect(second.headers).toEqual([['authorization', 'Bearer x']]);
    expect(second.slot).toBe(first.slot);
    await expect(
      done(workspace.webhooks.save(webhook({ id: first.id, headers: [{ name: 'X-New', value: null }] }))),
    ).rejects.toMatchObject({
      code: 'invalid_header',
      field: 'headers.0.value',
    });
  });

  test('of headers with one name each keeps its own value, also when one goes or moves', async () => {
    const headers = ['first', 'second', 'third'].map((value) => ({ name: 'X-Key', value }));
    const { id } = await done(workspace.webhooks.save(webhook({ headers })));
    const values = async (edit: readonly object[]): Promise<readonly string[]> => {
      const saved = await done(workspace.webhooks.save(webhook({ id, headers: edit })));
      return saved.headers.map(([, value]) => value);
    };
    const kept = { name: 'x-key', value: null };
    expect(await values([kept, kept, kept])).toEqual(['first', 'second', 'third']);
    expect(
      await values([
        { ...kept, at: 2 },
        { ...kept, at: 1 },
      ]),
    ).toEqual(['third', 'second']);
    // A place from before another edit: the name decides.
    expect(await values([{ ...kept, at: 9 }])).toEqual(['third']);
    await expect(values([kept, kept])).rejects.toMatchObject({ code: 'invalid_header', field: 'headers.1.value' });
  });

  test('a header keeps its mark with its value, and loses it with a new one', async () => {
    const { id } = await done(
      workspace.webhooks.save(webhook({ headers: [{ name: 'X-Team', value: 'checkout', shown: true }] })),
    );
    const saved = async (header: object): Promise<unknown> =>
      (await done(workspace.webhooks.save(webhook({ id, headers: [{ name: 'X-Team', ...header }] })))).headers;
    expect(await saved({ value: null })).toEqual([['X-Team', 'checkout', 'shown']]);
    expect(openWorkspace(core).webhooks.all[0]!.headers).toEqual([['X-Team', 'checkout', 'shown']]);
    expect(await saved({ value: null, shown: false })).toEqual([['X-Team', 'checkout']]);
    expect(await saved({ value: null, shown: true })).toEqual([['X-Team', 'checkout', 'shown']]);
    expect(await saved({ value: 'other' })).toEqual([['X-Team', 'other']]);
  });

  test.each([
    ['ftp://a/', 'invalid_url'],
    [`http://localhost:${OWN_PORT}/`, 'loop_url'],
    [`http://127.0.0.1:${OWN_PORT}/v1/track`, 'loop_url'],
  ])('the URL %s is refused as %s', async (url, code) => {
    await expect(done(workspace.webhooks.save(webhook({ url })))).rejects.toMatchObject({ code, field: 'url' });
    expect(workspace.webhooks.all).toEqual([]);
  });

  test('a header that is not allowed is refused with its place', async () => {
    const bad = workspace.webhooks.save(
      webhook({
        headers: [
          { name: 'A', value: 'b' },
          { name: 'Host', value: 'x' },
        ],
      }),
    );
    await expect(done(bad)).rejects.toMatchObject({ code: 'invalid_header', field: expect.stringContaining('1') });
  });

  test('one that is removed in the turn of its change is not there', async () => {
    const { id } = await done(workspace.webhooks.save(webhook()));
    const both = Promise.allSettled([workspace.webhooks.remove(id), workspace.webhooks.save(webhook({ id }))]);
    expect((await done(both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(workspace.webhooks.all).toEqual([]);
  });

  test('what is not there cannot be changed', async () => {
    await expect(done(workspace.webhooks.save(webhook({ id: 9 })))).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
    await expect(done(workspace.webhooks.remove(9))).rejects.toMatchObject({ code: 'webhook_not_found' });
  });
});

describe('secrets', () => {
  test('are shown as their last two characters and length, and kept sealed', async () => {
    expect(workspace.destination.view().secret).toEqual({ state: 'none' });
    await done(workspace.destination.setSecret('correct horse'));
    await done(
      workspace.webhooks.save(webhook({ headers: [{ name: 'Authorization', value: 'Bearer battery-staple' }] })),
    );
    expect(workspace.destination.secret).toEqual({ state: 'set', value: 'correct horse' });
    expect(workspace.destination.view().secret).toEqual({ state: 'set', last2: 'se', length: 13 });
    const everything = JSON.stringify(
      (core.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]).map((table) =>
        (core.db.prepare(`SELECT * FROM ${table}`).all() as Array<Record<string, unknown>>).map((row) =>
          Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
        ),
      ),
    );
    expect(everything).not.toContain('horse');
    expect(everything).not.toContain('battery');
    await done(workspace.destination.setSecret(null));
    expect(workspace.destination.secret).toEqual({ state: 'none' });
  });

  test.each([
    ['ab', ''],
    ['eleven-char', ''],
    ['twelve-chars', 'rs'],
  ])('the tail of %s is "%s", in the store too', async (secret, last2) => {
    await done(workspace.destination.setSecret(secret));
    expect(workspace.destination.view().secret).toEqual({ state: 'set', last2, length: secret.length });
    expect(core.db.prepare('SELECT last2 FROM secrets').pluck().get()).toBe(last2);
  });

  test('keep the blanks at their ends, in the store and after a restart', async () => {
    await done(workspace.destination.setSecret('  with blanks\n'));
    expect(workspace.destination.signingSecret()).toBe('  with blanks\n');
    expect(openWorkspace(core).destination.signingSecret()).toBe('  with blanks\n');
  });

  test('that cannot be unsealed are unreadable, not absent', async () => {
    await done(workspace.destination.setSecret('shh'));
    const other = openWorkspace(core, 8);
    expect(other.destination.secret).toEqual({ state: 'unreadable' });
    expect(other.secretsReadable).toBe(false);
    expect(other.destination.view().secret).toEqual({ state: 'unreadable' });
    await done(other.destination.setSecret('new'));
    expect(other.secretsReadable).toBe(true);
  });

  test('headers of a webhook that cannot be unsealed hold everything', async () => {
    await done(workspace.webhooks.save(webhook({ headers: [{ name: 'Authorization', value: 'x' }] })));
    const other = openWorkspace(core, 8);
    expect(other.webhooks.all[0]).toMatchObject({ readable: false, headers: [] });
    expect(other.secretsReadable).toBe(false);
  });
});

describe('settings', () => {
  test('have defaults, are changed in part, and are there after a restart', async () => {
    const defaults = { enabled: true, paused: false, caFile: null, ...PROFILES.documented };
    expect(workspace.destination.settings).toEqual(defaults);
    expect(workspace.ingest.settings).toMatchObject({ mode: 'segment', acceptAnyKey: false, dedupe: true });
    await done(workspace.destination.save({ timeoutMs: 10_000, body: undefined }));
    await done(workspace.destination.save({ enabled: false }));
    await done(workspace.ingest.save({ port: 9_000 }));
    const again = openWorkspace(core);
    expect(again.destination.settings).toEqual({ ...defaults, enabled: false, timeoutMs: 10_000 });
    expect(again.ingest.port).toBe(9_000);
  });

  test('two edits of one turn are both kept', async () => {
    const both = Promise.all([
      workspace.destination.save({ paused: true }),
      workspace.destination.save({ timeoutMs: 4_000 }),
      workspace.storage.save({ maxMessages: 500 }),
      workspace.storage.save({ maxAgeDays: 5 }),
    ]);
    await done(both);
    expect(workspace.destination.settings).toMatchObject({ paused: true, timeoutMs: 4_000 });
    expect(workspace.storage.limits).toMatchObject({ maxMessages: 500, maxAgeDays: 5 });
  });

  test("a profile takes over every rule but the seed; what is given beside it wins, and then they are nobody's", async () => {
    await done(workspace.destination.save({ retry: { ...DEFAULT_RETRY, seed: 77 } }));
    await done(workspace.destination.save({ profile: 'classic' }));
    expect(workspace.destination.settings).toMatchObject({ ...PROFILES.classic, retry: { seed: 77 } });
    expect(workspace.destination.view().profile).toBe('classic');
    await done(workspace.destination.save({ profile: 'actions', timeoutMs: 4_000 }));
    expect(workspace.destination.settings).toMatchObject({ redirects: 'follow', timeoutMs: 4_000 });
    expect(workspace.destination.view().profile).toBe('own');
    await done(workspace.destination.save({ profile: 'documented' }));
    expect(workspace.destination.view()).toMatchObject({ profile: 'documented', enabled: true });
  });

  test('a file of authorities is read when it is named: what is wrong with it is said, and nothing is changed', async () => {
    const file = join(tempWorkspace(), 'ca.pem');
    await expect(workspace.destination.save({ caFile: file })).rejects.toMatchObject({ code: 'ca_file_invalid' });
    writeFileSync(file, 'no certificate');
    await expect(workspace.destination.save({ caFile: file })).rejects.toMatchObject({
      code: 'ca_file_invalid',
      field: 'caFile',
      message: 'The file holds no PEM certificate.',
    });
    expect(workspace.destination.view().caFile).toBeNull();
    const { cert } = await createSelfSigned();
    writeFileSync(file, `${cert}\n${cert}`);
    await done(workspace.destination.save({ caFile: file }));
    expect(workspace.destination.view().caFile).toEqual({ path: file, certificates: 2, problem: null });
    expect(workspace.destination.trusted()).toHaveLength(2);
    expect(workspace.destination.trusted()).toBe(workspace.destination.trusted());
    rmSync(file);
    const again = openWorkspace(core);
    expect(again.destination.trusted()).toEqual([]);
    expect(again.destination.view().caFile?.problem).toMatch(/^The file cannot be read/);
  });

  test('accept any key for one run wins over the setting and is not stored', async () => {
    workspace.ingest.acceptAnyKeyForNow(true);
    expect(workspace.ingest.settings.acceptAnyKey).toBe(true);
    await done(workspace.ingest.save({ port: 1 }));
    expect(openWorkspace(core).ingest.settings.acceptAnyKey).toBe(false);
  });

  test('a change that cannot be written changes nothing in memory', async () => {
    await done(workspace.sources.save(source('a', { writeKey: 'k' })));
    core.db.pragma('query_only = ON');
    await expect(done(workspace.destination.save({ enabled: false }))).rejects.toMatchObject({
      code: 'store_not_writable',
    });
    await expect(done(workspace.sources.save(source('b')))).rejects.toMatchObject({ code: 'store_not_writable' });
    await expect(done(workspace.destination.setSecret('s'))).rejects.toMatchObject({ code: 'store_not_writable' });
    expect(workspace.destination.settings.enabled).toBe(true);
    expect(workspace.sources.all).toHaveLength(1);
    expect(workspace.destination.secret).toEqual({ state: 'none' });
  });
});

describe('the config file', () => {
  const entry = (name: string, over: object = {}) => ({
    name,
    url: `https://${name}.test/`,
    headers: {},
    enabled: true,
    ...over,
  });

  test('is taken over in one transaction; what it does not say stays', async () => {
    await done(workspace.sources.save(source('old', { writeKey: 'k1' })));
    await done(workspace.sources.save(source('other', { writeKey: 'k2' })));
    const before = workspace.sources.all[0]!;
    commits = 0;
    await done(
      takeConfig(workspace.owners, {
        sources: [
          { ...source('new'), writeKey: 'k1' },
          { ...source('more'), writeKey: 'k3' },
        ],
        webhooks: {
          entries: [entry('a', { headers: { 'X-A': '1' } }), entry('b', { enabled: false })],
          timeoutMs: 4_000,
          sharedSecret: 'shh',
        },
        ingest: { port: 1_234, mode: 'strict' },
      }),
    );
    expect(commits).toBe(1);
    expect(workspace.sources.all.map(({ name }) => name)).toEqual(['new', 'other', 'more']);
    expect(workspace.sources.all[0]).toMatchObject({ id: before.id, createdAt: before.createdAt });
    expect(workspace.webhooks.all).toMatchObject([
      { slot: 1, name: 'a', headers: [['X-A', '1']], enabled: true },
      { slot: 2, name: 'b', enabled: false },
    ]);
    expect(workspace.destination.settings).toMatchObject({
      timeoutMs: 4_000,
      enabled: true,
      body: 'documented',
      retry: DEFAULT_RETRY,
    });
    expect(workspace.destination.secret).toEqual({ state: 'set', value: 'shh' });
    expect(workspace.ingest.settings).toMatchObject({ mode: 'strict', dedupe: true });
    expect(workspace.ingest.port).toBe(1_234);
  });

  test('fewer entries remove the webhooks behind them; the others keep their ids', async () => {
    await done(takeConfig(workspace.owners, { webhooks: { entries: [entry('a'), entry('b'), entry('c')] } }));
    const ids = workspace.webhooks.all.map(({ id }) => id);
    await done(takeConfig(workspace.owners, { webhooks: { entries: [entry('z')] } }));
    expect(workspace.webhooks.all).toMatchObject([{ id: ids[0], name: 'z', slot: 1 }]);
    await done(takeConfig(workspace.owners, { sources: [] }));
    expect(workspace.webhooks.all).toHaveLength(1);
  });

  test('a value that breaks a rule is named by its path, and nothing is changed', async () => {
    const bad = takeConfig(workspace.owners, {
      sources: [{ ...source('s'), writeKey: 'k' }],
      webhooks: { entries: [entry('a'), entry('b', { url: 'ftp://x/' })] },
    });
    await expect(done(bad)).rejects.toBeInstanceOf(ConfigValueError);
    await expect(bad).rejects.toMatchObject({ path: 'webhooks.entries[1].url' });
    expect(workspace.sources.all).toEqual([]);
    expect(workspace.webhooks.all).toEqual([]);
  });

  test('a store that cannot be written takes nothing over', async () => {
    core.db.pragma('query_only = ON');
    await expect(
      done(takeConfig(workspace.owners, { webhooks: { entries: [entry('a')], sharedSecret: 'x' } })),
    ).rejects.toMatchObject({ code: 'store_not_writable' });
    expect(workspace.webhooks.all).toEqual([]);
    expect(workspace.destination.secret).toEqual({ state: 'none' });
  });
});
