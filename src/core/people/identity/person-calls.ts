/** The calls of one person, as findings, traits and sessions are made of them. */
import type { PersonView } from '../../../contract/persons.ts';
import { isJsonObject } from '../../model/call.ts';
import { parseTimestamp } from '../../model/timestamp.ts';
import type { PersonCall } from '../../store/ports/user-calls.ts';

/** A longer pause ends a session. */
export const SESSION_GAP_MS = 30 * 60_000;

/** In the order of arrival. */
export function sessionsOf(calls: readonly PersonCall[]): PersonView['sessions'] {
  const sessions: PersonView['sessions'] = [];
  for (const { id, receivedAt } of calls) {
    const open = sessions.at(-1);
    if (open !== undefined && receivedAt - open.endedAt <= SESSION_GAP_MS)
      sessions[sessions.length - 1] = { ...open, last: id, endedAt: receivedAt, calls: open.calls + 1 };
    else sessions.push({ first: id, last: id, startedAt: receivedAt, endedAt: receivedAt, calls: 1 });
  }
  return sessions;
}

/** When the client says that it happened, else when it was received. */
export function happenedAt({ body, receivedAt }: PersonCall): number {
  const given = body?.timestamp;
  return (typeof given === 'string' ? parseTimestamp(given) : null) ?? receivedAt;
}

/** The traits that an identify call sets, in its order; empty for other calls. */
export function traitsOf({ type, body }: PersonCall): Array<readonly [trait: string, value: unknown]> {
  return type === 'identify' && isJsonObject(body?.traits) ? Object.entries(body.traits) : [];
}
