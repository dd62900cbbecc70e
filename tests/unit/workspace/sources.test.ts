import { describe, expect, test } from 'vitest';
import { core, done, parts, source, workspace } from './workspace-stage.ts';

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
