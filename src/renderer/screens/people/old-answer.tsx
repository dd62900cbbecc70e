import { TryAgain } from '../../components/try-again.tsx';
import { formatPercent } from '../../lib/format.ts';
import css from './old-answer.module.css';
import type { Reading } from './use-people.ts';

/** Stands above an answer that is older than the newest question, and says why there is no newer one. */
export function OldAnswer({ reading: { problem, progress, again } }: { reading: Omit<Reading<unknown>, 'answer'> }) {
  if (problem === null && progress === null) return null;
  return (
    <div className={css.old} role="status" title={problem ?? undefined}>
      <span>
        {problem === null ? `Reading the stored calls, ${formatPercent(progress!, 1)}` : 'Could not read people.'}
      </span>
      {problem !== null && <TryAgain size="sm" onAgain={again} />}
    </div>
  );
}
