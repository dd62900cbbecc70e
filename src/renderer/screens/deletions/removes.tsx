import type { DeletionPreview, EraseCounts } from '../../../contract/deletions.ts';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { takenText, takes } from './send-words.ts';

const FOR_EVER = <span className={toneCss.bad}>It cannot be undone.</span>;

/** What an erase of the ids takes, as far as that is known. */
export function Removes({ preview }: { preview: DeletionPreview | null }) {
  if (preview === null || preview.ids === 0) {
    return (
      <>
        Removes the messages of these users with their bodies, requests, attempts and replays. Nothing of them can be
        shown or replayed again. {FOR_EVER}
      </>
    );
  }
  const { erase, usersErased, ids } = preview;
  if (!takes(erase)) return `Nothing of ${theseUsers(ids)} is stored, so nothing is erased.`;
  if (erase.messages === 0) {
    return (
      <>
        No message of {theseUsers(ids)} is stored. Removes {takenText(erase)}. {FOR_EVER}
      </>
    );
  }
  return (
    <>
      Removes <b className={cx('medium', toneCss.strong)}>{plural(erase.messages, 'message')}</b> of{' '}
      {plural(usersErased, 'user')} with their bodies, requests, {partsText(erase)}. Nothing of them can be shown or
      replayed again. {FOR_EVER}
    </>
  );
}

const theseUsers = (ids: number): string => (ids === 1 ? 'this user' : `these ${formatCount(ids)} users`);

function partsText({ attempts, replays, heldCalls, receiverEntries, memberships }: EraseCounts): string {
  const held = heldCalls > 0 ? ` (${plural(heldCalls, 'held call')} among them)` : '';
  const member = memberships > 0 ? `; takes them out of audiences and traits (${formatCount(memberships)})` : '';
  return `${plural(attempts, 'attempt')}, ${plural(replays, 'replay')} and ${plural(receiverEntries, 'receiver log entry', 'receiver log entries')}${held}${member}`;
}
