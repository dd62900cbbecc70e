import { useState } from 'react';
import type { MessageFilter } from '../../../contract/filter.ts';
import { PickRecent } from '../../message/pick-recent.tsx';
import { call } from '../../platform/connect.ts';
import { navigate } from '../../stores/route.ts';

/** Nothing is signed for the others, unless somebody replays them. */
const MEANT_TO_BE_SENT: MessageFilter = { terms: [{ key: 'status', values: ['rejected', 'not_selected'], not: true }] };

export function PickAttempt() {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <PickRecent
      title="Pick a message whose signature does not match."
      lead="The lab compares the X-Signature that was sent with the digest that your receiver computed, and says what your receiver did instead. These are the newest messages; any other one has the lab in its Signature tab."
      filter={MEANT_TO_BE_SENT}
      none="No message that is sent has arrived yet."
      row={(id, className, inside) => (
        <button type="button" className={className} onClick={() => void open(id, setProblem)}>
          {inside}
        </button>
      )}
    >
      <p role="status" className="secondary">
        {problem}
      </p>
    </PickRecent>
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
