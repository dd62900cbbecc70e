/** A verdict of the signature lab in sentences, the same in the interface and on the command line. */
import { CHANGES, DIGEST_FORMS, type LabVerdict } from './signature-lab.ts';

/** Of an attempt that was signed with an earlier secret. */
export const OTHER_SECRET =
  'The shared secret has changed since this attempt: a verifier with the earlier one computes another digest.';

/** The changes as clauses that follow "The verifier": `sorted the keys; and hashed a newline after the body`. */
export function deedsOf({ changes }: Extract<LabVerdict, { kind: 'explained' }>): string {
  const deeds = changes.map((change) => CHANGES[change].did);
  return deeds.length < 2 ? (deeds[0] ?? '') : `${deeds.slice(0, -1).join('; ')}; and ${deeds.at(-1)}`;
}

/** The library that writes these bytes; else who makes the one change; empty when nothing is known. */
export function knownFrom({ changes, writers }: Extract<LabVerdict, { kind: 'explained' }>): string {
  const [writer] = writers;
  if (writer !== undefined) return writer;
  const [only] = changes;
  return changes.length === 1 && only !== undefined ? CHANGES[only].by : '';
}

/** Sentences without a line break in them, the verdict first. `sentBytes` is the length of the body that was sent. */
export function verdictLines(verdict: LabVerdict, sentBytes: number): string[] {
  if (verdict.kind === 'not_a_digest') return [verdict.problem];
  const form = DIGEST_FORMS[verdict.form];
  const more = form === '' ? [] : [form];
  switch (verdict.kind) {
    case 'match':
      return ['The digest matches this body and secret.', ...more];
    case 'unexplained':
      return [
        'The digest does not match this body and secret.',
        ...more,
        `None of ${verdict.tried.toLocaleString('en-US')} known changes gives it. Compare the bytes that the verifier hashed with the body.`,
      ];
    case 'explained':
      return ['The digest does not match this body and secret.', ...more, ...explanation(verdict, sentBytes)];
  }
}

function explanation(verdict: Extract<LabVerdict, { kind: 'explained' }>, sentBytes: number): string[] {
  const from = knownFrom(verdict);
  const lines = [`The verifier ${deedsOf(verdict)}${from === '' ? '' : ` (known from ${from})`}.`];
  if (verdict.hashed === null) return lines;
  const { at, field } = verdict.hashed.difference;
  const where = at < sentBytes ? `at byte ${at} of ${sentBytes}` : `after the last of ${sentBytes} bytes`;
  lines.push(`The first difference is ${where}${field === '' ? '' : `, in ${field}`}.`);
  lines.push('Hash the bytes as they arrive, before anything parses or decodes them.');
  return lines;
}
