/** A command's definition: a zod schema for its argument and a type for its result. */
import type { z } from 'zod';

export interface Command<I extends z.ZodType, O> {
  readonly input: I;
  /** Carries the result's type only. */
  readonly output: O;
}

export const command = <I extends z.ZodType, O>(input: I, _output: (value: O) => void): Command<I, O> => ({
  input,
  output: undefined as O,
});

export const gives =
  <O>() =>
  (_value: O): void => {};
