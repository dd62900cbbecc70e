/** The other ways to a deletion: the command line, and `POST /v1/regulations`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deletionsCommand } from '../../src/cli/deletions.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { runCommand } from '../helpers/run-command.ts';

const said = (engine: RunningEngine, ...args: string[]) =>
  runCommand(deletionsCommand, [...args, '--workspace', engine.workspace]);

async function engineWith(status: number): Promise<RunningEngine> {
  const hook = await startReceiver({ status });
  return startEngine({ config: configOf([hook.url]), controlSocket: true });
}

describe('hookbench deletions', () => {
  test('shows a dry run, deletes, waits, lists, and lifts', async () => {
    const engine = await engineWith(200);
    await engine.final(await engine.track('A', { userId: 'usr_1' }));
    const file = join(engine.workspace, 'ids.txt');
    writeFileSync(file, '\uFEFFusr_2\r\n usr_1\n');
    expect((await said(engine)).text).toBe('No deletion request yet.\n');

    const dry = await said(engine, 'add', '--user', 'usr_1', '--file', file, '--dry-run', '--json');
    const { preview, notices } = JSON.parse(dry.text);
    expect(preview).toMatchObject({ lines: 3, ids: 3, known: 1, near: 1, unknown: 1, notices: 1 });
    expect(Object.keys(JSON.parse(notices[0].body))).toEqual(['type', 'userId', 'timestamp']);
    expect((await engine.client.call('deletions.list', { limit: 1 })).rows).toEqual([]);

    const added = await said(engine, 'add', '--user', 'usr_1', '--erase', '--suppress', '--wait');
    expect(added.code).toBe(0);
    expect(added.text).toContain(
      'Deletion request 1: done.\n1 notice about 1 user: 1 delivered, 0 failed, 0 waiting.\n',
    );
    expect(added.text).toContain('Erased 1 message with 1 attempt, 0 replays, 0 held calls');
    expect((await said(engine)).text).toMatch(/^1 {2}\S+ {2}done {2}1 of 1 sent {2}usr_1\n$/);
    expect((await said(engine, 'suppressed')).text).toMatch(/0 calls rejected {2}usr_1\n$/);
    expect((await said(engine, 'unsuppress', '--user', 'usr_1')).text).toBe('Lifted the suppression of 1 user.\n');
    await expect(said(engine, 'add')).rejects.toMatchObject({ code: 'usage' });
  });

  test('ends with 1 when a notice failed', async () => {
    const engine = await engineWith(400);
    await engine.final(await engine.track('A', { userId: 'usr_1' }));
    const { code, text } = await said(engine, 'add', '--user', 'usr_1', '--wait', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject({ state: 'failed', notices: { failed: 1 } });
  });
});

describe('POST /v1/regulations', () => {
  const regulate = async (engine: RunningEngine, body: unknown, authorization?: string) => {
    const answer = await fetch(`${engine.ingest}/v1/regulations`, {
      method: 'POST',
      headers: authorization === undefined ? {} : { Authorization: authorization },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const BEARER = `Bearer ${WRITE_KEY}`;
  const regulation = (regulationType: string, ...subjectIds: unknown[]) => ({
    regulationType,
    subjectType: 'USER_ID',
    subjectIds,
  });

  test('deletes with a notice, suppresses and lifts', async () => {
    const engine = await engineWith(200);
    await engine.final(await engine.track('A', { userId: 'usr_1' }));
    const made = await regulate(engine, regulation('SUPPRESS_WITH_DELETE', 'usr_1'), BEARER);
    expect(made).toEqual({ status: 200, body: { data: { regulateId: '1' } } });
    const detail = await engine.until(async () => {
      const one = await engine.client.call('deletions.get', { id: 1 });
      return one.phase === 'finished' && one.notices.waiting === 0 ? one : undefined;
    });
    expect(detail).toMatchObject({ erase: true, suppress: true, notices: { delivered: 1 }, erasedMessages: 1 });
    const basic = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}`;
    expect((await regulate(engine, regulation('UNSUPPRESS', 'usr_1'), basic)).status).toBe(200);
    expect((await regulate(engine, regulation('SUPPRESS_ONLY', 'usr_2'), BEARER)).status).toBe(200);
    const { rows } = await engine.client.call('deletions.suppressions', { limit: 9 });
    expect(rows.map(({ userId }) => userId)).toEqual(['usr_2']);
    expect((await engine.client.call('deletions.list', { limit: 9 })).rows).toHaveLength(1);
  });

  test('wants a write key, and says what is wrong with a body', async () => {
    const engine = await engineWith(200);
    const good = regulation('DELETE_ONLY', 'usr_1');
    for (const authorization of [undefined, 'Bearer wrong', 'Basic d3Jvbmc6'])
      expect(await regulate(engine, good, authorization)).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
    for (const bad of [
      [],
      regulation('DELETE_INTERNAL', 'usr_1'),
      { ...good, subjectType: 'OBJECT_ID' },
      regulation('DELETE_ONLY'),
      regulation('DELETE_ONLY', 7),
      regulation('DELETE_ONLY', ...new Array(5_001).fill('a')),
    ])
      expect(await regulate(engine, bad, BEARER)).toMatchObject({ status: 422, body: { code: 'invalid_regulation' } });
    expect((await engine.client.call('deletions.list', { limit: 9 })).rows).toEqual([]);
  });
});
