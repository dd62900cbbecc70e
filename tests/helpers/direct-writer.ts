/** A writer of delivery's stores made from a function that runs each job by itself. */
import type { Changes } from '../../src/core/store/ports/changes.ts';
import type { DeliveryWriter } from '../../src/core/store/rounds.ts';

export type Write = <T>(job: (changes: Changes) => T, rows?: number) => Promise<T>;

export const writerOf = (write: Write): DeliveryWriter => ({
  write,
  writeTogether: (together, take, rows) => write((changes) => together.run([take()], changes)[0]!, rows),
});
