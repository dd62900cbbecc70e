/** Adds a note to each message whose bytes changed when its body was parsed. */
import { findingsIn, mayHold } from '../model/json-findings.ts';
import type { Note } from '../model/message.ts';
import type { NewMessage } from '../model/records.ts';
import type { Calls } from './split.ts';

/** The same messages, with notes on those that parsing changed. */
export function annotated(messages: readonly NewMessage[], split: Calls): readonly NewMessage[] {
  const { text, decodedBytes, envelopeBytes, batch } = split;
  if (text === '') return messages;
  const calls = messages.reduce((sum, { size }) => sum + size, 0);
  if (!mayHold(text, decodedBytes, envelopeBytes + calls + messages.length - 1)) return messages;
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
