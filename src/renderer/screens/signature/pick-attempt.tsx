/** Without an attempt: what the lab does, and the five newest messages to choose from. */
import { useEffect, useState } from 'react';
import type { MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Text } from '../../components/text.tsx';
import { TypeLabel } from '../../components/type-icon.tsx';
import { formatIso, formatTime } from '../../lib/format.ts';
import { userText } from '../../lib/words/calls.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { HOME, navigate } from '../../stores/route.ts';
import css from './pick-attempt.module.css';
import type { Asked } from './use-answers.ts';

const RECENT = 5;

function useRecent(): [Asked<readonly MessageRow[]>, () => void] {
  const [recent, setRecent] = useState<Asked<readonly MessageRow[]>>({ state: 'loading' });
  const [tries, setTries] = useState(0);
  const resets = useRecords((state) => state.resets);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset and a new try ask again
  useEffect(() => {
    let live = true;
    call('messages.list', { filter: {}, limit: RECENT }).then(
      ({ rows }) => live && setRecent({ state: 'ready', value: rows }),
      (error: unknown) => live && setRecent({ state: 'failed', message: error instanceof Error ? error.message : '' }),
    );
    return () => {
      live = false;
    };
  }, [resets, tries]);
  return [recent, () => setTries((n) => n + 1)];
}

export function PickAttempt() {
  const [recent, again] = useRecent();
  const [problem, setProblem] = useState<string | null>(null);
  const toLive = <Button onClick={() => navigate(HOME)}>Open the live stream</Button>;
  if (recent.state === 'failed')
    return (
      <EmptyState title="The messages could not be read." actions={<Button onClick={again}>Try again</Button>}>
        {recent.message}
      </EmptyState>
    );
  if (recent.state === 'loading') return <div className={css.page} aria-busy="true" />;
  if (recent.value.length === 0)
    return (
      <EmptyState title="Pick a message whose signature does not match." actions={toLive}>
        No message has arrived yet.
      </EmptyState>
    );
  return (
    <div className={css.page} data-region="content">
      <h2>Pick a message whose signature does not match.</h2>
      <p className="muted">
        The lab compares the X-Signature that was sent with the digest that your receiver computed, and says what your
        receiver did instead. These are the newest messages; any other one has the lab in its Signature tab.
      </p>
      <ul className={css.list}>
        {recent.value.map((row) => (
          <li key={row.id}>
            <button type="button" className={css.row} onClick={() => void open(row.id, setProblem)}>
              <time className="mono secondary" dateTime={formatIso(row.receivedAt)}>
                {formatTime(row.receivedAt)}
              </time>
              <TypeLabel type={row.type} />
              <Text className="ellipsis">{row.name === '' ? row.type : row.name}</Text>
              <span className="mono secondary ellipsis">
                <Text ltr>{userText(row)}</Text>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="secondary">
        {problem}
      </p>
      {toLive}
    </div>
  );
}

/** Opens the newest attempt of a message. */
async function open(id: number, tell: (problem: string) => void): Promise<void> {
  try {
    const { attempts, replays } = await call('messages.attempts', { id });
    const newest = [...attempts, ...replays.flatMap((replay) => replay.attempts)].reduce(
      (last, { id: one }) => Math.max(last, one),
      0,
    );
    if (newest === 0) tell('No request was made for this message, so nothing was signed.');
    else navigate({ screen: 'signature', attemptId: newest });
  } catch (error) {
    tell(error instanceof Error ? error.message : '');
  }
}
