import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfigFile } from '../../../src/shell/config-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (value: unknown, env: Record<string, string> = {}) => {
  const file = join(folder, 'hookbench.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return readConfigFile(file, env);
};

test('secrets and headers take their values from the environment', () => {
  const config = read(
    {
      webhooks: {
        sharedSecret: { env: 'SECRET' },
        entries: [
          {
            name: 'A',
            url: 'http://x/',
            headers: {
              Authorization: { env: 'AUTH' },
              'X-Env': { env: 'AUTH', shown: true },
              'X-Plain': 'as it is',
              'X-Team': { value: 'checkout', shown: true },
            },
          },
        ],
      },
    },
    { SECRET: ' s3 ', AUTH: 'Bearer t' },
  );
  expect(config.webhooks).toMatchObject({
    // Blanks at the ends belong to a secret.
    sharedSecret: ' s3 ',
    entries: [
      {
        headers: {
          Authorization: { value: 'Bearer t' },
          'X-Env': { value: 'Bearer t', shown: true },
          'X-Plain': 'as it is',
          'X-Team': { value: 'checkout', shown: true },
        },
      },
    ],
  });
});

test('an empty variable counts as not set', () => {
  expect(() => read({ webhooks: { sharedSecret: { env: 'SECRET' } } }, { SECRET: '' })).toThrow(
    expect.objectContaining({ code: 'config_env_missing', path: 'webhooks.sharedSecret' }),
  );
});

test('a header called __proto__ stays a header', () => {
  const config = read('{"webhooks":{"entries":[{"name":"A","url":"http://x/","headers":{"__proto__":"y"}}]}}');
  expect(Object.getPrototypeOf(config.webhooks?.entries?.[0]?.headers)).toBe(Object.prototype);
});

test('a byte order mark before the text is no fault', () => {
  expect(read('\ufeff{"ingest":{"port":1}}')).toEqual({ ingest: { port: 1 } });
});

test('without webhooks nothing is added', () => {
  expect(read({ sources: [{ name: 'A', writeKey: 'k' }] })).not.toHaveProperty('webhooks');
});
