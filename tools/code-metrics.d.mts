interface LongFile {
  readonly path: string;
  readonly lines: number;
}

interface LongFunction extends LongFile {
  readonly name: string;
}

/** Lengths are in lines, shares between 0 and 1. A circle is the sorted list of its files or rooms. */
export interface CodeMetrics {
  readonly files: number;
  readonly lines: number;
  readonly longFiles: readonly LongFile[];
  readonly functions: number;
  readonly medianFunction: number;
  readonly p95Function: number;
  readonly longFunctions: readonly LongFunction[];
  readonly veryLongFunctions: readonly LongFunction[];
  readonly valueCircles: readonly (readonly string[])[];
  readonly circles: readonly (readonly string[])[];
  readonly rooms: number;
  readonly floors: number;
  readonly arrows: number;
  readonly roomCircles: readonly (readonly string[])[];
  readonly commentShare: number;
  readonly exported: number;
  readonly documentedShare: number;
}

/** Measures the TypeScript files under `root`/src; the folder needs a tsconfig.json. */
export function measure(root: string): CodeMetrics;

/** Markdown: a table with a column for each folder, then what is long or circular in each. */
export function report(folders: readonly string[]): string;
