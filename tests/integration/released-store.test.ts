import { createHmac } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AttemptView, MessageRow } from '../../src/contract/values.ts';
import { openOffline } from '../../src/core/engine/offline.ts';
import { OPEN_STATES } from '../../src/core/model/vocabulary.ts';
import { openStore } from '../../src/core/store/database.ts';
import { migrations } from '../../src/core/store/migrations.ts';
import { startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

/** What a released build left (tests/fixtures/stores/README.md). */
const RELEASED = join(import.meta.dirname, '../fixtures/stores/version-6');

interface Expected {
  readonly rows: MessageRow[];
  readonly attempts: Array<AttemptView & { message: string }>;
  /** Base64 by row id. */
  readonly delivered: Readonly<Record<string, string>>;
}
const kept = JSON.parse(readFileSync(join(RELEASED, 'expected.json'), 'utf8')) as Expected;

/** What an attempt says since that build, which followed no redirect. */
const SAID_SINCE = { redirectedTo: null };
const expected: Expected = { ...kept, attempts: kept.attempts.map((attempt) => ({ ...attempt, ...SAID_SINCE })) };

function releasedWorkspace(): string {
  const workspace = tempWorkspace();
  for (const name of ['store.sqlite', 'store.json', 'key']) cpSync(join(RELEASED, name), join(workspace, name));
  return workspace;
}

function listed(workspace: string): Pick<Expected, 'rows' | 'attempts'> {
  const reader = openOffline(workspace);
  onTestFinished(() => reader.close());
  return {
    rows: reader.listMessages({ filter: {}, limit: 1_000 }).rows,
    attempts: reader.listAttempts({ limit: 1_000 }).rows,
  };
}

const waits = ({ state }: MessageRow): boolean => OPEN_STATES.includes(state);

describe('a store that a released build wrote', () => {
  test('is listed as that build listed it before it is migrated', () => {
    const { rows, attempts } = listed(releasedWorkspace());
    expect(rows).toEqual(expected.rows);
    expect(attempts).toEqual(expected.attempts);
  });

  test('is sound after its migration and lists the same', () => {
    const workspace = releasedWorkspace();
    const db = openStore(workspace);
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const counted = db.prepare('SELECT state, count(*) AS n FROM messages GROUP BY state ORDER BY state').all();
    expect(db.prepare('SELECT state, n FROM counters WHERE n > 0 ORDER BY state').all()).toEqual(counted);
    db.close();
    expect(listed(workspace)).toEqual({ rows: expected.rows, attempts: expected.attempts });
  });

  test('delivers what waited, byte for byte, and leaves the rest as it is', async () => {
    const workspace = releasedWorkspace();
    const key = Buffer.from(readFileSync(join(workspace, 'key'), 'utf8').trim(), 'base64');
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { client, hello, log, until } = await startEngine({ workspace, key });
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(hello.parts.webhooks.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['CRM', true],
      ['Audit', false],
      ['Archive', false],
    ]);
    const list = async () => (await client.call('messages.list', { filter: {}, limit: 1_000 })).rows;
    const crm = hello.parts.webhooks[0]!;
    const headers = crm.headers.map(({ name }) => ({ name, value: null }));
    for (const [i, { id, name }] of hello.parts.webhooks.entries())
      await client.call('webhooks.save', {
        id,
        name,
        url: `${receiver.url}/${name}`,
        headers: i === 0 ? headers : [],
        enabled: name !== 'Archive',
      });
    await client.call('destination.save', { paused: false });
    const waiting = new Set(expected.rows.filter(waits).map(({ id }) => id));
    const rows = await until(async () => {
      const now = await list();
      for (const { id, state } of now)
        if (state === 'retrying') await client.call('messages.retryNow', { id }).catch(() => {});
      return now.some(waits) ? undefined : now;
    });

    expect(rows.filter(({ id }) => !waiting.has(id))).toEqual(expected.rows.filter((row) => !waits(row)));
    expect(rows.filter(({ id, state }) => waiting.has(id) && state !== 'delivered')).toEqual([]);
    const atCrm = receiver.requests.filter(({ path }) => path.endsWith('/CRM'));
    const bodies = (ids: Iterable<number>): string[] => [...ids].map((id) => expected.delivered[id]!).sort();
    const tried = expected.attempts.filter(({ message }) => message === 'paused').map(({ messageId }) => messageId);
    // The paused one had been declined by CRM: only Audit gets it.
    const forCrm = [...waiting].filter((id) => !tried.includes(id));
    expect([...new Set(atCrm.map(({ body }) => body.toString('base64')))].sort()).toEqual(bodies(forCrm));
    const all = receiver.requests.map(({ body }) => body.toString('base64'));
    expect([...new Set(all)].sort()).toEqual(bodies(waiting));
    for (const { body, headers } of atCrm) {
      expect(headers).toMatchObject({ authorization: 'Bearer sealed', 'x-tenant': 'acme' });
      expect(headers['x-signature']).toBe(createHmac('sha1', 'a shared secret').update(body).digest('hex'));
    }
  });
});
