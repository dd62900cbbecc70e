/** What the palette can do with the open message, and the messages that a text finds. */
import { Copy, Fingerprint, RotateCcw, RotateCw, Square, SquareTerminal } from 'lucide-react';
import { FINAL_STATES } from '../../../contract/names.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { userText } from '../../lib/words/calls.ts';
import { STATE_WORDS } from '../../lib/words/states.ts';
import { copyBody, copyCurl, copyMessageId, openInReplay, retryNow, stopRetries } from '../../message/row-actions.ts';
import { navigate } from '../../stores/route.ts';
import type { PaletteEntry } from './entry.ts';

const MAX_NAME = 60;
const nameOf = ({ name, type }: MessageRow): string => (name === '' ? type : name.slice(0, MAX_NAME));

/** The actions of the open message that can do something now. */
export function actionsOf(row: MessageRow): PaletteEntry[] {
  const { id } = row;
  const action = (title: string, icon: PaletteEntry['icon'], keys: string, run: () => void): PaletteEntry => ({
    id: `message ${title}`,
    group: 'Actions',
    title: `${title} ${nameOf(row)}`,
    detail: 'open message',
    icon,
    keys,
    run,
  });
  return [
    ...(row.state === 'retrying' ? [action('Retry now', RotateCw, '⇧ R', () => void retryNow(id))] : []),
    ...(FINAL_STATES.has(row.state) ? [] : [action('Stop retrying', Square, 'S', () => void stopRetries(id))]),
    action('Open in Replay', RotateCcw, 'R', () => openInReplay(id)),
    action('Copy the body of', Copy, 'C', () => void copyBody(id)),
    action('Copy as curl', SquareTerminal, '⇧ C', () => void copyCurl(id)),
    action('Copy the message id of', Fingerprint, 'Y', () => copyMessageId(id)),
  ];
}

/** A message that the text finds. */
export const entryOf = (row: MessageRow): PaletteEntry => ({
  id: `found ${row.id}`,
  group: 'Messages',
  title: nameOf(row),
  detail: [userText(row), STATE_WORDS[row.state].word.toLowerCase()].filter((part) => part !== '').join(', '),
  icon: row,
  run: () => navigate({ screen: 'live', messageId: row.id, tab: 'attempts', full: false }),
});
