/**
 * Where values stand in a JSON text, so that one can be taken out or changed and the others keep their bytes. Of a text
 * that is not JSON, as in a damaged store, it finds what looks like values, and comes to an end.
 */
import { unescaped } from './filter-escapes.ts';

/** From the first character of a value to the one behind its last. */
export type Span = readonly [start: number, end: number];

/**
 * One span for each element of the array `batch` of a JSON object. When the key is repeated the last one counts, as for
 * JSON.parse.
 */
export function batchSpans(text: string): Span[] {
  let spans: Span[] = [];
  eachMember(text, (name, start) => {
    if (name !== 'batch') return valueEnd(text, start);
    spans = [];
    return text[start] === '[' ? elements(text, start, spans) : valueEnd(text, start);
  });
  return spans;
}

/**
 * The value of a member of a JSON object; null when there is none. When the key is repeated the last one counts, as for
 * JSON.parse.
 */
export function memberSpan(text: string, name: string): Span | null {
  let span: Span | null = null;
  eachMember(text, (key, start) => {
    const end = valueEnd(text, start);
    if (key === name) span = [start, end];
    return end;
  });
  return span;
}

/** `read` gets each name with the start of its value, and returns the end of it. */
function eachMember(text: string, read: (name: string, start: number) => number): void {
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const keyEnd = stringEnd(text, quote);
    const colon = text.indexOf(':', keyEnd);
    if (quote === -1 || colon === -1) return;
    at = read(unescaped(text.slice(quote + 1, keyEnd - 1)), afterBlanks(text, colon + 1));
  }
}

/** Adds the elements of the array that opens at `open`. Returns the place behind it. */
function elements(text: string, open: number, spans: Span[]): number {
  let at = afterBlanks(text, open + 1);
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at);
    spans.push([at, end]);
    at = afterBlanks(text, end);
    if (text[at] !== ',') break;
    at = afterBlanks(text, at + 1);
  }
  return at + 1;
}

/** Behind the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') return literalEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Behind the closing quote of the string that opens at `open`. */
function stringEnd(text: string, open: number): number {
  let quote = text.indexOf('"', open + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** Behind an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let isOdd = false;
  for (let before = at - 1; text[before] === '\\'; before -= 1) isOdd = !isOdd;
  return isOdd;
}

function literalEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at += 1;
  return at;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at]!)) at += 1;
  return at;
}
