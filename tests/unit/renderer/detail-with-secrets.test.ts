import { expect, test } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { HeaderView, WebhookView } from '../../../src/contract/values.ts';
import { withSecrets } from '../../../src/renderer/screens/detail/with-secrets.ts';

const hidden = (name: string, hiddenLength: number): HeaderView => ({ name, hiddenLength });
const webhook = (...headers: HeaderView[]): WebhookView => ({ id: 3, headers }) as WebhookView;
const values = (...all: string[]) => {
  const asked: string[] = [];
  const ask = async (name: string, at: number): Promise<string> => {
    asked.push(`${name} ${at}`);
    return all[at]!;
  };
  return { ask, asked };
};

test('each hidden value is asked for by its place in the webhook; what is shown is not', async () => {
  const { ask, asked } = values('first', 'plain', 'other', 'second');
  const sent = [
    { name: 'Host', value: 'a' },
    hidden('X-Key', 5),
    { name: 'X-Team', value: 'plain' },
    hidden('x-key', 6),
  ];
  const hook = webhook(
    hidden('X-Key', 5),
    { name: 'X-Team', value: 'plain' },
    hidden('X-Other', 5),
    hidden('X-Key', 6),
  );
  expect(await withSecrets(sent, hook, ask)).toEqual({
    headers: [
      { name: 'Host', value: 'a' },
      { name: 'X-Key', value: 'first' },
      { name: 'X-Team', value: 'plain' },
      { name: 'x-key', value: 'second' },
    ],
    missing: 0,
  });
  expect(asked).toEqual(['X-Key 0', 'x-key 3']);
});

test('a value of another length is another value, and one of a webhook that has gone is not guessed', async () => {
  const sent = [hidden('X-Key', 5)];
  expect(await withSecrets(sent, webhook(hidden('X-Key', 9)), values('a-new-key').ask)).toEqual({
    headers: sent,
    missing: 1,
  });
  expect(await withSecrets(sent, undefined, values().ask)).toEqual({ headers: sent, missing: 1 });
  const gone = async (): Promise<string> => {
    throw new ContractError('header_not_found');
  };
  expect(await withSecrets(sent, webhook(hidden('X-Key', 5)), gone)).toEqual({ headers: sent, missing: 1 });
});

test("a refusal is the caller's to tell", async () => {
  const refused = async (): Promise<string> => {
    throw new ContractError('app_only');
  };
  await expect(withSecrets([hidden('X-Key', 5)], webhook(hidden('X-Key', 5)), refused)).rejects.toMatchObject({
    code: 'app_only',
  });
});
