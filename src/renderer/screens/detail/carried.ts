/** Which requests of a message carried X-Signature. Pure. */
import type { AttemptView, MessageDetail } from '../../../contract/values.ts';

export interface Carried {
  readonly attempt: AttemptView;
  readonly header: string;
}

/** The attempts of a message and its replays that sent X-Signature, oldest first, with its value. */
export const carriedBy = ({ attempts, replays }: Pick<MessageDetail, 'attempts' | 'replays'>): Carried[] =>
  signed([...attempts, ...replays.flatMap((replay) => replay.attempts)]);

export function signed(attempts: readonly AttemptView[]): Carried[] {
  const byId = new Map(attempts.map((one) => [one.id, one]));
  return [...byId.values()]
    .sort((a, b) => a.id - b.id)
    .flatMap((attempt) => {
      const header = attempt.requestHeaders.find(({ name }) => name === 'X-Signature');
      return header !== undefined && 'value' in header ? [{ attempt, header: header.value }] : [];
    });
}
