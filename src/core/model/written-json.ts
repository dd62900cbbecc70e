/**
 * JSON with its numbers as they were written. JSON.parse turns `100.0` into 100 and `1e999` into Infinity; here such a
 * number stays a value of its own, which `jsonText` writes as the client wrote it.
 */

/** Not in TypeScript's library yet: https://tc39.es/proposal-json-parse-with-source. */
const withSource = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** `text` must be valid JSON. Every number that JavaScript writes differently is kept as it was written. */
export function parseWritten(text: string): unknown {
  return withSource.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== JSON.stringify(value)
      ? withSource.rawJSON(source)
      : value,
  );
}

/** The text of a number that was kept as written; null for any other value. */
export const writtenNumber = (value: unknown): string | null =>
  withSource.isRawJSON(value) ? (value as { readonly rawJSON: string }).rawJSON : null;

/** Compact JSON, kept numbers as written. */
export const jsonText = (value: unknown): string => JSON.stringify(value);
