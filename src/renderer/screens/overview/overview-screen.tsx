/** Is it healthy, and what needs attention (design/ui, section 7). */

import { ChartColumn } from 'lucide-react';
import type { OverviewRange, OverviewView } from '../../../contract/overview.ts';
import { Button } from '../../components/button.tsx';
import { Seg } from '../../components/controls.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import layoutCss from '../../components/layout.module.css';
import { TryAgain } from '../../components/try-again.tsx';
import { Screen } from '../../frame/screen.tsx';
import { cx } from '../../lib/cx.ts';
import { useRecords } from '../../stores/records.ts';
import { AttentionPanel } from './attention-panel.tsx';
import { DataFacts } from './data-facts.tsx';
import { KpiBar } from './kpi-bar.tsx';
import { MinutesPanel } from './minutes-panel.tsx';
import css from './overview-screen.module.css';
import { ResponsePanel } from './response-panel.tsx';
import { showStates } from './show-states.ts';
import { useOverview, useOverviewRange } from './use-overview.ts';
import { WebhooksPanel } from './webhooks-panel.tsx';
import { WindowPanel } from './window-panel.tsx';
import { RANGE_WORDS, RANGES } from './words.ts';

const setRange = (range: OverviewRange): void => useOverviewRange.setState({ range });

export default function OverviewScreen() {
  const range = useOverviewRange((state) => state.range);
  const { view, failed, showSkeleton, retry } = useOverview(range);
  return (
    <Screen
      title="Overview"
      actions={<Seg className={css.ranges} label="Range" value={range} options={RANGES} onChange={setRange} />}
    >
      <section
        className={cx(layoutCss.page, css.screen)}
        data-region="overview"
        aria-label="Metrics"
        aria-busy={view === null}
      >
        {failed && (
          <div className={css.failed} role="status">
            <span>Could not read metrics.</span>
            <TryAgain size="sm" onAgain={retry} />
          </div>
        )}
        {view !== null ? <Panels view={view} /> : showSkeleton && !failed && <Skeleton />}
      </section>
    </Screen>
  );
}

const isEmpty = ({ totals, webhooks, retryWindow, attention }: OverviewView): boolean =>
  totals.received === 0 &&
  retryWindow.retrying === 0 &&
  attention.length === 0 &&
  webhooks.every(({ attempts }) => attempts === 0);

function Panels({ view }: { view: OverviewView }) {
  const webhooks = useRecords((state) => state.webhooks);
  const timeoutMs = useRecords((state) => state.destination?.timeoutMs ?? 5000);
  if (isEmpty(view))
    return (
      <>
        <Nothing range={view.range} />
        <DataFacts />
      </>
    );
  return (
    <>
      {view.cut && <p className="muted">This session is longer than 24 h; its last 24 h are shown.</p>}
      <KpiBar view={view} />
      <div className={css.first}>
        <MinutesPanel view={view} onShowBad={() => showStates(['expired', 'failed', 'rejected'])} />
        <AttentionPanel items={view.attention} range={view.range} />
      </div>
      <div className={css.second}>
        <WebhooksPanel view={view} webhooks={webhooks} />
        <ResponsePanel times={view.responseTimes} timeoutMs={timeoutMs} />
      </div>
      <WindowPanel window={view.retryWindow} />
      <DataFacts />
    </>
  );
}

function Nothing({ range }: { range: OverviewRange }) {
  return (
    <EmptyState
      icon={ChartColumn}
      title={`No messages ${RANGE_WORDS[range]}.`}
      actions={range === '4h' ? undefined : <Button onClick={() => setRange('4h')}>Show the last 4 h</Button>}
    >
      Calls are counted here by the minute, with what became of them.
    </EmptyState>
  );
}

/** Placeholders with the sizes of the real panels, so that nothing jumps. */
function Skeleton() {
  return (
    <>
      <div className={css.bone} style={{ height: 92 }} />
      <div className={css.first}>
        <div className={css.bone} style={{ height: 282 }} />
        <div className={css.bone} style={{ height: 282 }} />
      </div>
      <div className={css.second}>
        <div className={css.bone} style={{ height: 196 }} />
        <div className={css.bone} style={{ height: 196 }} />
      </div>
      <div className={css.bone} style={{ height: 108 }} />
    </>
  );
}
