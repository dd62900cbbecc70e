/** The commands of the signature lab (docs/signature-lab.md). The shared secret itself is in no answer. */
import { z } from 'zod';
import { command, gives } from './command.ts';
import {
  type AttemptVerdict,
  type BytesCompared,
  MAX_COMPARED_BYTES,
  MAX_DIGEST,
  type SearchAnswer,
  type SignedAttempt,
  type Variant,
} from './signature-lab.ts';

z.config({ jitless: true });

const attemptId = z.number().int().positive();
const digest = z.string().max(MAX_DIGEST);
/** In place of the shared secret of the workspace. It is used for this answer and kept nowhere. */
const secret = z.string().max(1024).optional();

export const signatureCommands = {
  /** Errors `attempt_not_found`, `body_damaged`. */
  'signature.attempt': command(z.strictObject({ attemptId }), gives<SignedAttempt>()),
  /**
   * Why a verifier's digest of what an attempt sent does not match. Errors `attempt_not_found`, `body_damaged`,
   * `no_secret`, `secret_unreadable`.
   */
  'signature.explain': command(z.strictObject({ attemptId, digest, secret }), gives<AttemptVerdict>()),
  /**
   * The same in parts of a fifth of a second. While the answer is not done, ask again with its `search`; a client that
   * stops asking has cancelled. A connection has at most 4 searches; a further one ends the oldest. Errors as above,
   * and `search_not_found`.
   */
  'signature.search': command(
    z.union([z.strictObject({ attemptId, digest, secret }), z.strictObject({ search: z.string().max(40) })]),
    gives<SearchAnswer>(),
  ),
  /** The digests of all single changes and whole libraries, the likeliest first. Errors as for `signature.explain`. */
  'signature.variants': command(z.strictObject({ attemptId, secret }), gives<{ variants: Variant[] }>()),
  /** Compares the bytes that a receiver hashed. Errors as for `signature.explain`. */
  'signature.compare': command(
    z.strictObject({ attemptId, bytesBase64: z.base64().max(Math.ceil(MAX_COMPARED_BYTES / 3) * 4), secret }),
    gives<BytesCompared>(),
  ),
};
