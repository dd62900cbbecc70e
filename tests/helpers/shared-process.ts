/** Which test files have a process of their own. Those that a worker takes of the others share one. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const cwd = resolve(import.meta.dirname, '../..');

/** What lasts beyond the file that does it (mocks of modules, changes of the process), and measures of the process. */
const LASTING = new RegExp(
  [
    /\bvi\.(mock|doMock|hoisted)\b/,
    /\bprocess\.(chdir|on|exitCode)\b/,
    /\bprocess\.env[.[][^=]*[^=!]=[^=]/,
    /\bglobalThis\b[^;\n]*[^=!<>]=[^=>]/,
    /\b(assign|defineProperty|deleteProperty|set)\(\s*(globalThis|process)\b/,
    /\b(memoryUsage|cpuUsage|resourceUsage|eventLoopUtilization)\b|--expose-gc/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

export const lasts = (source: string): boolean => LASTING.test(source);

/** The files of these patterns that need a process of their own, by their paths from the project's folder. */
export const withOwnProcess = (patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd }).filter((file) => lasts(readFileSync(resolve(cwd, file), 'utf8')));
