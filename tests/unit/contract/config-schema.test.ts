import { expect, test } from 'vitest';
import { configJsonSchema, configSchema } from '../../../src/contract/config.ts';

test('the schema for editors has every field, and demands none that has a default', () => {
  const schema = configJsonSchema() as { properties: Record<string, { items?: { required: string[] } }> };
  expect(Object.keys(schema.properties)).toEqual(Object.keys(configSchema.shape));
  expect(schema.properties.sources!.items!.required).toEqual(['name', 'writeKey']);
});
