/** Without a message: the five newest to choose from. */

import { useEffect, useState } from 'react';
import { FINAL_STATES } from '../../../contract/names.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { HookCells, StateText } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { TypeLabel } from '../../components/type-icon.tsx';
import { formatIso, formatTime } from '../../lib/format.ts';
import { userText } from '../../lib/words/calls.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows, getRow, useRecords, useRow } from '../../stores/records.ts';
import { formatRoute, HOME, navigate } from '../../stores/route.ts';
import css from './pick-message.module.css';

const RECENT = 5;

type Recent = { state: 'loading' } | { state: 'ready'; ids: readonly number[] } | { state: 'failed'; message: string };

function useRecent(): [Recent, () => void] {
  const [recent, setRecent] = useState<Recent>({ state: 'loading' });
  const [tries, setTries] = useState(0);
  const resets = useRecords((state) => state.resets);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset and a new try ask again
  useEffect(() => {
    let live = true;
    call('messages.list', { filter: {}, limit: RECENT }).then(
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
  }, [resets, tries]);
  return [recent, () => setTries((n) => n + 1)];
}

export function PickMessage() {
  const [recent, again] = useRecent();
  if (recent.state === 'failed')
    return (
      <EmptyState title="The messages could not be read." actions={<Button onClick={again}>Try again</Button>}>
        {recent.message}
      </EmptyState>
    );
  if (recent.state === 'loading') return <div className={css.pickPage} aria-busy="true" />;
  if (recent.ids.length === 0)
    return (
      <EmptyState
        title="Pick a message to replay."
        actions={<Button onClick={() => navigate(HOME)}>Open the live stream</Button>}
      >
        No message has arrived yet.
      </EmptyState>
    );
  return (
    <div className={css.pickPage}>
      <h2>Pick a message to replay.</h2>
      <p className="muted">The newest messages. Any other one can be opened in Replay from the live stream.</p>
      <ul>
        {recent.ids.map((id) => (
          <RecentRow key={id} id={id} />
        ))}
      </ul>
      <Button onClick={() => navigate(HOME)}>Open the live stream</Button>
    </div>
  );
}

function RecentRow({ id }: { id: number }) {
  const row = useRow(id);
  if (row === undefined) return null;
  return (
    <li>
      <a className={css.recent} href={formatRoute({ screen: 'replay', messageId: id })}>
        <Inside row={row} />
      </a>
    </li>
  );
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
