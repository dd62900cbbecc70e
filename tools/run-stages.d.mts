import type { SpawnOptions } from 'node:child_process';

export interface Stage {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

export function endOnSignals(): void;
export function runGroup<T extends Stage>(
  stages: readonly T[],
  options: SpawnOptions,
): AsyncGenerator<T & { readonly exitCode: number }>;
