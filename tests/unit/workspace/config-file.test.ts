import { describe, expect, test } from 'vitest';
import { DEFAULT_RETRY } from '../../../src/core/model/vocabulary.ts';
import { ConfigValueError, takeConfig } from '../../../src/core/workspace/settings-owner.ts';
import { commits, core, done, source, workspace } from './workspace-stage.ts';

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
    const earlier = commits;
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
    expect(commits).toBe(earlier + 1);
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
