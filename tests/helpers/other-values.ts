import { z } from 'zod';

/** As far as the settings of Hookbench use JSON Schema. */
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly items?: JsonSchema;
  readonly properties?: { readonly [name: string]: JsonSchema };
}

/** A value that the schema allows, in which no field is as in the given one. Throws where it knows none. */
export const otherThan = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> =>
  schema.parse(other(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema, value));

function other(schema: JsonSchema, value: unknown): unknown {
  if (schema.anyOf !== undefined) return other(schema.anyOf.find(({ type }) => type !== 'null')!, value);
  if (schema.enum !== undefined) return schema.enum.find((one) => one !== value);
  switch (schema.type) {
    case 'boolean':
      return value !== true;
    case 'integer':
    case 'number':
      return value === schema.minimum ? schema.minimum! + 1 : (schema.minimum ?? 0);
    case 'string':
      return value === 'other' ? 'another' : 'other';
    case 'array':
      return [other(schema.items!, (value as readonly unknown[] | undefined)?.[0])];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties!).map(([name, field]) => [
          name,
          other(field, (value as Record<string, unknown> | null | undefined)?.[name]),
        ]),
      );
    default:
      throw new Error(`No other value is known for ${JSON.stringify(schema)}.`);
  }
}
