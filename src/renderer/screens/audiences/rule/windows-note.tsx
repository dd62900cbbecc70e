import { Clock } from 'lucide-react';
import { formatCount, formatSpan } from '../../../lib/format.ts';
import { useRecords } from '../../../stores/records.ts';
import type { DraftGroup } from './draft.ts';
import css from './rule-editor.module.css';
import { windowsOf, windowText } from './words.ts';

/** How long the windows of a rule are in real time. */
export function WindowsNote({ tree }: { tree: DraftGroup }) {
  const clock = useRecords((state) => state.clock);
  const windows = windowsOf(tree).slice(0, 3);
  if (windows.length === 0) return null;
  const { speed, paused } = clock;
  const spans = windows.map((ms, i) => `${windowText(ms)}${i === 0 ? ' pass' : ''} in ${formatSpan(ms / speed)}`);
  const [last = ''] = spans.slice(-1);
  const list = spans.length === 1 ? last : `${spans.slice(0, -1).join(', ')} and ${last}`;
  return (
    <p className={css.clock}>
      <Clock className="icon" aria-hidden="true" />
      <span>
        {paused
          ? 'Windows follow the retry clock, which is paused.'
          : speed === 1
            ? 'Windows follow the retry clock.'
            : `Windows follow the retry clock: at ${formatCount(speed)}\u00d7, ${list}.`}
      </span>
    </p>
  );
}
