/** Which JSON libraries write a body otherwise than it was sent, and where: what breaks a verifier that parses first. */

import { type Hazard, type HazardPlace, MAX_PLACES } from '../../contract/signature-lab.ts';
import { parseJsonBytes } from '../model/json.ts';
import { namedKey } from './first-difference.ts';
import { type JsonMember, type JsonNode, type JsonString, readTree } from './json-tree.ts';
import { SPELLINGS } from './number-spelling.ts';
import { orderedMembers, type Style, writeJson, writeString } from './write-json.ts';
import { LIBRARIES, type Library } from './writers.ts';

const MAX_SHOWN = 40;

/** One for each library as its newest version writes, the first of a language first; empty when the body is not JSON. */
export function hazardsOf(body: Uint8Array): Hazard[] {
  const parsed = parseJsonBytes(body);
  if (!parsed.ok) return [];
  const tree = readTree(parsed.text);
  const names = new Set<string>();
  return LIBRARIES.filter(({ name }) => !names.has(name) && names.add(name)).map((library) => {
    const { language, name } = library;
    const places = new Places(library).of(tree, parsed.text);
    return { language, library: name, count: places.length, places: places.slice(0, MAX_PLACES) };
  });
}

class Places {
  readonly #found: HazardPlace[] = [];
  readonly #style: Style;
  readonly #end: string;

  constructor({ style, end }: Library) {
    this.#style = style;
    this.#end = end ?? '';
  }

  of(tree: JsonNode, text: string): readonly HazardPlace[] {
    const spaced = writeJson(tree, { spacing: this.#style.spacing });
    if (spaced !== text) this.#whiteSpace(text, spaced);
    this.#look(tree, '');
    if (this.#end !== '') this.#found.push({ kind: 'line_break', path: '', sent: '', written: this.#end });
    return this.#found;
  }

  #look(node: JsonNode, path: string): void {
    if (node.kind === 'object') this.#object(node.members, path);
    else if (node.kind === 'array') this.#array(node.items, path);
    else if (node.kind === 'string') this.#string(node, path);
    else if (node.kind === 'number') {
      const { numbers } = this.#style;
      const written = numbers === undefined ? node.raw : SPELLINGS[numbers](node.raw);
      if (written !== node.raw) this.#add('number', path, node.raw, written);
    }
  }

  #array(items: readonly JsonNode[], path: string): void {
    for (const [i, item] of items.entries()) this.#look(item, `${path}[${i}]`);
  }

  #object(members: readonly JsonMember[], path: string): void {
    const { empty, nulls, repeated } = this.#style;
    const present = nulls === 'dropped' ? members.filter((member) => !isNull(member)) : members;
    if (nulls === 'dropped')
      for (const { key } of members.filter(isNull)) this.#add('null', under(path, key), 'null', '');
    const single = orderedMembers(present, { ...this.#style, keys: undefined });
    if (single.length < present.length && repeated !== undefined) {
      const seen = new Set<string>();
      for (const { key } of present) {
        if (seen.has(key.value)) this.#add('repeated', under(path, key), 'twice', repeated);
        seen.add(key.value);
      }
    }
    const written = orderedMembers(single, this.#style);
    const moved = written.findIndex((member, i) => member !== single[i]);
    if (moved >= 0) this.#add('order', path, single[moved]!.key.value, written[moved]!.key.value);
    if (written.length === 0 && empty === 'objects_as_arrays') this.#add('empty', path, '{}', '[]');
    for (const { key, value } of written) {
      this.#string(key, under(path, key));
      this.#look(value, under(path, key));
    }
  }

  #string({ raw, value }: JsonString, path: string): void {
    const { escapes } = this.#style;
    if (escapes === undefined) return;
    const written = writeString(value, escapes);
    if (written !== raw) this.#different('text', path, raw, written);
  }

  #whiteSpace(sent: string, written: string): void {
    const start = sameStart(sent, written);
    this.#add('white_space', '', sent.slice(start, start + MAX_SPACED), written.slice(start, start + MAX_SPACED));
  }

  /** With the part in the middle that differs. */
  #different(kind: HazardPlace['kind'], path: string, sent: string, written: string): void {
    const start = sameStart(sent, written);
    let end = 0;
    const most = Math.min(sent.length, written.length) - start;
    while (end < most && sent.at(-1 - end) === written.at(-1 - end)) end += 1;
    this.#add(kind, path, sent.slice(start, sent.length - end), written.slice(start, written.length - end));
  }

  #add(kind: HazardPlace['kind'], path: string, sent: string, written: string): void {
    this.#found.push({ kind, path, sent: cut(sent), written: cut(written) });
  }
}

/** White space runs through the whole body, so only its first place is shown. */
const MAX_SPACED = 12;

const isNull = ({ value }: JsonMember): boolean => value.kind === 'word' && value.raw === 'null';

function sameStart(one: string, other: string): number {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  return start;
}

const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text);
const under = (path: string, { value }: JsonString): string =>
  path === '' ? namedKey(value) : `${path}.${namedKey(value)}`;
