import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { DEFAULT_RETRY } from '../../../src/core/model/vocabulary.ts';
import { createSelfSigned } from '../../helpers/certificates.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';
import { core, done, openWorkspace, source, workspace } from './workspace-stage.ts';

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
