/**
 * `npm run verifiers [-- --good N]`: runs broken verifiers in their own languages and asks the signature lab what they
 * did; then N good digests (10,000), which must all match; then the snippets of the Signature tab on real deliveries. Exit
 * code 1: a verifier was not named, a good one accused, or a snippet was wrong.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import fc from 'fast-check';
import { signatureOf } from '../../src/core/model/signature.ts';
import { explain } from '../../src/core/signature-lab/explain.ts';
import { isForeseen, isNamed, verdictOn } from './judge.ts';
import { verifierIn } from './programs.ts';
import { BODIES, BROKEN_VERIFIERS, HAZARDS, LANGUAGES, REWRITERS } from './verifiers.ts';

const { values } = parseArgs({ options: { good: { type: 'string', default: '10000' } } });
const folder = mkdtempSync(join(tmpdir(), 'hookbench-verifiers-'));
let wrong = 0;
let named = 0;
let foreseen = 0;
let wrongHazards = 0;

for (const language of LANGUAGES) {
  const verify = verifierIn(language, join(folder, language));
  if (verify === null) {
    console.log(`${language}: not installed, not run`);
    continue;
  }
  const ours = BROKEN_VERIFIERS.filter((verifier) => verifier.language === language);
  for (const verifier of ours) {
    const results = BODIES.map((body) => isNamed(verifier, body, verify(verifier.mistake, body)));
    if (results.includes(true) && !results.includes(false)) named += 1;
    else {
      wrong += 1;
      console.log(`${language} ${verifier.mistake}: ${results.join(', ')}`);
      for (const body of BODIES) console.log(`  ${inspect(verdictOn(body, verify(verifier.mistake, body)))}`);
    }
  }
  if (BODIES.some((body) => verdictOn(body, verify('right', body)).kind !== 'match')) {
    wrong += 1;
    console.log(`${language}: the right verifier was accused`);
  }
  for (const { mistake, library } of REWRITERS.filter((one) => one.language === language))
    for (const body of HAZARDS) {
      if (isForeseen(library, body, verify(mistake, body))) foreseen += 1;
      else {
        wrongHazards += 1;
        console.log(`${language} ${mistake}: what it does to ${body} was not foreseen`);
      }
    }
  console.log(`${language}: ${ours.length} verifiers`);
}

const good = fc.sample(fc.tuple(fc.json({ stringUnit: 'binary' }), fc.string({ unit: 'binary' })), Number(values.good));
const accused = good.filter(([body, secret]) => {
  const bytes = Buffer.from(body);
  return explain({ body: bytes, secret, digest: signatureOf(secret, bytes) }).kind !== 'match';
});
rmSync(folder, { recursive: true });
console.log(`${foreseen} of ${foreseen + wrongHazards} bodies written again as foreseen`);
console.log(
  `${named} broken verifiers named at first try, ${wrong} not; ${accused.length} of ${good.length} good ones accused`,
);
const snippets = spawnSync(
  'node',
  ['tools/with-node.mjs', 'vitest', 'run', 'tests/integration/verify-snippets.test.ts'],
  {
    stdio: 'inherit',
  },
);
process.exitCode = wrong + wrongHazards + accused.length > 0 || snippets.status !== 0 ? 1 : 0;
