/** Broken verifiers in the languages that need no compiler. `npm run verifiers` runs all, and 10,000 good digests. */
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { isForeseen, isNamed, verdictOn } from '../verifiers/judge.ts';
import { verifierIn } from '../verifiers/programs.ts';
import { BODIES, BROKEN_VERIFIERS, HAZARDS, REWRITERS } from '../verifiers/verifiers.ts';

describe.each(['node', 'python', 'ruby', 'php', 'shell'] as const)('in %s', (language) => {
  const verify = verifierIn(language, tmpdir());
  const ours = BROKEN_VERIFIERS.filter((verifier) => verifier.language === language);

  test.skipIf(verify === null).each(ours)('$mistake is named', (verifier) => {
    const results = BODIES.map((body) => isNamed(verifier, body, verify!(verifier.mistake, body)));
    expect(results).toContain(true);
    expect(results).not.toContain(false);
  });

  test.skipIf(verify === null)('the right verifier is not accused', () => {
    for (const body of BODIES) expect(verdictOn(body, verify!('right', body))).toEqual({ kind: 'match', form: 'hex' });
  });

  const rewriters = REWRITERS.filter((verifier) => verifier.language === language).slice(0, 1);
  test.skipIf(verify === null).each(rewriters)('$library writes bodies again as foreseen', ({ mistake, library }) => {
    const wrong = HAZARDS.filter((body) => !isForeseen(library, body, verify!(mistake, body)));
    expect(wrong).toEqual([]);
  });
});
