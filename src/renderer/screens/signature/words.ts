/** What the lab says. Pure. */
import {
  CHANGES,
  DIGEST_FORMS,
  type Hazard,
  type HazardPlace,
  type LabVerdict,
  type Variant,
} from '../../../contract/signature-lab.ts';
import { deedsOf, knownFrom, OTHER_SECRET } from '../../../contract/signature-words.ts';
import { formatCount, plural } from '../../lib/format.ts';
import type { VerifyLanguage } from '../../message/verify-snippets.ts';

export type JudgedVerdict = Exclude<LabVerdict, { kind: 'not_a_digest' }>;

export function headlineOf(verdict: JudgedVerdict): string {
  switch (verdict.kind) {
    case 'match':
      return 'Match: this is the X-Signature of these bytes';
    case 'explained':
      return `Explained: your receiver ${deedsOf(verdict)}`;
    case 'unexplained':
      return 'Mismatch, not explained yet';
  }
}

/** Sentences under the headline. */
export function aboutOf(verdict: JudgedVerdict, hasOtherSecret: boolean): string[] {
  const form = DIGEST_FORMS[verdict.form];
  return [factOf(verdict), form, hasOtherSecret ? OTHER_SECRET : ''].filter((text) => text !== '');
}

function factOf(verdict: JudgedVerdict): string {
  switch (verdict.kind) {
    case 'match':
      return 'Your receiver hashed exactly the bytes that were sent, with this secret.';
    case 'explained': {
      const from = verdict.writers.length === 0 ? knownFrom(verdict) : verdict.writers.join(', ');
      return from === '' ? '' : `Known from ${from}.`;
    }
    case 'unexplained':
      return `None of ${formatCount(verdict.tried)} known changes gives this digest. Give the bytes that your receiver hashed to compare them with those that were sent.`;
  }
}

/** Where two texts of bytes part: `byte 144 of 313, in properties.coupon`. */
export function placeOf({ at, field }: { readonly at: number; readonly field: string }, length: number): string {
  const where =
    at < length ? `byte ${formatCount(at)} of ${formatCount(length)}` : `after the last of ${plural(length, 'byte')}`;
  return field === '' ? where : `${where}, in ${field}`;
}

export const variantLabel = ({ changes, library }: Pick<Variant, 'changes' | 'library'>): string =>
  library ??
  (changes.length === 0 ? 'Exact bytes as sent' : changes.map((change) => CHANGES[change].label).join(' + '));

export function variantBy({ changes, library }: Pick<Variant, 'changes' | 'library'>): string {
  if (library !== null) return plural(changes.length, 'change');
  const [only] = changes;
  return only === undefined ? 'what Hookbench signs' : changes.length === 1 ? CHANGES[only].by : '';
}

/** `5b701f6f…bae5c5b5`. */
export const shortDigest = (digest: string): string =>
  digest.length <= 17 ? digest : `${digest.slice(0, 8)}\u2026${digest.slice(-8)}`;

const quoted = (text: string): string => text.replaceAll('\n', '\u21b5');

/** What a library does at a place: `& becomes \u0026`. */
export function placeText({ kind, sent, written }: HazardPlace): string {
  switch (kind) {
    case 'order':
      return `${sent} is no longer first here, ${written} is`;
    case 'repeated':
      return `is there twice, the ${written} one stays`;
    case 'null':
      return 'null is left out';
    case 'white_space':
      return 'other white space';
    case 'line_break':
      return 'a line break is added at the end';
    default:
      return `${quoted(sent)} becomes ${quoted(written)}`;
  }
}

/** The library that people of a language write first, one for each language. */
export const firstOfEach = (hazards: readonly Hazard[]): Hazard[] =>
  hazards.filter(({ language }, i) => hazards.findIndex((other) => other.language === language) === i);

/** The language of the snippet that mends what the verdict names. */
export function languageOf(verdict: LabVerdict | null, hazards: readonly Hazard[]): VerifyLanguage | undefined {
  if (verdict?.kind !== 'explained') return undefined;
  const language = hazards.find(({ library }) => library === verdict.writers[0])?.language;
  return language === 'JavaScript' ? 'Node.js' : language;
}
