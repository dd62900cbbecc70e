/** Seeds that failed once, with the violation. Every run tries them first. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface Regression {
  readonly seed: number;
  readonly what: string;
  /** The commit at which it was found. */
  readonly found: string;
}

const FILE = new URL('./regressions.json', import.meta.url);

export function regressions(): Regression[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Regression[]) : [];
}

export function keepRegression(one: Regression): void {
  const known = regressions();
  if (known.some(({ seed }) => seed === one.seed)) return;
  writeFileSync(FILE, `${JSON.stringify([...known, one], null, 2)}\n`);
}
