/** When the next round starts: growing or listed waits, jitter, window. */
import type { RulesView, ScheduleView } from '../../../../contract/rules.ts';
import { CommitField } from '../../../components/commit-field.tsx';
import { Seg } from '../../../components/controls.tsx';
import { Setting } from '../../../components/setting.tsx';
import { formatSpan, plural } from '../../../lib/format.ts';
import { editableSpan } from '../../../lib/span.ts';
import { RuleCard } from './rule-card.tsx';
import { BOUNDS, numberWithin, percentWithin, spanWithin, waitList } from './rule-input.ts';
import { saveRule, saveRules } from './save-rules.ts';

type Retry = RulesView['retry'];

/** The current waits, as a list to start from. */
function drawnWaits({ rounds }: ScheduleView): number[] {
  const waits = rounds.slice(1).map(({ at }, i) => Math.round(at - (rounds[i]?.at ?? 0)));
  return waits.length === 0 ? [10_000] : waits;
}

export function WaitsCard({ retry, schedule }: { retry: Retry; schedule: ScheduleView }) {
  const { waitsMs, ...growing } = retry;
  const save = (change: Partial<Retry>) => saveRules({ retry: { ...retry, ...change } });
  const setMode = (mode: 'growing' | 'listed') =>
    saveRule({ retry: mode === 'growing' ? growing : { ...growing, waitsMs: drawnWaits(schedule) } });
  return (
    <RuleCard title="Waits" note="between rounds, on the retry clock">
      <Setting label="Kind">
        <Seg
          label="Kind of waits"
          value={waitsMs === undefined ? 'growing' : 'listed'}
          options={[
            { value: 'growing', label: 'Growing' },
            { value: 'listed', label: 'Listed' },
          ]}
          onChange={setMode}
        />
      </Setting>
      {waitsMs === undefined ? (
        <GrowingFields retry={retry} save={save} />
      ) : (
        <CommitField
          label="Waits"
          mono
          value={waitsMs.map(editableSpan).join(', ')}
          maxLength={2_000}
          hint={`After round 1, 2 and so on. No round follows the last wait; ${plural(waitsMs.length + 1, 'round')} at most.`}
          onCommit={async (text) => save({ waitsMs: waitList(text) })}
        />
      )}
      <CommitField
        label="Jitter"
        value={`${Math.round(retry.jitter * 1_000) / 10}%`}
        maxLength={12}
        hint="Makes each wait up to this much shorter or longer. The same message always waits the same time."
        onCommit={async (text) => save({ jitter: percentWithin(text) })}
      />
      <CommitField
        label="Retry window"
        value={editableSpan(retry.windowMs)}
        maxLength={40}
        hint="No attempt starts later than this after the first one. Then the message expires."
        onCommit={async (text) => save({ windowMs: spanWithin(text, BOUNDS.windowMs) })}
      />
    </RuleCard>
  );
}

function GrowingFields({ retry, save }: { retry: Retry; save: (change: Partial<Retry>) => Promise<void> }) {
  return (
    <>
      <CommitField
        label="First wait"
        value={editableSpan(retry.baseMs)}
        maxLength={40}
        hint={
          retry.baseMs > retry.maxMs
            ? `The longest wait is shorter: every wait is ${formatSpan(retry.maxMs)}.`
            : undefined
        }
        onCommit={async (text) => save({ baseMs: spanWithin(text, BOUNDS.waitMs) })}
      />
      <CommitField
        label="Factor"
        value={String(retry.factor)}
        maxLength={12}
        hint="Each wait is this many times the one before."
        onCommit={async (text) => save({ factor: numberWithin(text, [1, 100]) })}
      />
      <CommitField
        label="Longest wait"
        value={editableSpan(retry.maxMs)}
        maxLength={40}
        onCommit={async (text) => save({ maxMs: spanWithin(text, BOUNDS.waitMs) })}
      />
    </>
  );
}
