/** Makes one request and says how it ended. Never throws. */
import type { GiveUp } from './give-up.ts';
import { MAX_ANSWER_BYTES } from './limits.ts';
import type { TryResult } from './retry-rule.ts';
import type { Fetch, FetchAnswer, Timers } from './types.ts';

export interface PostRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly keepalive: boolean;
}

export interface PostParts {
  readonly fetch: Fetch;
  readonly timers: Timers;
  /** For the whole request, the answer's body included. */
  readonly timeoutMs: number;
}

export interface PostResult extends TryResult {
  /** How it ended, for people. */
  readonly text: string;
  /** The first 1,000 characters of the answer; null when there was none. */
  readonly answer: string | null;
  readonly cause?: unknown;
}

const ANSWER_CHARACTERS = 1_000;

/** `giveUp` ends the request at once. */
export async function post(request: PostRequest, parts: PostParts, giveUp: GiveUp): Promise<PostResult> {
  const end = new AbortController();
  const keepOn = giveUp.on(() => end.abort(new Error('given up')));
  const late = new Error(`no answer within ${parts.timeoutMs} ms`);
  const timer = parts.timers.after(parts.timeoutMs, () => end.abort(late));
  // A `fetch` option may ignore the signal.
  const ended = new Promise<never>((_, reject) => {
    const onEnd = (): void => reject(end.signal.reason);
    if (end.signal.aborted) onEnd();
    else end.signal.addEventListener('abort', onEnd);
  });
  ended.catch(() => {});
  try {
    return await exchange(request, parts.fetch, end.signal, ended);
  } catch (cause) {
    return { status: null, retryAfter: null, answer: null, text: textOf(cause), cause };
  } finally {
    timer.cancel();
    keepOn();
  }
}

async function exchange(
  { url, headers, body, keepalive }: PostRequest,
  fetch: Fetch,
  signal: AbortSignal,
  ended: Promise<never>,
): Promise<PostResult> {
  // Redirects are never followed: the POST would become a GET without its body and look like a success.
  const init = { method: 'POST', headers, body, signal, redirect: 'manual', credentials: 'omit', keepalive } as const;
  const answer = await Promise.race([fetch(url, init), ended]);
  const retryAfter = answer.headers.get('retry-after');
  // The status is known; how the body ends changes nothing.
  const text = await Promise.race([readSome(answer), ended]).catch(() => '');
  if (answer.type === 'opaqueredirect') return { status: 302, retryAfter, answer: text, text: 'a redirect' };
  return { status: answer.status, retryAfter, answer: text, text: `status ${answer.status}` };
}

/** Reads the answer so that the connection can be reused. Drops an answer that is longer than any reason. */
async function readSome({ body }: FetchAnswer): Promise<string> {
  if (body === null || body === undefined) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    if (text.length < ANSWER_CHARACTERS)
      text = (text + decoder.decode(value, { stream: true })).slice(0, ANSWER_CHARACTERS);
    bytes += value.length;
    if (bytes <= MAX_ANSWER_BYTES) continue;
    await reader.cancel();
    return text;
  }
}

function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const below = cause.cause;
  return below instanceof Error && below.message !== '' ? `${cause.message}: ${below.message}` : cause.message;
}
