/** What a replay changed, compared with the original attempts. Pure. */
import type { AttemptView, ReplayView, WebhookView } from '../../../contract/values.ts';
import { byteLength } from '../../lib/format.ts';
import { headOf } from '../../lib/json.ts';
import { jsonTokens, type Token } from '../../lib/json-tokens.ts';
import { attemptKind } from '../../lib/words/attempts.ts';
import type { Tone } from '../../lib/words/tone.ts';

export interface Change {
  readonly words: string;
  readonly tone: Tone;
}

/** The newest finished attempt of a round at a webhook, or undefined when it was never tried. */
export function originalOf(attempts: readonly AttemptView[], webhookId: number): AttemptView | undefined {
  return attempts
    .filter((one) => one.replayId === null && one.webhookId === webhookId && one.outcome !== null)
    .reduce<AttemptView | undefined>(
      (last, one) => (last === undefined || one.round >= last.round ? one : last),
      undefined,
    );
}

const NOW: Record<string, Change> = {
  accepted: { words: 'Now accepted', tone: 'ok' },
  failed: { words: 'Now fails', tone: 'bad' },
  timed_out: { words: 'Now times out', tone: 'warn' },
  no_connection: { words: 'Now no connection', tone: 'bad' },
  refused_certificate: { words: 'Now refused', tone: 'bad' },
  declined: { words: 'Now declined', tone: 'bad' },
  redirect: { words: 'Now redirected', tone: 'bad' },
  throttled: { words: 'Now throttled', tone: 'warn' },
  interrupted: { words: 'Interrupted', tone: 'warn' },
};

/** What a target without an attempt means: its turn may come, or another target accepted the replay first. */
export function withoutAttempt({ finishedAt, ended, attempts }: ReplayView): string {
  if (finishedAt === null) return 'Not sent yet';
  return ended === 'done' && attempts.some(({ outcome }) => outcome === 'accepted') ? 'Not needed' : 'Not sent';
}

/** How the replay's newest attempt compares with the original one. `missing`: what it means that there is none. */
export function changeOf(
  original: AttemptView | undefined,
  replay: AttemptView | undefined,
  missing = 'Not sent',
): Change {
  if (replay === undefined) return { words: missing, tone: 'quiet' };
  if (replay.outcome === null) return { words: 'Sending', tone: 'accent' };
  const kind = attemptKind(replay);
  if (kind === 'interrupted') return NOW.interrupted!;
  if (original === undefined) return { words: 'Not tried before', tone: kind === 'accepted' ? 'ok' : 'quiet' };
  if (attemptKind(original) !== kind) return NOW[kind]!;
  if (original.status === replay.status && original.reason === replay.reason)
    return { words: 'Same result', tone: 'quiet' };
  return kind === 'accepted'
    ? { words: 'Still accepted', tone: 'quiet' }
    : { words: 'Fails differently', tone: 'quiet' };
}

/** The initial choice: every enabled webhook, except those whose certificate was refused last time. */
export function firstChoice(
  webhooks: readonly Pick<WebhookView, 'id' | 'enabled'>[],
  attempts: readonly AttemptView[],
): number[] {
  return webhooks
    .filter((hook) => hook.enabled && originalOf(attempts, hook.id)?.outcome !== 'refused_certificate')
    .map((hook) => hook.id);
}

/** Longer texts of a line are cut to their first part. */
const LONGEST_TOKEN = 120;
const SHOWN_OF_TOKEN = 16;
/** Longer lines are not read as JSON. */
const LONGEST_LINE = 20_000;
const SHOWN_OF_LINE = 200;

/** A part of a line, and how many bytes of it are left out. */
export interface ShownToken extends Token {
  readonly hiddenBytes: number;
}

/** A line of indented JSON with long keys and values cut, so that what follows them is in sight. */
export function shownTokens(line: string): ShownToken[] {
  const cut = (token: Token, most: number, shown: number): ShownToken => {
    const head = token.text.length > most ? headOf(token.text, shown) : token.text;
    return { ...token, text: head, hiddenBytes: byteLength(token.text) - byteLength(head) };
  };
  if (line.length > LONGEST_LINE) return [cut({ at: 0, text: line, kind: '' }, SHOWN_OF_LINE, SHOWN_OF_LINE)];
  return jsonTokens(line).map((token) => cut(token, LONGEST_TOKEN, SHOWN_OF_TOKEN));
}
