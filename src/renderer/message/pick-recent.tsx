/** A screen that has no message yet: the five newest that fit, to choose from. */
import { type ReactNode, useEffect, useState } from 'react';
import type { MessageFilter } from '../../contract/filter.ts';
import { FINAL_STATES } from '../../contract/names.ts';
import type { MessageRow } from '../../contract/values.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { HookCells, StateText } from '../components/glyph.tsx';
import { Text } from '../components/text.tsx';
import { TryAgain } from '../components/try-again.tsx';
import { TypeLabel } from '../components/type-icon.tsx';
import { formatIso, formatTime } from '../lib/format.ts';
import { userText } from '../lib/words/calls.ts';
import { call } from '../platform/connect.ts';
import { cacheRows, getRow, useRecords, useRow } from '../stores/records.ts';
import { HOME, navigate } from '../stores/route.ts';
import css from './pick-recent.module.css';

const RECENT = 5;

type Recent = { state: 'loading' } | { state: 'ready'; ids: readonly number[] } | { state: 'failed'; message: string };

function useRecent(filter: MessageFilter): [Recent, () => void] {
  const [recent, setRecent] = useState<Recent>({ state: 'loading' });
  const [tries, setTries] = useState(0);
  const resets = useRecords((state) => state.resets);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset and a new try ask again
  useEffect(() => {
    let live = true;
    call('messages.list', { filter, limit: RECENT }).then(
      ({ rows }) => {
        if (!live) return;
        cacheRows(rows.filter((row) => getRow(row.id) === undefined));
        setRecent({ state: 'ready', ids: rows.map((row) => row.id) });
      },
      (error: unknown) => live && setRecent({ state: 'failed', message: error instanceof Error ? error.message : '' }),
    );
    return () => {
      live = false;
    };
  }, [filter, resets, tries]);
  return [recent, () => setTries((n) => n + 1)];
}

interface PickProps {
  readonly title: string;
  readonly lead: string;
  /** Must stay the same object. */
  readonly filter: MessageFilter;
  /** Said when no message fits. */
  readonly none: string;
  /** Makes a row a link or a button. */
  readonly row: (id: number, className: string | undefined, inside: ReactNode) => ReactNode;
  /** Stands below the list. */
  readonly children?: ReactNode;
}

export function PickRecent({ title, lead, filter, none, row, children }: PickProps) {
  const [recent, again] = useRecent(filter);
  const toLive = <Button onClick={() => navigate(HOME)}>Open the live stream</Button>;
  if (recent.state === 'failed')
    return (
      <EmptyState title="The messages could not be read." actions={<TryAgain onAgain={again} />}>
        {recent.message}
      </EmptyState>
    );
  if (recent.state === 'loading') return <div className={css.page} aria-busy="true" />;
  if (recent.ids.length === 0)
    return (
      <EmptyState title={title} actions={toLive}>
        {none}
      </EmptyState>
    );
  return (
    <div className={css.page} data-region="content">
      <h2>{title}</h2>
      <p className="muted">{lead}</p>
      <ul>
        {recent.ids.map((id) => (
          <RecentRow key={id} id={id} row={row} />
        ))}
      </ul>
      {children}
      {toLive}
    </div>
  );
}

function RecentRow({ id, row }: { id: number; row: PickProps['row'] }) {
  const shown = useRow(id);
  if (shown === undefined) return null;
  return <li>{row(id, css.row, <Inside row={shown} />)}</li>;
}

function Inside({ row }: { row: MessageRow }) {
  return (
    <>
      <time className="mono secondary" dateTime={formatIso(row.receivedAt)}>
        {formatTime(row.receivedAt)}
      </time>
      <TypeLabel type={row.type} />
      <Text className="ellipsis">{row.name === '' ? row.type : row.name}</Text>
      <span className="mono secondary ellipsis">
        <Text ltr>{userText(row)}</Text>
      </span>
      <HookCells cells={row.cells} quiet={FINAL_STATES.has(row.state)} />
      <StateText row={row} />
    </>
  );
}
