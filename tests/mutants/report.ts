/** Reads counts and survivors from a Stryker report, which is in the mutation-testing-elements format. */

export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/**
 * A mutant that no test noticed. `line` is the trimmed source line, so that an explanation still fits after lines move.
 */
export interface Survivor {
  readonly file: string;
  readonly line: string;
  readonly replacement: string;
}

export interface Score {
  readonly killed: number;
  readonly survivors: readonly (Survivor & { readonly at: string })[];
}

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

/** Mutants that do not compile or were ignored do not count. */
export function scoreOf(report: Report): Score {
  let killed = 0;
  const survivors: Score['survivors'][number][] = [];
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    const lines = source.split('\n');
    for (const { status, location, replacement } of mutants) {
      if (DETECTED.has(status)) killed += 1;
      if (!UNDETECTED.has(status)) continue;
      const { line, column } = location.start;
      survivors.push({ file, line: lines[line - 1]?.trim() ?? '', replacement, at: `${file}:${line}:${column}` });
    }
  }
  return { killed, survivors };
}

/** Percent, one decimal, rounded down: 89.99 is not 90. Of nothing it is 0, because nothing was shown. */
export const percent = ({ killed, survivors }: Score): number => {
  const all = killed + survivors.length;
  return all === 0 ? 0 : Math.floor((killed / all) * 1000) / 10;
};

export interface Explained extends Survivor {
  readonly why: string;
}

const keyOf = ({ file, line, replacement }: Survivor): string => JSON.stringify([file, line, replacement]);

/** Survivors without an explanation, and explanations without a survivor. */
export function compare(score: Score, explained: readonly Explained[]) {
  const known = new Set(explained.map(keyOf));
  const seen = new Set(score.survivors.map(keyOf));
  return {
    unexplained: score.survivors.filter((survivor) => !known.has(keyOf(survivor))),
    outdated: explained.filter((each) => !seen.has(keyOf(each))),
  };
}
