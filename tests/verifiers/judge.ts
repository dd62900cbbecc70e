/** Whether the signature lab names a broken verifier as it should. */
import type { LabVerdict } from '../../src/contract/signature-lab.ts';
import { signatureOf } from '../../src/core/model/signature.ts';
import { explain } from '../../src/core/signature-lab/explain.ts';
import { hazardsOf } from '../../src/core/signature-lab/hazards.ts';
import { SECRET } from './programs.ts';
import type { BrokenVerifier } from './verifiers.ts';

/** Null when the digest is the right one and the mistake does not show in this body; otherwise whether it was named. */
export function isNamed(
  { named, elsewhere, form = 'hex' }: BrokenVerifier,
  body: string,
  digest: string,
): boolean | null {
  const verdict = verdictOn(body, digest);
  if (verdict.kind === 'match') return typeof named !== 'string' && named.length === 0 ? verdict.form === form : null;
  if (verdict.kind !== 'explained' || verdict.form !== form) return false;
  if (typeof named === 'string') return verdict.writers.includes(named);
  return [named, elsewhere].some((changes) => JSON.stringify(verdict.changes) === JSON.stringify(changes));
}

export const verdictOn = (body: string, digest: string): LabVerdict =>
  explain({ body: Buffer.from(body), secret: SECRET, digest });

/** Whether the hazards of a body say truly if this library writes the same bytes. */
export function isForeseen(library: string, body: string, digest: string): boolean {
  const isSame = digest === signatureOf(SECRET, Buffer.from(body));
  return (hazardsOf(Buffer.from(body)).find((one) => one.library === library)!.count === 0) === isSame;
}
