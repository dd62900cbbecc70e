/** Adds a note to each message whose bytes changed when its body was parsed. */
import { findingsIn, isStringified } from '../model/json-findings.ts';
import type { Note } from '../model/message.ts';
import type { NewMessage } from '../model/records.ts';
import type { Calls } from './split.ts';

/** The same messages, with notes on those that parsing changed. `calls` are their calls as JSON.stringify gives them. */
export function annotated(
  messages: readonly NewMessage[],
  { text, around, batch }: Calls,
  calls: readonly string[],
): readonly NewMessage[] {
  if (text === '' || isStringified(text, calls, around)) return messages;
  const byCall = new Map<number, Note[]>();
  for (const { call, code, field, detail } of findingsIn(text, batch !== null)) {
    const notes = byCall.get(call) ?? [];
    byCall.set(call, notes);
    notes.push({ code, field, detail });
  }
  return byCall.size === 0 ? messages : messages.map((message) => withNotes(message, byCall.get(message.position)));
}

const withNotes = (message: NewMessage, notes: readonly Note[] | undefined): NewMessage =>
  notes === undefined ? message : { ...message, notes: [...message.notes, ...notes] };
