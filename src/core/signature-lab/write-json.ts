/** Writes a JSON tree in the ways in which libraries write one. */
import type { JsonMember, JsonNode, JsonString } from './json-tree.ts';
import { SPELLINGS, type SpellingName } from './number-spelling.ts';

/** White space around the signs of JSON. `indent` puts each member on a line of its own. */
export interface Spacing {
  readonly indent: string;
  readonly comma: ',' | ', ';
  readonly colon: ':' | ': ' | ' : ';
}

/** Which characters of strings become `\u` escapes, and how. */
export interface Escapes {
  readonly nonAscii: boolean;
  /** Characters below U+0080, and U+2028 and U+2029 where a library escapes these two alone. */
  readonly also: string;
  readonly hex: 'lower' | 'upper';
  readonly slash: boolean;
}

/** How a tree is written. An absent part is written as it was sent. */
export interface Style {
  readonly spacing: Spacing;
  readonly escapes?: Escapes;
  /**
   * `code_units` and `bytes` differ beyond U+FFFF. `integers_first` is JavaScript's order. `bytes_at_top` leaves inner
   * objects as they are. `listed` sorts, and of inner objects keeps only keys that the outermost one has.
   */
  readonly keys?: 'code_units' | 'bytes' | 'integers_first' | 'bytes_at_top' | 'listed';
  /** Which of the members with one key stays. The first place is kept with the last value, as hash tables do. */
  readonly repeated?: 'first' | 'last';
  readonly numbers?: SpellingName;
  /** PHP's associative arrays do not know an empty object. Older Ruby puts line breaks into empty brackets. */
  readonly empty?: 'objects_as_arrays' | 'on_lines';
  readonly nulls?: 'dropped';
}

export const COMPACT: Spacing = { indent: '', comma: ',', colon: ':' };
export const NO_ESCAPES: Escapes = { nonAscii: false, also: '', hex: 'lower', slash: false };

export function writeJson(node: JsonNode, style: Style): string {
  return new Writer(style).value(rearranged(node, style), '\n');
}

/** What depends on the outermost object is done before the tree is written. */
function rearranged(root: JsonNode, { keys }: Style): JsonNode {
  if (root.kind !== 'object') return root;
  if (keys === 'bytes_at_top') return { kind: 'object', members: sortedByBytes(root.members) };
  return keys === 'listed' ? onlyKeys(root, new Set(root.members.map(({ key }) => key.value))) : root;
}

function onlyKeys(node: JsonNode, keys: ReadonlySet<string>): JsonNode {
  if (node.kind === 'array') return { kind: 'array', items: node.items.map((item) => onlyKeys(item, keys)) };
  if (node.kind !== 'object') return node;
  const kept = node.members.filter(({ key }) => keys.has(key.value));
  return { kind: 'object', members: kept.map(({ key, value }) => ({ key, value: onlyKeys(value, keys) })) };
}

class Writer {
  readonly #style: Style;

  constructor(style: Style) {
    this.#style = style;
  }

  /** `line` is a line break with the indentation of this level. */
  value(node: JsonNode, line: string): string {
    switch (node.kind) {
      case 'object':
        return this.#object(node.members, line);
      case 'array':
        return this.#list('[', node.items, ']', line, (item, deeper) => this.value(item, deeper));
      case 'string':
        return this.#string(node);
      case 'number':
        return this.#style.numbers === undefined ? node.raw : SPELLINGS[this.#style.numbers](node.raw);
      case 'word':
        return node.raw;
    }
  }

  #object(members: readonly JsonMember[], line: string): string {
    const kept = orderedMembers(members, this.#style);
    if (kept.length === 0 && this.#style.empty === 'objects_as_arrays') return '[]';
    const { colon } = this.#style.spacing;
    return this.#list('{', kept, '}', line, ({ key, value }, deeper) => {
      return `${this.#string(key)}${colon}${this.value(value, deeper)}`;
    });
  }

  #list<T>(open: string, items: readonly T[], close: string, line: string, write: (item: T, line: string) => string) {
    const { indent, comma } = this.#style.spacing;
    if (items.length === 0 && this.#style.empty === 'on_lines')
      return `${open}${open === '[' ? '\n' : ''}${line}${close}`;
    if (items.length === 0) return open + close;
    if (indent === '') return open + items.map((item) => write(item, line)).join(comma) + close;
    const deeper = line + indent;
    return open + deeper + items.map((item) => write(item, deeper)).join(`,${deeper}`) + line + close;
  }

  #string({ raw, value }: JsonString): string {
    const { escapes } = this.#style;
    return escapes === undefined ? raw : writeString(value, escapes);
  }
}

/** The members that stay, in the order in which they are written. */
export function orderedMembers(
  members: readonly JsonMember[],
  { keys, repeated, nulls }: Style,
): readonly JsonMember[] {
  let kept = members;
  if (nulls === 'dropped') kept = kept.filter(({ value }) => value.kind !== 'word' || value.raw !== 'null');
  if (repeated !== undefined) kept = withoutRepeats(kept, repeated);
  switch (keys) {
    case undefined:
    case 'bytes_at_top':
      return kept;
    case 'code_units':
    case 'listed':
      return kept.toSorted((a, b) => (a.key.value < b.key.value ? -1 : a.key.value > b.key.value ? 1 : 0));
    case 'bytes':
      return sortedByBytes(kept);
    case 'integers_first':
      return [
        ...kept.filter(isIndex).toSorted((a, b) => Number(a.key.value) - Number(b.key.value)),
        ...kept.filter((member) => !isIndex(member)),
      ];
  }
}

const sortedByBytes = (members: readonly JsonMember[]): readonly JsonMember[] =>
  members.toSorted((a, b) => Buffer.compare(Buffer.from(a.key.value), Buffer.from(b.key.value)));

/** Below 2^32 - 1, without a leading zero. */
const isIndex = ({ key: { value } }: JsonMember): boolean =>
  /^(?:0|[1-9]\d{0,9})$/.test(value) && Number(value) < 4_294_967_295;

function withoutRepeats(members: readonly JsonMember[], which: 'first' | 'last'): JsonMember[] {
  const kept = new Map<string, JsonMember>();
  for (const member of members) if (which === 'last' || !kept.has(member.key.value)) kept.set(member.key.value, member);
  return [...kept.values()];
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export function writeString(value: string, { nonAscii, also, hex, slash }: Escapes): string {
  let text = '"';
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at]!;
    const code = value.charCodeAt(at);
    if (also.includes(character) || code < 0x20 || (code > 0x7e && nonAscii && code !== 0x7f) || isLone(value, at))
      text += also.includes(character) ? escaped(code, hex) : (SHORT[character] ?? escaped(code, hex));
    else if (character === '/' && slash) text += '\\/';
    else text += SHORT[character] ?? character;
  }
  return `${text}"`;
}

function escaped(code: number, hex: Escapes['hex']): string {
  const digits = code.toString(16).padStart(4, '0');
  return `\\u${hex === 'upper' ? digits.toUpperCase() : digits}`;
}

/** Half of a surrogate pair alone cannot be UTF-8. */
function isLone(value: string, at: number): boolean {
  const code = value.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return false;
  const other = code < 0xdc00 ? value.charCodeAt(at + 1) : value.charCodeAt(at - 1);
  return code < 0xdc00 ? !(other >= 0xdc00 && other <= 0xdfff) : !(other >= 0xd800 && other <= 0xdbff);
}
