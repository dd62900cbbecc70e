/** Says whether a delivered body fits a term on one of its fields. SQLite calls it too (`store/filter-function.ts`). */
import { isJsonObject } from './call.ts';
import { valuesAtPath } from './field-path.ts';
import { patternTest } from './filter-pattern.ts';
import type { FieldOp, FieldTerm } from './filter-terms.ts';

type FieldTest = (found: unknown) => boolean;

/** `*` alone: the field is there. */
const ANYTHING = '*';
const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A value that is written as a number, else null. */
export const numberOf = (text: string): number | null => (NUMBER.test(text) ? Number(text) : null);

/** Texts by their pattern, numbers by their value too. Objects and lists are only there or not. */
function isOne(wanted: string): FieldTest {
  if (wanted === ANYTHING) return () => true;
  const fits = patternTest(wanted);
  const number = numberOf(wanted);
  return (found) => {
    if (typeof found === 'object' && found !== null) return false;
    if (typeof found === 'number' && number !== null) return found === number;
    return fits(String(found));
  };
}

const COMPARED: Readonly<Record<Exclude<FieldOp, '=' | '!='>, (a: number | string, b: number | string) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

/** A number with numbers, any other text with texts, by their code units: `2026-01-31` is above `2026-01-30`. */
function compares(op: keyof typeof COMPARED, wanted: string): FieldTest {
  const value = numberOf(wanted) ?? wanted;
  return (found) =>
    (typeof found === 'number' || typeof found === 'string') &&
    typeof found === typeof value &&
    COMPARED[op](found, value);
}

/**
 * Whether the delivered bytes match, `not` apart. In a list every item counts. `!=` asks that the field is there and
 * that nothing at its path is one of the values.
 */
export function fieldTest({ path, op, values }: Omit<FieldTerm, 'key' | 'not'>): (wire: Uint8Array) => boolean {
  const tests = values.map((wanted) => (op === '=' || op === '!=' ? isOne(wanted) : compares(op, wanted)));
  const anyFits = (found: readonly unknown[]): boolean => found.some((one) => tests.some((fits) => fits(one)));
  return (wire) => {
    const found = valuesAtPath(parsed(wire), path);
    return op === '!=' ? found.length > 0 && !anyFits(found) : anyFits(found);
  };
}

function parsed(wire: Uint8Array): unknown {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(wire));
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}
