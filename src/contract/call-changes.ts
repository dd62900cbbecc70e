/** The answer of `messages.changes`: a call as it stood in its request, normalised and delivered, field by field. */
import type { ChangeKind, ChangeReason } from '../core/model/vocabulary.ts';

export type { ChangeKind, ChangeReason };

export interface ChangeReasonView {
  code: ChangeReason;
  detail?: string;
}

/** One field in one of the forms. */
export interface CellView {
  /** Compact JSON, in the received form with numbers as the client wrote them; null where the form lacks the field. */
  text: string | null;
  /** What happened to it since the form before; null for nothing. */
  change: ChangeKind | null;
  /** Empty exactly when nothing happened. */
  reasons: readonly ChangeReasonView[];
}

/** Keys come in the order received, then as they were added. The key of an array's element is its index. */
export type FieldView =
  /** The same in every form. */
  | { kind: 'same'; key: string; text: string }
  /** One cell for each form. `inBatch`: the call does not have it, its batch does. */
  | { kind: 'changed'; key: string; cells: readonly CellView[]; inBatch: boolean }
  /** An object or array. `in` says of each form whether it has it. */
  | { kind: 'group'; key: string; isArray: boolean; in: readonly boolean[]; fields: readonly FieldView[] };

export interface CallChangesView {
  /** The call's own text in the request. `calls` counts those of its batch; null for a single call. */
  received: { json: string; bytes: number; calls: number | null };
  /** Null for a rejected call, which was never normalised. */
  compared: {
    normalisedBytes: number;
    /** Null when the delivered bytes cannot be read; the fields then have two forms, otherwise three. */
    deliveredBytes: number | null;
    fields: readonly FieldView[];
  } | null;
}
