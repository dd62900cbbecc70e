/** The received call and its last form as indented JSON, line beside line, each difference with its reason. Pure. */
import type { FieldView } from '../../../../contract/call-changes.ts';
import { prettyJson } from '../../../lib/json.ts';
import { joinPath } from '../../../lib/json-path.ts';
import { whyText } from '../../../lib/words/changes.ts';

export type LineMark = 'same' | 'removed' | 'added' | 'changed';

export interface ChangeLine {
  /** Text of the line on each side; null where the side has none. */
  readonly left: string | null;
  readonly right: string | null;
  readonly mark: LineMark;
  /** The field and why it differs; null for a line that is the same. */
  readonly about: { readonly path: string; readonly why: string } | null;
}

/** Both sides have their keys in the order received, so that equal fields stand beside each other. */
export function linesOf(fields: readonly FieldView[]): ChangeLine[] {
  const root: FieldView = { kind: 'group', key: '', isArray: false, in: [true, true, true], fields };
  return groupLines(root, '', '', '', '');
}

interface Place {
  readonly path: string;
  readonly top: string;
  readonly indent: string;
  /** `"key": `, or nothing for an element of an array. */
  readonly name: string;
}

function linesOfField(field: FieldView, base: string, above: string, isIndex: boolean, indent: string): ChangeLine[] {
  const path = joinPath(base, field.key, isIndex);
  const top = above === '' ? field.key : above;
  const name = isIndex ? '' : `${JSON.stringify(field.key)}: `;
  if (field.kind === 'group') return groupLines(field, path, top, indent, name);
  const place = { path, top, indent, name };
  if (field.kind === 'same') return besides(place, field.text, field.text, null);
  const left = field.cells[0]?.text ?? null;
  const right = field.cells.at(-1)?.text ?? null;
  return besides(place, left, right, left === right ? null : whyText(field.cells, top));
}

function besides(
  { path, indent, name }: Place,
  left: string | null,
  right: string | null,
  why: string | null,
): ChangeLine[] {
  const texts = (value: string | null): string[] =>
    value === null ? [] : `${name}${prettyJson(value)}`.split('\n').map((line) => `${indent}${line}`);
  const [lefts, rights] = [texts(left), texts(right)];
  const mark = why === null ? 'same' : left === null ? 'added' : right === null ? 'removed' : 'changed';
  const about = why === null ? null : { path, why };
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, at) => ({
    left: lefts[at] ?? null,
    right: rights[at] ?? null,
    mark,
    about,
  }));
}

type Group = Extract<FieldView, { kind: 'group' }>;

function groupLines(group: Group, path: string, top: string, indent: string, name: string): ChangeLine[] {
  const hasLeft = group.in[0] === true;
  const hasRight = group.in.at(-1) === true;
  const deeper = `${indent}  `;
  const blocks = group.fields.map((field) => linesOfField(field, path, top, group.isArray, deeper));
  const inner = withCommas(withCommas(blocks, 'left'), 'right').flat();
  const about = inner.find((line) => line.about !== null)?.about ?? null;
  const own = (text: string): ChangeLine => ({
    left: hasLeft ? `${indent}${text}` : null,
    right: hasRight ? `${indent}${text}` : null,
    mark: hasLeft === hasRight ? 'same' : hasLeft ? 'removed' : 'added',
    about: hasLeft === hasRight || about === null ? null : { path, why: about.why },
  });
  if (!hasLeft && !hasRight) return [];
  return [own(`${name}${group.isArray ? '[' : '{'}`), ...inner, own(group.isArray ? ']' : '}')];
}

/** A comma after the last line of each block but the last one that the side has. */
function withCommas(blocks: readonly ChangeLine[][], side: 'left' | 'right'): ChangeLine[][] {
  const has = (line: ChangeLine): boolean => line[side] !== null;
  const last = blocks.findLastIndex((block) => block.some(has));
  return blocks.map((block, at) => {
    const end = at < last ? block.findLastIndex(has) : -1;
    return block.map((line, n) => (n === end ? { ...line, [side]: `${line[side]},` } : line));
  });
}

/** Lines of one text: those that left first, then those that came in their place. */
export function inlineOf(lines: readonly ChangeLine[]): ChangeLine[] {
  const inline: ChangeLine[] = [];
  let came: ChangeLine[] = [];
  lines.forEach((line, at) => {
    if (line.mark !== 'changed') {
      inline.push(line);
      return;
    }
    if (line.left !== null) inline.push({ ...line, right: null });
    if (line.right !== null) came.push({ ...line, left: null });
    if (lines[at + 1]?.about !== line.about) {
      inline.push(...came);
      came = [];
    }
  });
  return inline;
}

export interface Legend {
  readonly mark: Exclude<LineMark, 'same'>;
  readonly why: string;
  readonly paths: readonly string[];
}

/** Each reason once, with the fields that it is about. */
export function legendOf(lines: readonly ChangeLine[]): Legend[] {
  const found = new Map<string, { mark: Legend['mark']; why: string; paths: Set<string> }>();
  for (const { mark, about } of lines) {
    if (mark === 'same' || about === null) continue;
    const key = `${mark} ${about.why}`;
    const known = found.get(key) ?? { mark, why: about.why, paths: new Set<string>() };
    known.paths.add(about.path);
    found.set(key, known);
  }
  return [...found.values()].map(({ mark, why, paths }) => ({ mark, why, paths: [...paths] }));
}
