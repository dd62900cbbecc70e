/** A new message as its table keeps it. */
import { arrival } from '../model/moves.ts';
import type { NewMessage } from '../model/records.ts';
import type { Arrived } from './ports/ingest.ts';
import { NEW_ROOM } from './schema/room-in-messages.ts';

export type MessageRow = Omit<NewMessage, 'wire' | 'notes'> & {
  readonly sourceId: number | null;
  readonly requestId: number;
  readonly receivedAt: number;
  readonly nextDueAt: number | null;
  readonly finishedAt: number | null;
  readonly notes: string | null;
  readonly room: Uint8Array | null;
};

/** The columns of a new message. */
export const NEW_MESSAGE_NAMES = [
  'messageId',
  'sourceId',
  'requestId',
  'position',
  'origin',
  'type',
  'name',
  'userId',
  'anonymousId',
  'state',
  'reason',
  'reasonDetail',
  'receivedAt',
  'size',
  'nextDueAt',
  'finishedAt',
  'notes',
  'room',
] as const satisfies ReadonlyArray<keyof MessageRow>;

export function messageRow({ request, dueAt }: Arrived, requestId: number, message: NewMessage): MessageRow {
  const { sourceId, receivedAt } = request;
  const { nextDueAt, finishedAt } = arrival(message.state, receivedAt, dueAt);
  return {
    ...message,
    nextDueAt,
    finishedAt,
    room: nextDueAt === null ? null : NEW_ROOM,
    sourceId,
    requestId,
    receivedAt,
    notes: message.notes.length > 0 ? JSON.stringify(message.notes) : null,
  };
}
