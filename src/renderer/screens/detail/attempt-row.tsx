/** One attempt in a round: result, a bar against the limit, duration. Expands to all details. */

import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { AttemptView } from '../../../contract/values.ts';
import { AttemptCell } from '../../components/glyph.tsx';
import layoutCss from '../../components/layout.module.css';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { ATTEMPT_WORDS, attemptKind, attemptResult, isRefusedUnsent } from '../../lib/words/attempts.ts';
import { NameThen } from '../../message/name-then.tsx';
import { AttemptDuration, useElapsed } from '../../message/open-duration.tsx';
import { AttemptDetails } from './attempt-details.tsx';
import css from './attempt-row.module.css';
import detailCss from './detail.module.css';

const BAR_COLOURS = {
  ok: detailCss.barOk,
  warn: detailCss.barWarn,
  bad: detailCss.barBad,
  accent: detailCss.barAccent,
  quiet: detailCss.barAccent,
};

export interface AttemptRowProps {
  readonly attempt: AttemptView;
  /** Real milliseconds. */
  readonly timeoutMs: number;
  readonly open: boolean;
  readonly onToggle: (id: number) => void;
  /** The bytes of each attempt as text, for copies. */
  readonly body: string | null;
}

export const AttemptRow = memo(function AttemptRow({ attempt, timeoutMs, open, onToggle, body }: AttemptRowProps) {
  const panel = `attempt-${attempt.id}`;
  return (
    <li>
      <button
        type="button"
        className={detailCss.attempt}
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        data-attempt={attempt.id}
        onClick={() => onToggle(attempt.id)}
      >
        <span className="mono muted">{attempt.slot === 0 ? '' : attempt.slot}</span>
        <AttemptCell outcome={attempt.outcome} status={attempt.status} large />
        <NameThen then={{ ...attempt, name: attempt.webhookName }} />
        <span className={cx('ellipsis', detailCss.result)}>
          <Text>{attemptResult(attempt)}</Text>
        </span>
        <DurationBar attempt={attempt} timeoutMs={timeoutMs} />
        <span className={cx('mono secondary nowrap', layoutCss.right)}>
          <AttemptDuration attempt={attempt} />
        </span>
        <ChevronRight className={cx('icon', detailCss.chevron)} aria-hidden="true" />
      </button>
      {open && (
        <div id={panel} className={css.attemptPanel}>
          <AttemptDetails attempt={attempt} timeoutMs={timeoutMs} body={body} />
        </div>
      )}
    </li>
  );
});

/** Full width is the response limit. */
function DurationBar({ attempt, timeoutMs }: { attempt: AttemptView; timeoutMs: number }) {
  const elapsed = useElapsed(attempt);
  if (elapsed === null || isRefusedUnsent(attempt)) return <span />;
  const tone = ATTEMPT_WORDS[attemptKind(attempt)].tone;
  return (
    <span className={css.bar} aria-hidden="true">
      <i className={BAR_COLOURS[tone]} style={{ width: `${Math.min(100, (elapsed / timeoutMs) * 100)}%` }} />
    </span>
  );
}
