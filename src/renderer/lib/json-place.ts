/** Which value of JSON text a position belongs to. */
import { joinPath } from './json-path.ts';

export interface JsonPlace {
  /** `properties.items[0].sku`; empty for the whole text. */
  readonly path: string;
  /** The value, from its first character to behind its last. */
  readonly from: number;
  readonly to: number;
}

interface Level {
  readonly path: string;
  readonly from: number;
  readonly isArray: boolean;
  /** Key or index of the value that comes next. */
  key: string;
  index: number;
  /** Where that key begins; -1 in an array. */
  keyFrom: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * The innermost value at an offset. On a key it is the key's value; on punctuation or white space the object or array
 * around it. `text` must be valid JSON.
 */
export function placeAt(text: string, offset: number): JsonPlace {
  const levels: Level[] = [];
  let awaitsValue = true;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    const from = match.index;
    const to = from + token.length;
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      const isArray = token === '[';
      levels.push({ path: pathIn(level), from, isArray, key: '', index: 0, keyFrom: -1 });
      awaitsValue = isArray;
    } else if (token === '}' || token === ']') {
      const closed = levels.pop()!;
      const starts = levels.at(-1)?.isArray === false ? levels.at(-1)!.keyFrom : closed.from;
      if (offset >= starts && offset <= to) return { path: closed.path, from: closed.from, to };
    } else if (token === ',') {
      level!.index += 1;
      awaitsValue = level!.isArray;
    } else if (token === ':') awaitsValue = true;
    else if (awaitsValue) {
      const starts = level === undefined || level.isArray ? from : level.keyFrom;
      if (offset >= starts && offset <= to) return { path: pathIn(level), from, to };
      awaitsValue = false;
    } else {
      level!.key = JSON.parse(token) as string;
      level!.keyFrom = from;
    }
  }
  return { path: '', from: 0, to: text.length };
}

function pathIn(level: Level | undefined): string {
  if (level === undefined) return '';
  return level.isArray ? joinPath(level.path, String(level.index), true) : joinPath(level.path, level.key, false);
}

/** The value as it is copied: a string without quotes and escapes, anything else without white space. */
export function valueText(text: string, { from, to }: JsonPlace): string {
  const value = text.slice(from, to).trim();
  if (value.startsWith('"')) return JSON.parse(value) as string;
  return [...value.matchAll(TOKEN)].map(([token]) => token).join('');
}
