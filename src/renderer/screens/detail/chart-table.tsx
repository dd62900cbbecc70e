/** The chart's facts as a table, for readers who cannot or prefer not to use the picture. */
import type { AttemptView } from '../../../contract/values.ts';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Text } from '../../components/text.tsx';
import { formatDuration, formatOffset, formatTime } from '../../lib/format.ts';
import { attemptResult } from '../../lib/words/attempts.ts';
import { ownAttempts } from '../../message/attempts.ts';
import { NameThen } from '../../message/name-then.tsx';
import css from './detail.module.css';

const MOST_ROWS = 500;

export function ChartTable({ attempts, firstAt }: { attempts: readonly AttemptView[]; firstAt: number }) {
  const own = ownAttempts(attempts).sort((a, b) => b.round - a.round || a.slot - b.slot);
  return (
    <ScrollRegion className={css.tableHost} aria-label="Attempts as a table">
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">After</th>
            <th scope="col">Webhook</th>
            <th scope="col">Result</th>
            <th scope="col">Duration</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {own.slice(0, MOST_ROWS).map((attempt) => (
            <tr key={attempt.id}>
              <td>{attempt.round}</td>
              <td>{formatOffset(attempt.clockAt - firstAt)}</td>
              <td>
                {`${attempt.slot} `}
                <NameThen className={css.nameInTable} then={{ ...attempt, name: attempt.webhookName }} />
              </td>
              <td>
                <Text>{attemptResult(attempt)}</Text>
              </td>
              <td>{attempt.durationMs === null ? '' : formatDuration(attempt.durationMs)}</td>
              <td className="mono">{formatTime(attempt.startedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {own.length > MOST_ROWS && <p className="muted">The newest {MOST_ROWS} attempts are shown.</p>}
    </ScrollRegion>
  );
}
