/** What a request carries beside its calls and is nobody's business: never written down in clear. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configOf, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { send } from '../helpers/ingest-http.ts';
import { basic } from '../helpers/ingest-parts.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const SECRETS = {
  Cookie: 'session=zq7-cookie-secret',
  Authorization: 'Bearer zq7.bearer.secret',
  'Proxy-Authorization': `Basic ${base64('proxy:zq7-proxy-secret')}`,
  'X-Api-Key': 'zq7-api-key-secret',
  'X-Auth-Token': `Basic ${base64('zq7-token-secret')}`,
} as const;

/** Every byte that lies in the folder: store, log of the store, side files. */
function allOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

test('cookies, tokens and passwords of incoming requests are stored as their length', async () => {
  const workspace = tempWorkspace();
  const engine = await startEngine({ workspace, config: configOf([]) });
  const port = engine.hello.parts.status.listener.port;
  const post = async (headers: Record<string, string>, body: object) =>
    (await send(port, { path: '/v1/track', headers, body: JSON.stringify({ userId: 'u', event: 'E', ...body }) }))
      .status;
  expect(await post(SECRETS, { messageId: 'one', writeKey: WRITE_KEY })).toBe(200);
  const password = `Basic ${base64(`${WRITE_KEY}:zq7-password`)}`;
  expect(await post({ Authorization: password }, { messageId: 'two' })).toBe(200);
  expect(await post({ Authorization: basic(WRITE_KEY) }, { messageId: 'three' })).toBe(200);
  expect(await post(SECRETS, { messageId: 'four', writeKey: 'wk_nobody' })).toBe(200);

  const headersOf = async (messageId: string) => {
    const row = (await engine.message(messageId))!;
    const { headers } = await engine.client.call('messages.raw', { id: row.id });
    expect((await engine.client.call('messages.get', { id: row.id })).request?.headers).toEqual(headers);
    return headers;
  };
  for (const messageId of ['one', 'four'])
    expect(await headersOf(messageId)).toEqual(
      expect.arrayContaining(Object.entries(SECRETS).map(([name, value]) => ({ name, hiddenLength: value.length }))),
    );
  expect(await headersOf('two')).toContainEqual({ name: 'Authorization', hiddenLength: password.length });
  // The write key is shown with its source anyway.
  expect(await headersOf('three')).toContainEqual({ name: 'Authorization', value: basic(WRITE_KEY) });

  await engine.stop();
  const stored = allOf(workspace);
  expect(stored).toContain(WRITE_KEY);
  for (const secret of ['zq7', ...Object.values(SECRETS), password]) expect(stored).not.toContain(secret);
});
