/** The fields of a call as rows of a table: changed ones first and unchanged ones folded, or all in order. Pure. */
import type { CellView, FieldView } from '../../../../contract/call-changes.ts';
import { joinPath } from '../../../lib/json-path.ts';

/** One field that is no object or array compared by its fields. */
export interface Leaf {
  /** `properties.products[0].price`. */
  readonly path: string;
  /** The field of the call that it is in. */
  readonly top: string;
  /** Null when it is the same in every form. */
  readonly cells: readonly CellView[] | null;
  /** Of a field that is the same. */
  readonly text: string;
  readonly inBatch: boolean;
}

/** Unchanged fields behind one line. */
export interface Fold {
  /** The path of their object, or `others`. */
  readonly name: string;
  readonly leaves: readonly Leaf[];
}

export interface ChangeRows {
  readonly changed: readonly Leaf[];
  readonly folds: readonly Fold[];
}

export interface ChangeCounts {
  readonly fields: number;
  readonly changed: number;
  readonly rewritten: number;
  readonly added: number;
  readonly leftOut: number;
}

/** Every field in the order of the call. */
export const leavesOf = (fields: readonly FieldView[]): Leaf[] =>
  fields.flatMap((field) => within(field, '', '', false));

function within(field: FieldView, base: string, above: string, isIndex: boolean): Leaf[] {
  const path = joinPath(base, field.key, isIndex);
  const top = above === '' ? field.key : above;
  if (field.kind === 'group') return field.fields.flatMap((inner) => within(inner, path, top, field.isArray));
  if (field.kind === 'same') return [{ path, top, cells: null, text: field.text, inBatch: false }];
  return [{ path, top, cells: field.cells, text: '', inBatch: field.inBatch }];
}

export function countsOf(leaves: readonly Leaf[]): ChangeCounts {
  const changes = leaves.flatMap(({ cells }) => cells ?? []).map(({ change }) => change);
  const of = (kind: CellView['change']): number => changes.filter((change) => change === kind).length;
  return {
    fields: leaves.length,
    changed: leaves.filter(({ cells }) => cells !== null).length,
    rewritten: of('rewritten'),
    added: of('added'),
    leftOut: of('left_out'),
  };
}

export const OTHERS = 'others';

/** Changed fields, then one fold for each unchanged object of two or more fields, then one for the others. */
export function rowsOf(fields: readonly FieldView[]): ChangeRows {
  const folds: Fold[] = [];
  const others: Leaf[] = [];
  const fold = (field: FieldView, base: string, above: string, isIndex: boolean): void => {
    const path = joinPath(base, field.key, isIndex);
    const top = above === '' ? field.key : above;
    const leaves = within(field, base, above, isIndex);
    if (leaves.every(({ cells }) => cells === null)) {
      if (leaves.length < 2) others.push(...leaves);
      else folds.push({ name: path, leaves });
    } else if (field.kind === 'group') for (const inner of field.fields) fold(inner, path, top, field.isArray);
  };
  for (const field of fields) fold(field, '', '', false);
  if (others.length > 0) folds.push({ name: OTHERS, leaves: others });
  return { changed: leavesOf(fields).filter(({ cells }) => cells !== null), folds };
}
