import { describe, expect, test } from 'vitest';
import { core, done, openWorkspace, webhook, workspace } from './workspace-stage.ts';

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
