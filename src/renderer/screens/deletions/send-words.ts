/** What a request would do, in the words of its button and of the question before it. Pure. */
import type { DeletionPreview, EraseCounts } from '../../../contract/deletions.ts';
import { formatCount, plural } from '../../lib/format.ts';
import type { Draft } from './draft.ts';
import { noticesText } from './words.ts';

export const takes = ({ messages, receiverEntries, memberships }: EraseCounts): boolean =>
  messages + receiverEntries + memberships > 0;

/** What an erase takes: its messages, or else what goes without one. */
export function takenText({ messages, receiverEntries, memberships }: EraseCounts): string {
  if (messages > 0) return plural(messages, 'message');
  const parts: string[] = [];
  if (receiverEntries > 0) parts.push(plural(receiverEntries, 'receiver log entry', 'receiver log entries'));
  if (memberships > 0) parts.push(plural(memberships, 'membership'));
  return parts.join(' and ');
}

type Options = Pick<Draft, 'erase' | 'suppress'>;

/** `Send 5 notices, erase 142`; null when the request would do nothing. */
export function sendVerb({ notices, erase: taken, ids }: DeletionPreview, { erase, suppress }: Options): string | null {
  const parts: string[] = [];
  if (notices > 0) parts.push(`send ${noticesText(notices)}`);
  if (erase && takes(taken)) {
    const isShort = parts.length > 0 && taken.messages > 0;
    parts.push(`erase ${isShort ? formatCount(taken.messages) : takenText(taken)}`);
  }
  if (suppress && parts.length === 0) parts.push(`suppress ${plural(ids, 'user')}`);
  return parts.length === 0 ? null : upper(parts.join(', '));
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface Confirmation {
  readonly title: string;
  readonly text: readonly string[];
  readonly verb: string;
}

/** `Erase 142 messages of 3 users? It cannot be undone. 5 notices are sent first.` */
export function confirmation(preview: DeletionPreview, options: Options & Pick<Draft, 'forget'>): Confirmation {
  const { notices, erase: taken, usersErased, ids } = preview;
  const erases = options.erase && takes(taken);
  const verb = sendVerb(preview, options) ?? '';
  const text: string[] = [];
  if (erases) {
    const first = notices === 0 ? 'No notice is sent.' : `${sentOf(notices)} sent first.`;
    text.push(`It cannot be undone. ${first}`);
  } else if (notices > 0) {
    text.push('One for each known user and source with the destination on. Stored messages are kept.');
  }
  if (options.suppress) {
    text.push(`Calls with ${ids === 1 ? 'this id' : `one of the ${formatCount(ids)} ids`} are rejected from then on.`);
  }
  if (options.forget) text.push('The ids are forgotten once every notice has ended. Then nothing proves the deletion.');
  if (erases) {
    const whose = taken.messages > 0 ? ` of ${plural(usersErased, 'user')}` : '';
    const title = `Erase ${takenText(taken)}${whose}?`;
    return { title, text, verb };
  }
  if (notices > 0) return { title: `Send ${noticesText(notices)}?`, text, verb };
  return { title: `Suppress ${plural(ids, 'user')}?`, text, verb };
}

const sentOf = (notices: number): string => `${noticesText(notices)} ${notices === 1 ? 'is' : 'are'}`;

/** Why nothing would be sent; null when something is. */
export function nothingSentText({ notices, calls, ids, callsWithDestination }: DeletionPreview): string | null {
  if (notices > 0) return null;
  if (calls === 0) {
    return ids === 1
      ? 'No source knows this user, so nothing is sent.'
      : `None of these ${formatCount(ids)} ids is known to a source, so nothing is sent.`;
  }
  if (callsWithDestination > 0) return 'No webhook is set up, so nothing is sent.';
  return 'The sources that know them have the destination off, so nothing is sent.';
}

/** `142 calls: 137 where the destination is on, 5 in ios-app, which gets no notice. All 142 are erased.` */
export function sumText(preview: DeletionPreview, erase: boolean): string {
  const { calls, callsWithDestination, sources, erase: taken } = preview;
  if (calls === 0) return 'No source has a call of these users.';
  const silent = sources.filter((source) => source.calls > 0 && !source.destinationOn);
  const parts = [`${formatCount(callsWithDestination)} where the destination is on`];
  if (silent.length > 0 && silent.length <= 3) {
    parts.push(...silent.map(({ name, calls: n }) => `${formatCount(n)} in ${name}`));
  } else if (silent.length > 3) parts.push(`${formatCount(calls - callsWithDestination)} in ${silent.length} sources`);
  const gets = silent.length === 0 ? '' : silent.length === 1 ? ', which gets no notice' : ', which get no notice';
  const sum = `${plural(calls, 'call')}: ${parts.join(', ')}${gets}.`;
  if (!erase) return sum;
  if (taken.messages === calls) return `${sum} All ${formatCount(calls)} are erased.`;
  return `${sum} ${plural(taken.messages, 'message')} ${taken.messages === 1 ? 'is' : 'are'} erased, rejected calls and those of audiences included.`;
}
