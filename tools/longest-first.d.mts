import type { BaseSequencer } from 'vitest/node';

export const LONGEST: readonly string[];
declare const LongestFirst: typeof BaseSequencer;
export default LongestFirst;
