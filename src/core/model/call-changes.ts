/**
 * One call in its three forms, field by field: as it stood in its request, normalised, delivered. A difference is a
 * cell whose value is not the one before it, and every difference has reasons (change-reasons.ts).
 */
import { isJsonObject, type JsonObject } from './call.ts';
import { type CallFacts, type Reason, reasonsOf } from './change-reasons.ts';
import type { ChangeKind } from './vocabulary.ts';
import { jsonText, parseWritten, writtenNumber } from './written-json.ts';

/** One field in one of the forms. */
export interface Cell {
  /** Compact JSON; null where the form does not have the field. */
  readonly text: string | null;
  /** What happened to it since the form before; null for nothing. */
  readonly change: ChangeKind | null;
  /** Empty exactly when nothing happened. */
  readonly reasons: readonly Reason[];
}

/** A value that is the same in every form. */
export interface SameField {
  readonly kind: 'same';
  readonly key: string;
  readonly text: string;
}

/** A value that is not the same in every form: one cell for each form, in order. */
export interface ChangedField {
  readonly kind: 'changed';
  readonly key: string;
  readonly cells: readonly Cell[];
  /** The call does not have it; its batch does. */
  readonly inBatch: boolean;
}

/** An object or array whose fields are compared one by one. The key of an element is its index. */
export interface FieldGroup {
  readonly kind: 'group';
  readonly key: string;
  readonly isArray: boolean;
  /** For each form, whether it has the group itself. */
  readonly in: readonly boolean[];
  readonly fields: readonly Field[];
}

export type Field = SameField | ChangedField | FieldGroup;

/** The forms of a call as JSON text. `delivered` is null when its bytes are not known. */
export interface CallForms {
  readonly received: string;
  readonly normalised: string;
  readonly delivered: string | null;
}

/** Stands for a field that a form does not have. */
const ABSENT = Symbol('absent');

/** The fields of the call. Keys come in the order received, then as they were added. */
export function callChanges({ received, normalised, delivered }: CallForms, facts: CallFacts): readonly Field[] {
  const forms = [parseWritten(received), JSON.parse(normalised) as unknown];
  if (delivered !== null) forms.push(JSON.parse(delivered));
  return groupOf('', forms, [], facts).fields;
}

function fieldOf(key: string, values: readonly unknown[], path: readonly string[], facts: CallFacts): Field {
  const present = values.filter((value) => value !== ABSENT);
  const whole = present.length === values.length;
  if (present.length > 1 && areAlike(present) && (whole || !areSame(present))) {
    if (present.some(hasFields)) return groupOf(key, values, path, facts);
    if (whole) return { kind: 'same', key, text: jsonText(values[0]) };
  }
  if (whole && areSame(present)) return { kind: 'same', key, text: jsonText(values[0]) };
  return { kind: 'changed', key, cells: cellsOf(values, path, facts), inBatch: isInBatch(values, path, facts) };
}

function groupOf(key: string, values: readonly unknown[], path: readonly string[], facts: CallFacts): FieldGroup {
  const keys = new Set(values.flatMap((value) => (isContainer(value) ? Object.keys(value) : [])));
  const fields: Field[] = [];
  for (const inner of keys)
    fields.push(
      fieldOf(
        inner,
        values.map((value) => own(value, inner)),
        [...path, inner],
        facts,
      ),
    );
  return {
    kind: 'group',
    key,
    isArray: values.some(Array.isArray),
    in: values.map((value) => value !== ABSENT),
    fields,
  };
}

function cellsOf(values: readonly unknown[], path: readonly string[], facts: CallFacts): Cell[] {
  return values.map((value, form) => {
    const before = form === 0 ? value : values[form - 1];
    const change = changeOf(before, value);
    const reasons =
      change === null
        ? []
        : reasonsOf({ path, change, before: orUndefined(before), after: orUndefined(value), form }, facts);
    return { text: value === ABSENT ? null : jsonText(value), change, reasons };
  });
}

function changeOf(before: unknown, after: unknown): ChangeKind | null {
  if (before === ABSENT) return after === ABSENT ? null : 'added';
  if (after === ABSENT) return 'left_out';
  return areSame([before, after]) ? null : 'rewritten';
}

/** Whether the first form lacks a field that the second has from the batch. */
function isInBatch([received, normalised]: readonly unknown[], [top, key]: readonly string[], { batch }: CallFacts) {
  if (received !== ABSENT || normalised === ABSENT || batch === null) return false;
  if (top === 'sentAt') return batch.sentAt !== null;
  const fields = top === 'context' ? batch.context : top === 'integrations' ? batch.integrations : undefined;
  return isJsonObject(fields) && (key === undefined || Object.hasOwn(fields, key));
}

const orUndefined = (value: unknown): unknown => (value === ABSENT ? undefined : value);

const isObject = (value: unknown): value is JsonObject => isJsonObject(value) && writtenNumber(value) === null;

const isContainer = (value: unknown): value is JsonObject | readonly unknown[] =>
  value !== ABSENT && (Array.isArray(value) || isObject(value));

const hasFields = (value: unknown): boolean => Object.keys(value as object).length > 0;

const own = (value: unknown, key: string): unknown =>
  isContainer(value) && Object.hasOwn(value, key) ? (value as JsonObject)[key] : ABSENT;

/** All objects, or all arrays of one length, so that they can be compared field by field. */
function areAlike(values: readonly unknown[]): boolean {
  const [first] = values;
  return Array.isArray(first)
    ? values.every((value) => Array.isArray(value) && value.length === first.length)
    : values.every(isObject);
}

/** Whether all are the same JSON, whatever the order of keys. */
function areSame(values: readonly unknown[]): boolean {
  return values.every((value) => isSame(values[0], value));
}

function isSame(one: unknown, other: unknown): boolean {
  const written = writtenNumber(one);
  if (written !== null || writtenNumber(other) !== null) return written === writtenNumber(other);
  if (!isContainer(one) || !isContainer(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(own(one, key), own(other, key)));
}
