/** The rows of the program editor: steps with a key that stays the same when they move. Pure. */
import type { ReceiverStep } from '../../../contract/receivers.ts';

export interface KeyedStep {
  readonly key: number;
  readonly step: ReceiverStep;
}

export const keyed = (steps: readonly ReceiverStep[]): KeyedStep[] => steps.map((step, i) => ({ key: i + 1, step }));

export const sameSteps = (rows: readonly KeyedStep[], steps: readonly ReceiverStep[]): boolean =>
  JSON.stringify(rows.map(({ step }) => step)) === JSON.stringify(steps);

/** The row at `from` put at `to`. */
export function moved<T>(rows: readonly T[], from: number, to: number): T[] {
  const rest = rows.filter((_row, i) => i !== from);
  return [...rest.slice(0, to), rows[from]!, ...rest.slice(to)];
}

export const nextKey = (rows: readonly KeyedStep[]): number => Math.max(0, ...rows.map(({ key }) => key)) + 1;
