import type { ComputedKind, TraitView, ValueRangeView } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import { useWidth } from '../../../components/charts/use-width.ts';
import { cx } from '../../../lib/cx.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import type { TraitDraft } from './trait-draft.ts';
import { unitOf } from './trait-draft.ts';
import { hasFraction, noSumText, numberText, perText, rangeLabels, rangeText, spreadSentence } from './trait-words.ts';
import type { TraitCounting } from './use-trait-view.ts';
import css from './values-chart.module.css';

const HEIGHT = 150;
const BASE = 122;
const HIGHEST = 86;
const CHARACTER = 5.8;

/** How the values are spread over people. The bars add up to the people with a value, except those of lists. */
export function Values({ name, draft, counting }: { name: string; draft: TraitDraft; counting: TraitCounting }) {
  const { view, state, progress, problem, cancel, again } = counting;
  const { kind } = draft;
  return (
    <section className={css.values} aria-label="Values" aria-busy={state === 'counting'}>
      <header className={css.head}>
        <h3>Values</h3>
        {view !== null && <span className="muted small">{perText(kind, view.ranges, unitOf(draft))}</span>}
        <span className="spacer" />
        {state === 'counting' && progress > 0 && progress < 1 ? (
          <span className={cx('muted small', css.progress)} role="status">
            {`so far ${Math.floor(progress * 100)}%`}
            <Button size="sm" variant="ghost" onClick={cancel}>
              Cancel
            </Button>
          </span>
        ) : (
          view !== null && <Legend view={view} />
        )}
      </header>
      <div className={cx(state !== 'ready' && css.stale)}>
        {view === null || view.ranges.length === 0 ? (
          <div className={css.none}>{emptyText(counting, draft)}</div>
        ) : (
          <Chart name={name} view={view} kind={kind} />
        )}
      </div>
      {view !== null && state !== 'failed' && <p className="muted small">{withoutText(view)}</p>}
      {(state === 'failed' || state === 'cancelled') && (
        <p className={cx('small', css.problem)}>
          {state === 'cancelled' ? 'Not counted to the end.' : `Could not count. ${problem}`}{' '}
          <Button size="sm" onClick={again}>
            Count again
          </Button>
        </p>
      )}
    </section>
  );
}

function emptyText({ view, state }: TraitCounting, { kind, path }: TraitDraft): string {
  if (state === 'off') return 'Say what is computed. Its values show here.';
  if (view === null) return '';
  return (kind === 'sum' ? noSumText(view, path) : null) ?? 'Nobody has a value.';
}

function withoutText({ people, withValue }: TraitView): string {
  const without = people - withValue;
  if (people === 0) return 'No stored call names a user.';
  if (without <= 0) return 'Everyone has a value.';
  return `${plural(without, 'person has', 'people have')} no value. Nothing is sent for ${without === 1 ? 'this one' : 'them'}.`;
}

function Legend({ view: { median, highest } }: { view: TraitView }) {
  if (median === null || highest === null) return null;
  const fraction = hasFraction([median, highest]);
  return (
    <span className={css.legend}>
      <i className={css.swatch} />
      <span>
        median <b>{numberText(median, fraction)}</b>
      </span>
      <span>
        highest <b>{numberText(highest, fraction)}</b>
      </span>
    </span>
  );
}

function Chart({ name, view, kind }: { name: string; view: TraitView; kind: ComputedKind }) {
  const [host, width] = useWidth<HTMLDivElement>(552);
  const { ranges, median } = view;
  const step = width / Math.max(ranges.length, 4);
  const most = Math.max(1, ...ranges.map(({ people }) => people));
  const labels = rangeLabels(ranges, kind, Math.max(2, Math.floor((step - 4) / CHARACTER)));
  return (
    <div ref={host}>
      <svg
        className={css.chart}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={spreadSentence(name, view, kind)}
      >
        <path d={`M0 ${BASE + 0.5}H${width}`} className={css.axis} />
        {ranges.map((range, i) => {
          const height = Math.max(2, (range.people / most) * HIGHEST);
          const middle = i * step + step / 2;
          const text = rangeText(range, kind);
          return (
            <g key={middle}>
              <title>{`${text}: ${plural(range.people, 'person', 'people')}`}</title>
              {range.people > 0 && (
                <rect
                  className={cx(css.bar, holds(range, median) && css.median)}
                  x={i * step + 3}
                  y={BASE - height}
                  width={Math.max(2, step - 6)}
                  height={height}
                  rx={3}
                />
              )}
              <text x={middle} y={BASE - (range.people > 0 ? height : 0) - 6} textAnchor="middle" className={css.count}>
                {formatCount(range.people)}
              </text>
              <text x={middle} y={BASE + 17} textAnchor="middle">
                {labels[i]}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const holds = (range: ValueRangeView, median: number | null): boolean =>
  median !== null && 'from' in range && median >= range.from && (range.to === null || median < range.to);
