/** What the requests with the stored body say of its signature. Pure. */
import type { MessageDetail } from '../../../../contract/values.ts';
import { ownAttempts } from '../../../message/attempts.ts';
import { type Carried, signed } from '../carried.ts';
import { attemptOrder } from '../use-open-attempts.ts';

export interface StoredBodySigned {
  /** The request that was accepted, else the newest one. */
  readonly shown: Carried;
  /** `Sent by attempt 2. All 6 requests carried the same digest.` */
  readonly sentence: string;
}

/** What was sent with the stored body, also by replays that were not edited. Null when none of it was signed. */
export function storedBodySigned({
  attempts,
  replays,
}: Pick<MessageDetail, 'attempts' | 'replays'>): StoredBodySigned | null {
  const plainReplays = replays.filter((replay) => replay.sent === 'delivered');
  const plain = plainReplays.flatMap((replay) => replay.attempts);
  const sent = [...ownAttempts(attempts), ...plain].filter(({ requestHeaders }) => requestHeaders.length > 0);
  const all = signed(sent);
  const own = all.filter(({ attempt }) => attempt.replayId === null);
  const shown = own.find(({ attempt }) => attempt.outcome === 'accepted') ?? own.at(-1) ?? all.at(-1);
  if (shown === undefined) return null;
  const same = all.filter(({ header }) => header === shown.header).length;
  const number = attemptOrder(attempts).indexOf(shown.attempt.id) + 1;
  const by = shown.attempt.replayId === null ? `attempt ${number}` : 'a replay';
  const what = replays.length > plainReplays.length ? ' with this body' : '';
  return { shown, sentence: `Sent by ${by}. ${sameText(same, sent.length, what)}` };
}

/** `what` tells the requests with the stored body from those of edited replays. */
function sameText(same: number, sent: number, what: string): string {
  if (sent === 1) return `It is the only request${what}.`;
  if (same < sent) return `${same} of ${sent} requests${what} carried this digest.`;
  return `${sent === 2 ? 'Both' : `All ${sent}`} requests${what} carried the same digest.`;
}

/**
 * - `verified`: the engine computes what was sent
 * - `another`: it computes another one
 * - `unchecked`: there is no secret to compute it with
 * - `unsent`: there is a signature that no request carried
 * - `unsigned`: there is none
 */
export type StripVerdict = 'verified' | 'another' | 'unchecked' | 'unsent' | 'unsigned';

export function verdictOf(sent: string | null, computed: string | null): StripVerdict {
  if (sent === null) return computed === null ? 'unsigned' : 'unsent';
  if (computed === null) return 'unchecked';
  return sent === computed ? 'verified' : 'another';
}
