/** A parsed body as Python prints it: `{'type': 'track', 'ok': True}`. */
import type { JsonNode } from './json-tree.ts';
import { SPELLINGS } from './number-spelling.ts';

const WORDS = { true: 'True', false: 'False', null: 'None' } as const;

export function pythonDict(node: JsonNode): string {
  switch (node.kind) {
    case 'object': {
      const last = new Map(node.members.map(({ key, value }) => [key.value, value]));
      return `{${[...last].map(([key, value]) => `${pythonText(key)}: ${pythonDict(value)}`).join(', ')}}`;
    }
    case 'array':
      return `[${node.items.map(pythonDict).join(', ')}]`;
    case 'string':
      return pythonText(node.value);
    case 'number':
      return SPELLINGS.python(node.raw);
    case 'word':
      return WORDS[node.raw];
  }
}

const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Printable characters stay; `isprintable` of Python is wider than this test only for some unassigned ones. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\\n\r\t]|['"]|[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (character) => {
    if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
    const short = SHORT[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0)!;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return `${quote}${inner}${quote}`;
}
