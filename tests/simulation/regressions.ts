/** Seeds that failed once, with the violation. Every run tries them first. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { StoreName } from './world-store.ts';

export interface Regression {
  readonly seed: number;
  readonly store: StoreName;
  readonly what: string;
  /** The commit at which it was found. */
  readonly found: string;
}

const FILE = new URL('./regressions.json', import.meta.url);

const all = (): Regression[] => (existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Regression[]) : []);

/** Those of worlds on this store. */
export const regressions = (store: StoreName): Regression[] => all().filter((one) => one.store === store);

export function keepRegression(one: Regression): void {
  const known = all();
  if (known.some(({ seed, store }) => seed === one.seed && store === one.store)) return;
  writeFileSync(FILE, `${JSON.stringify([...known, one], null, 2)}\n`);
}
