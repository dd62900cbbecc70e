import { Copy, EyeOff, Fingerprint, ListFilter, PanelRight, RotateCcw, SquareCheck, Terminal } from 'lucide-react';
import { useEffect } from 'react';
import { literalPattern, type Term } from '../../../contract/filter.ts';
import { ContextMenu, type MenuItem } from '../../components/menu.tsx';
import { copyBody, copyCurl, copyMessageId, openInReplay } from '../../message/row-actions.ts';
import { liveStream } from '../../stores/live/store.ts';
import { getRow } from '../../stores/records.ts';
import type { RowAt } from './grid/grid-events.ts';
import { hideMessages } from './hide-messages.ts';

const { selection } = liveStream;

/** What can be done with one message of the list. New rows are held while it is open. */
export function RowMenu({
  at,
  onOpen,
  onClose,
}: {
  at: RowAt;
  onOpen: (id: number, enter: boolean) => void;
  onClose: () => void;
}) {
  useEffect(() => {
    liveStream.reading({ menuOpen: true });
    return () => liveStream.reading({ menuOpen: false });
  }, []);
  const rowElement = () => document.querySelector<HTMLElement>(`[role="row"][data-id="${at.id}"]`);
  return <ContextMenu at={at} items={rowItems(at.id, onOpen)} returnTo={rowElement} onClose={onClose} />;
}

/** The rest of the filter stays. What it said about the same thing gives way. */
const filterBy = (term: Term) => () => {
  const { read } = liveStream.snapshot();
  const others = read.terms.filter(({ key }) => key !== term.key);
  liveStream.setQuery({ terms: [...others, term], text: '' });
};

function filterItems(id: number): MenuItem[] {
  const row = getRow(id);
  if (row === undefined) return [];
  const user = row.userId ?? row.anonymousId;
  const { name, sourceId } = row;
  const item = (label: string, term: Term): MenuItem => ({ label, icon: ListFilter, run: filterBy(term) });
  const items: MenuItem[] = [
    ...(user === null ? [] : [item('Only this user', { key: 'user', values: [{ id: user }] })]),
    ...(name === '' ? [] : [item('Only this event', { key: 'event', values: [literalPattern(name)] })]),
    ...(sourceId === null ? [] : [item('Only this source', { key: 'source', values: [sourceId] })]),
  ];
  return items.length === 0 ? [] : [...items, 'divider'];
}

function rowItems(id: number, onOpen: (id: number, enter: boolean) => void): MenuItem[] {
  return [
    { label: 'Open', icon: PanelRight, keys: 'Enter', run: () => onOpen(id, true) },
    { label: 'Open in Replay', icon: RotateCcw, keys: 'R', run: () => openInReplay(id) },
    'divider',
    { label: 'Copy message id', icon: Fingerprint, keys: 'Y', run: () => copyMessageId(id) },
    { label: 'Copy body', icon: Copy, keys: 'C', run: () => void copyBody(id) },
    { label: 'Copy as curl', icon: Terminal, keys: '⇧ C', run: () => void copyCurl(id) },
    'divider',
    ...filterItems(id),
    {
      label: selection.snapshot().has(id) ? 'Deselect' : 'Select',
      icon: SquareCheck,
      keys: 'X',
      run: () => selection.toggle(id),
    },
    { label: 'Hide from list', icon: EyeOff, run: () => hideMessages([id]) },
  ];
}
