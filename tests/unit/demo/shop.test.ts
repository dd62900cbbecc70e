import { expect, test } from 'vitest';
import { configSchema } from '../../../src/contract/config.ts';
import { receiverStep } from '../../../src/contract/receivers.ts';
import { OUTAGE, shopConfig, TOOLS, toolWebhooks } from '../../../src/core/demo/shop.ts';

test('the settings of the shop are a config file', () => {
  expect(configSchema.parse(shopConfig())).toEqual(shopConfig());
  const webhooks = toolWebhooks('http://localhost:8766');
  expect(configSchema.parse(webhooks)).toEqual(webhooks);
});

test('five tools receive the calls: one answers 503 now and then, one never answers within 5 s', () => {
  expect(toolWebhooks('http://localhost:1').webhooks?.entries?.map(({ name, url }) => `${name} ${url}`)).toEqual([
    'CRM http://localhost:1/r/crm',
    'Email tool http://localhost:1/r/email-tool',
    'Warehouse http://localhost:1/r/warehouse',
    'Ad network http://localhost:1/r/ad-network',
    'Archive http://localhost:1/r/archive',
  ]);
  const [, email, , ads] = TOOLS;
  expect(email!.steps.map(({ response }) => 'status' in response && response.status)).toEqual([503, 200]);
  expect(ads!.steps.map(({ response }) => response.kind)).toEqual(['hang']);
  expect(ads!.steps[0]!.response).toEqual({ kind: 'hang', holdMs: 30_000 });
});

test('an outage is a program that a receiver takes', () => {
  for (const step of OUTAGE) expect(receiverStep.parse(step)).toEqual(step);
});
