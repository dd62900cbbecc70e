/** The name of a message's built body: "delivered" only when a webhook accepted it. Pure. */
import { FINAL_STATES } from '../../contract/names.ts';
import type { MessageDetail } from '../../contract/values.ts';
import { isRefusedUnsent } from '../lib/words/attempts.ts';

export interface BodyWords {
  /** As an option beside `Received`. */
  readonly tab: string;
  /** To begin a sentence or a name with. */
  readonly body: string;
  readonly about: string;
}

const DELIVERED: BodyWords = {
  tab: 'Delivered',
  body: 'Delivered body',
  about: 'Exactly these bytes went to every webhook that was tried, in every attempt.',
};
const TO_BE_SENT: BodyWords = {
  tab: 'To be sent',
  body: 'Body to be sent',
  about: 'Exactly these bytes go to every webhook, in every attempt. None has accepted them yet.',
};
const SENT: BodyWords = {
  tab: 'Sent',
  body: 'Sent body',
  about: 'Exactly these bytes went to every webhook that was tried, in every attempt. None accepted them.',
};
const WOULD_BE_SENT: BodyWords = {
  tab: 'Would be sent',
  body: 'Body that would be sent',
  about: 'Nothing was sent. A replay would send exactly these bytes.',
};

export function bodyWords({ message, attempts, replays }: Pick<MessageDetail, 'message' | 'attempts' | 'replays'>) {
  const all = [...attempts, ...replays.flatMap((replay) => replay.attempts)];
  if (all.some(({ outcome }) => outcome === 'accepted')) return DELIVERED;
  if (!FINAL_STATES.has(message.state)) return TO_BE_SENT;
  return all.every(isRefusedUnsent) ? WOULD_BE_SENT : SENT;
}
