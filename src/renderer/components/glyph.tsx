/** State glyphs and webhook cells, with the words that go with them. */

import { memo } from 'react';
import { standstillsOf } from '../../contract/not-sending.ts';
import type { MessageRow, MessageStateName, OutcomeName } from '../../contract/values.ts';
import { realWait, wallTime } from '../lib/clock.ts';
import { cx } from '../lib/cx.ts';
import { formatClock, formatCountdown, formatDateTime } from '../lib/format.ts';
import { ATTEMPT_WORDS, attemptKind } from '../lib/words/attempts.ts';
import { cellMark, cellsSentence } from '../lib/words/cells.ts';
import { STATE_WORDS, stateExtra, stateExtraInFull, stateExtraOfReason } from '../lib/words/states.ts';
import { useRecords } from '../stores/records.ts';
import { useNow } from '../stores/ticker.ts';
import { CELL_MARKS, type CellMark } from './cell-marks.tsx';
import css from './glyph.module.css';
import { GLYPHS, type GlyphName } from './glyphs.tsx';
import layoutCss from './layout.module.css';
import { Badge } from './tag.tsx';
import toneCss from './tone.module.css';

interface GlyphProps {
  name: GlyphName;
  label?: string;
  size?: number;
  still?: boolean;
}

/**
 * A 16 px drawing. Decoration unless `label` is given. With `still` it only names a state, so that nothing turns where
 * nothing may be under way.
 */
export function Glyph({ name, label, size = 16, still = false }: GlyphProps) {
  const style = size === 16 ? undefined : { width: size, height: size };
  const className = cx(css.glyph, still && css.still);
  return label === undefined ? (
    <svg className={className} viewBox="0 0 16 16" style={style} aria-hidden="true">
      {GLYPHS[name]}
    </svg>
  ) : (
    <svg className={className} viewBox="0 0 16 16" style={style} role="img" aria-label={label}>
      {GLYPHS[name]}
    </svg>
  );
}

interface StateGlyphProps extends Pick<GlyphProps, 'label' | 'still'> {
  state: MessageStateName;
}

export const StateGlyph = ({ state, ...rest }: StateGlyphProps) => <Glyph name={STATE_WORDS[state].glyph} {...rest} />;

/** One 12 px webhook mark; decoration. */
export const Cell = ({ mark, large = false }: { mark: CellMark; large?: boolean }) => (
  <svg className={cx(css.cell, large && css.large)} viewBox="0 0 12 12" aria-hidden="true">
    {CELL_MARKS[mark]}
  </svg>
);

/**
 * Five marks, read out as one sentence. `quiet` once the message is final: accepted ones stay green, the rest turn
 * grey.
 */
export const HookCells = memo(function HookCells({
  cells,
  quiet = false,
  statuses,
}: {
  cells: string;
  quiet?: boolean;
  statuses?: ReadonlyArray<number | null>;
}) {
  return (
    <span className={cx(css.cells, quiet && css.quiet)} role="img" aria-label={cellsSentence(cells, statuses)}>
      {[...cells].map((character, slot) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the webhook's slot
        <Cell key={slot} mark={cellMark(character)} />
      ))}
    </span>
  );
});

/** 16 px glyph of an attempt's result. */
export const AttemptGlyph = ({
  outcome,
  status,
  label,
}: {
  outcome: OutcomeName | null;
  status: number | null;
  label?: string;
}) => <Glyph name={ATTEMPT_WORDS[attemptKind({ outcome, status })].glyph} label={label} />;

/** 12 or 14 px mark of an attempt's result. */
export const AttemptCell = ({
  outcome,
  status,
  large,
}: {
  outcome: OutcomeName | null;
  status: number | null;
  large?: boolean;
}) => <Cell mark={ATTEMPT_WORDS[attemptKind({ outcome, status })].cell} large={large} />;

/** Why there is no countdown to `at` right now, or null. */
export function useStandstill(at: number): 'clock paused' | 'delivery paused' | null {
  const clock = useRecords((state) => state.clock);
  const held = useRecords((state) => standstillsOf(state.status?.notSending ?? []).length > 0);
  if (held) return 'delivery paused';
  return Number.isFinite(wallTime(clock, at)) ? null : 'clock paused';
}

/**
 * Real time until the retry clock shows `at`. The text changes once a second and is hidden from screen readers, which
 * get the time of the next round instead. When the wait is paused the text says so. With little room (`narrow`) it is
 * one word, with the rest in the tooltip.
 */
export function Countdown({ at, label = 'at', narrow = false }: { at: number; label?: string; narrow?: boolean }) {
  const clock = useRecords((state) => state.clock);
  const standstill = useStandstill(at);
  const now = useNow();
  const when = wallTime(clock, at);
  if (standstill !== null) {
    const due = `${formatDateTime(at)} on the retry clock`;
    return (
      <span className="nowrap" title={narrow ? `${standstill}, due ${due}` : due}>
        {narrow && <span className="visually-hidden">{standstill.replace('paused', '')}</span>}
        {narrow ? 'paused' : standstill}
      </span>
    );
  }
  return (
    <span
      className="nowrap"
      title={clock.speed === 1 ? formatDateTime(when) : `${formatDateTime(at)} on the retry clock`}
    >
      <span aria-hidden="true">{formatCountdown(realWait(clock, at, now))}</span>
      <span className="visually-hidden">{`${label} ${formatClock(when)}`}</span>
    </span>
  );
}

/** Width in {@link StateText} of the glyph, the longest word that has an extra ("Rejected") and the gaps, in px. */
const BESIDE_EXTRA = 82;
/** Average width of a character of the 12 px type. */
const CHARACTER = 6.2;

/** Glyph, word and its extra, as in a list row. As much of the reason as fits into `width` px. */
export function StateText({ row, width = 0 }: { row: MessageRow; width?: number }) {
  const { word, tone } = STATE_WORDS[row.state];
  const fits = (text: string): boolean => text.length * CHARACTER <= width - BESIDE_EXTRA;
  const extra = [stateExtraInFull(row), stateExtraOfReason(row)].find(fits) ?? stateExtra(row);
  const quiet = tone === 'ok' || tone === 'quiet';
  return (
    <span className={cx('flex-row', layoutCss.gap6)}>
      <StateGlyph state={row.state} />
      <span className={cx(tone === 'bad' && toneCss.bad, quiet && 'secondary')}>{word}</span>
      {row.state === 'retrying' && row.nextDueAt !== null && (
        <span className="muted small ellipsis">
          <Countdown at={row.nextDueAt} label="next round at" narrow />
        </span>
      )}
      {extra !== '' && <span className="muted small ellipsis">{extra}</span>}
    </span>
  );
}

/** A state as a filled badge, for headings. */
export function StateBadge({ state, children }: { state: MessageStateName; children?: React.ReactNode }) {
  const { word, tone } = STATE_WORDS[state];
  return (
    <Badge tone={tone}>
      <StateGlyph state={state} />
      <span className={cx(tone !== 'quiet' && toneCss[tone])}>{children ?? word}</span>
    </Badge>
  );
}
