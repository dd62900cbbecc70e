/** A parsed body as Ruby prints it: `{"type" => "track", "ok" => nil}`, before Ruby 3.4 without the spaces. */
import type { JsonNode } from './json-tree.ts';
import { SPELLINGS } from './number-spelling.ts';

export type RubyArrow = ' => ' | '=>';

export function rubyHash(node: JsonNode, arrow: RubyArrow): string {
  switch (node.kind) {
    case 'object': {
      const last = new Map(node.members.map(({ key, value }) => [key.value, value]));
      return `{${[...last].map(([key, value]) => rubyText(key) + arrow + rubyHash(value, arrow)).join(', ')}}`;
    }
    case 'array':
      return `[${node.items.map((item) => rubyHash(item, arrow)).join(', ')}]`;
    case 'string':
      return rubyText(node.value);
    case 'number':
      return SPELLINGS.ruby(node.raw);
    case 'word':
      return node.raw === 'null' ? 'nil' : node.raw;
  }
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
};

/** Where Ruby's source is UTF-8. A `#` that would begin an interpolation is escaped, as is what has no shape. */
function rubyText(text: string): string {
  const inner = text.replace(/["\\]|#(?=[{$@])|[\p{Cc}\p{Cn}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '#') return '\\#';
    const short = SHORT[character];
    if (short !== undefined) return short;
    const hex = character.codePointAt(0)!.toString(16).toUpperCase();
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
  return `"${inner}"`;
}
