/** Fields to mask, as a text with commas between the paths. */
import { EXCHANGE_LIMITS } from '../../../contract/exchange-limits.ts';

export const textOfPaths = (paths: readonly string[]): string => paths.join(', ');

export const pathsOf = (text: string): string[] =>
  text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');

/** Null when the engine takes these paths. */
export function problemOf(paths: readonly string[]): string | null {
  if (paths.length > EXCHANGE_LIMITS.maskPaths) return `At most ${EXCHANGE_LIMITS.maskPaths} fields.`;
  return paths.some((path) => path.length > EXCHANGE_LIMITS.maskPath)
    ? `A path has at most ${EXCHANGE_LIMITS.maskPath} characters.`
    : null;
}
