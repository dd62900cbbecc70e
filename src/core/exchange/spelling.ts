/**
 * Takes a value out of a text however a program wrote it there: as it is, in either case, in JSON (also within JSON,
 * with every escape that JSON has), in HTML, in a URL.
 */

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const HTML_NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Shorter texts are taken out where they are a whole value. Alone they stand there by chance. */
const MIN_INSIDE = 4;
const MIN_DIGITS_INSIDE = 6;
/** An expression for a longer value is too large. Such a value is found in the usual spellings. */
const MAX_EXPRESSION = 1_000;
/**
 * A run of backslashes has several lengths, and a text may fit in several ways: an expression with many runs could take
 * for ever to say that it does not fit. Such a value, most often JSON within JSON, is found in the usual spellings too.
 */
const MAX_RUNS = 3;

/** Has a bound, so that no answer of a webhook makes the search slow. Two levels of JSON within JSON need seven. */
const ESCAPES = String.raw`\\{1,7}`;
const MAYBE_ESCAPES = String.raw`(?:\\|%5c){0,7}`;
/** A quote of JSON, of JSON within JSON, of HTML or of a URL. */
const QUOTE = `(?:["']|${ESCAPES}u0022|&(?:amp;)?quot;|&#34;|%22)`;
const BEFORE_NUMBER = String.raw`(?:[:[,]|%3[aA]|%5[bB]|%2[cC])\s*`;
const AFTER_NUMBER = String.raw`\s*(?:[\]},]|%5[dD]|%7[dD]|%2[cC])`;

/** Its letters and digits in lower case, which stand in every spelling. To look for them is far quicker than the rest. */
export const wordsOf = (value: string): readonly string[] => value.toLowerCase().match(/[a-z\d]+/g) ?? [];

/** Of a number there is no spelling that every program uses: `1e3`, `1000.0`. */
export const isNumber = (value: string): boolean => NUMBER.test(value);

/** Takes the text, and the same in lower case. `instead` takes the place of the value. */
export function remover(value: string, instead: string): (text: string, lower: string) => string {
  const spellings: ReadonlyArray<string | RegExp> = isTooMuch(value) ? usualSpellings(value) : [expressionOf(value)];
  const words = wordsOf(value);
  return (text, lower) =>
    words.every((word) => lower.includes(word))
      ? spellings.reduce<string>((rest, spelling) => rest.replaceAll(spelling, () => instead), text)
      : text;
}

const isTooMuch = (value: string): boolean =>
  value.length > MAX_EXPRESSION || (value.match(/\\+/g) ?? []).length > MAX_RUNS;

const usualSpellings = (value: string): string[] => {
  const inJson = inner(value);
  return [...new Set([value, inJson, inner(inJson), encodeURIComponent(value.toWellFormed())])];
};

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

function expressionOf(value: string): RegExp {
  const spelled = (value.match(/\\+|[^\\]/gu) ?? []).map(spelledCharacter).join('');
  const isNumeric = isNumber(value);
  if (value.length >= (isNumeric ? MIN_DIGITS_INSIDE : MIN_INSIDE)) return new RegExp(spelled, 'gi');
  const quoted = `(?<=${QUOTE})${spelled}(?=${MAYBE_ESCAPES}${QUOTE})`;
  const bare = `(?<=${BEFORE_NUMBER})${spelled}(?=${AFTER_NUMBER})`;
  return new RegExp(isNumeric && value.length > 1 ? `${quoted}|${bare}` : quoted, 'g');
}

const NUMBER = /^-?[\d.]+(?:e[+-]?\d+)?$/i;

/** One character, or a run of backslashes, in every spelling. */
function spelledCharacter(character: string): string {
  if (/^[a-z\d]$/i.test(character)) return character;
  if (character.startsWith('\\')) return backslashes(character.length);
  const code = character.codePointAt(0)!;
  const short = SHORT_ESCAPES[character];
  const name = HTML_NAMES[character];
  const plain = [
    escaped(character),
    ...(name === undefined ? [] : [`&(?:amp;)?${name};`]),
    `&#(?:0*${code}|x0*${code.toString(16)});`,
    ...(character === ' ' ? [String.raw`\+`] : []),
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  ];
  const inJson = [
    ...(short === undefined ? [] : [ESCAPES + short]),
    unitsOf(character)
      .map((unit) => `${ESCAPES}u${unit}`)
      .join(''),
  ];
  // Each text fits in one way only: a run of backslashes is followed by the character, or by its escape.
  const mayBeEscaped = '"/'.includes(character);
  return `(?:${mayBeEscaped ? MAYBE_ESCAPES : ''}(?:${plain.join('|')})|${inJson.join('|')})`;
}

/** JSON doubles them at each level. */
const backslashes = (count: number): string =>
  `(?:${[8, 4, 2, 1].map((times) => String.raw`(?:\\|%5c){${times * count}}`).join('|')}|(?:${ESCAPES}u005c|&#92;){${count}})`;

const escaped = (text: string): string => text.replace(/[$()*+.?[\]^{|}]/, String.raw`\$&`);

/** A character outside of the basic plane has two escapes. */
const unitsOf = (character: string): string[] =>
  character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
