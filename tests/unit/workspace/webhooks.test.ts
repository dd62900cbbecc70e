import { describe, expect, test } from 'vitest';
import { core, done, OWN_PORT, openWorkspace, webhook, workspace } from './workspace-stage.ts';

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
