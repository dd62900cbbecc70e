/** Takes the secrets of the workspace out of an exported message: a webhook may answer with what it got. */
import { withoutValues } from './values-gone.ts';
import { HIDDEN_KEY } from './write-key-text.ts';

/** A shorter secret may be a word of a call. */
const MIN_IN_CALL = 8;

/** The parts of an attempt in which a secret may stand: what the webhook answered, and the body of an edited replay. */
interface Answered {
  readonly response: unknown;
  readonly responseHeaders: unknown;
  readonly statusText: unknown;
  readonly detail: unknown;
  readonly sentBody?: unknown;
}

interface WithAnswers {
  readonly request: unknown;
  readonly delivered: unknown;
  readonly attempts: readonly Answered[];
}

/** `digests` are those of the attempts. */
export function withoutSecrets<M extends WithAnswers>(
  message: M,
  secrets: readonly string[],
  digests: readonly string[],
): M {
  const all = [...secrets.flatMap(withToken), ...digests];
  const inCalls = all.filter(({ length }) => length >= MIN_IN_CALL);
  const { request, delivered } = withoutValues(
    { request: message.request, delivered: message.delivered },
    inCalls,
    HIDDEN_KEY,
  );
  return { ...message, request, delivered, attempts: message.attempts.map((one) => withoutAnswered(one, all)) };
}

/** Of `Bearer abc` the token alone too. */
const withToken = (secret: string): string[] => [secret, ...secret.split(/^(?:bearer|basic|token) +/i).slice(1)];

function withoutAnswered(attempt: Answered, secrets: readonly string[]): Answered {
  const { response, responseHeaders, statusText, detail, sentBody } = attempt;
  const answered = { response, responseHeaders, statusText, detail, ...(sentBody !== undefined && { sentBody }) };
  return { ...attempt, ...withoutValues(answered, secrets, HIDDEN_KEY) };
}
