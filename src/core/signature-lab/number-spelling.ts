/**
 * How languages write a number after they have parsed it. All write the shortest digits that give the same double; Java
 * before 19 has a digit more for a few.
 */

/** Takes the literal as it was sent and returns what a verifier writes in its place. */
export type NumberSpelling = (raw: string) => string;

interface Shortest {
  readonly sign: '' | '-';
  /** `1845` for 184.5; `0` for zero. */
  readonly digits: string;
  /** Where the point stands: 3 for 184.5, 1 for 1.0, -2 for 0.00123. */
  readonly point: number;
}

function shortestOf(value: number): Shortest {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  return { sign, digits, point: value === 0 ? 1 : Number(exponent) + 1 };
}

const isInteger = (raw: string): boolean => /^-?\d+$/.test(raw);

/** Digits without an exponent: `100.0` with `zero` `.0`, `100` with an empty one. */
function plain({ sign, digits, point }: Shortest, zero: '' | '.0'): string {
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (digits.length <= point) return `${sign}${digits.padEnd(point, '0')}${zero}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

interface Exponents {
  /** Plain while the point stands from `from` to `to`. */
  readonly from: number;
  readonly to: number;
  /** What follows a single digit: `1.0e+16` or `1e+16`. */
  readonly single: '' | '.0';
  readonly mark: 'e' | 'E';
  readonly plus: '' | '+';
  /** Least number of exponent digits. */
  readonly width: 1 | 2;
  /** What follows a whole number. */
  readonly whole: '' | '.0';
}

function written(value: number, rules: Exponents): string {
  const shortest = shortestOf(value);
  const { sign, digits, point } = shortest;
  if (value === 0 || (point >= rules.from && point <= rules.to)) return plain(shortest, rules.whole);
  const mantissa = digits.length === 1 ? `${digits}${rules.single}` : `${digits[0]}.${digits.slice(1)}`;
  const exponent = point - 1;
  const power = String(Math.abs(exponent)).padStart(rules.width, '0');
  return `${sign}${mantissa}${rules.mark}${exponent < 0 ? '-' : rules.plus}${power}`;
}

const PYTHON: Exponents = { from: -3, to: 16, single: '', mark: 'e', plus: '+', width: 2, whole: '.0' };
const RUBY: Exponents = { ...PYTHON, to: 15, single: '.0' };
const JAVA: Exponents = { from: -2, to: 7, single: '.0', mark: 'E', plus: '', width: 1, whole: '.0' };
const PHP: Exponents = { from: -3, to: 17, single: '.0', mark: 'e', plus: '+', width: 1, whole: '' };

/** An integer literal stays one; `-0` becomes `0`. A fraction or an exponent makes a double. */
const integersApart =
  (rules: Exponents): NumberSpelling =>
  (raw) =>
    isInteger(raw) ? String(BigInt(raw)) : written(Number(raw), rules);

const LARGEST_INT64 = 2n ** 63n;

/** A number that no double holds is written as null by JavaScript and not at all by Go. */
export const SPELLINGS = {
  /** `JSON.stringify`. */
  javascript: (raw) => JSON.stringify(Number(raw)),
  /** `json.dumps`. */
  python: integersApart(PYTHON),
  /** A `float64`, as numbers in `map[string]any` are; written as JavaScript does, but for `-0`. */
  go: (raw) => (Object.is(Number(raw), -0) ? '-0' : String(Number(raw))),
  /** `JSON.generate`. */
  ruby: integersApart(RUBY),
  /** `json_encode`. An integer beyond 64 bits becomes a float. */
  php: (raw) => {
    const fits = isInteger(raw) && BigInt(raw) < LARGEST_INT64 && BigInt(raw) >= -LARGEST_INT64;
    return fits ? String(BigInt(raw)) : written(Number(raw), PHP);
  },
  /** Jackson: integers stay, others become `Double.toString`. */
  java: integersApart(JAVA),
  /** Gson into `Object` or `Map`: every number becomes a double, `3` is `3.0`. */
  java_doubles: (raw) => written(Number(raw), JAVA),
  /** Decimal types with two places, as money columns have: `184.5` is `184.50`. */
  two_places: (raw) => (isInteger(raw) ? raw : Number(raw).toFixed(2)),
  /** Whole numbers without their point: `1.0` is `1`. */
  without_zero: (raw) => raw.replace(/\.0+$/, ''),
} satisfies Record<string, NumberSpelling>;

export type SpellingName = keyof typeof SPELLINGS;
