/** Values of a rule as text that a person types. Nothing is converted: `5` is a number, `"5"` is a text. Pure. */

export type Scalar = string | number | boolean;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** `true` and `false` are truth values, what JSON reads as a number is one, and quotes make a text of anything. */
export function parseValue(typed: string): Scalar {
  const text = typed.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text)) return Number(text);
  return unquoted(text) ?? text;
}

/** Text that {@link parseValue} and {@link parseValues} read as this value. */
export function valueText(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = value !== '' && !value.includes(',') && parseValue(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

/** Values with commas between them. A comma in quotes belongs to its value. */
export function parseValues(typed: string): Scalar[] {
  const parts = typed.match(/\s*"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+/g) ?? [];
  return parts.filter((part) => part.trim() !== '').map(parseValue);
}

export const valuesText = (values: readonly Scalar[]): string => values.map(valueText).join(', ');

function unquoted(text: string): string | null {
  if (!/^".*"$/s.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
