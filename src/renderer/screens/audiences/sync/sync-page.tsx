import { CircleStop, Play } from 'lucide-react';
import { AUDIENCE_LIMITS, type AudienceRow, type SyncDetail } from '../../../../contract/audiences.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Glyph } from '../../../components/glyph.tsx';
import { Badge } from '../../../components/tag.tsx';
import { Text } from '../../../components/text.tsx';
import { TryAgain } from '../../../components/try-again.tsx';
import { setDeliveryPaused } from '../../../frame/delivery-pause.ts';
import { letterAllowed } from '../../../frame/keys.ts';
import { useWindowKeys } from '../../../frame/use-window-keys.ts';
import { cx } from '../../../lib/cx.ts';
import { formatCount, upperFirst } from '../../../lib/format.ts';
import { formatRoute, navigate, type Route } from '../../../stores/route.ts';
import { resumeSync, stopSync } from '../actions.ts';
import screenCss from '../audiences-screen.module.css';
import { syncGlyph } from '../sync-glyph.ts';
import { sentOf, syncName, waitText } from '../words.ts';
import { FailedCalls } from './failed-calls.tsx';
import { SyncHistory } from './sync-history.tsx';
import css from './sync-page.module.css';
import { SyncProgress } from './sync-progress.tsx';
import { SyncSide } from './sync-side.tsx';
import { nounOf } from './sync-words.ts';
import { useSync } from './use-sync.ts';

/** One sync: whether everyone is told, and who was not (design/ui, section 17). */
export function SyncPage({ audience, n }: { audience: AudienceRow; n: number }) {
  const { state, sync, reload } = useSync(audience, n);
  useStopKey(sync);
  if (state === 'absent') return <Absent audience={audience} n={n} />;
  if (sync === null) {
    if (state === 'loading') return <div aria-busy="true" />;
    return <EmptyState title="The sync could not be read." actions={<TryAgain onAgain={reload} />} />;
  }
  const noun = nounOf(sync, audience);
  return (
    <div className={screenCss.detail}>
      <section
        className={css.main}
        aria-label={`${syncName(sync)} of ${audience.name}`}
        data-region="detail"
        tabIndex={-1}
      >
        <Head audience={audience} sync={sync} />
        {state === 'failed' && <Stale onAgain={reload} />}
        <WaitBanner sync={sync} />
        <SyncProgress sync={sync} noun={noun} />
        <FailedCalls sync={sync} />
        <SyncHistory audience={audience} shown={sync} />
      </section>
      <SyncSide audience={audience} sync={sync} noun={noun} />
    </div>
  );
}

const routeOf = ({ id, kind }: AudienceRow): Route => ({
  screen: 'audiences',
  audienceId: id,
  tab: 'pending',
  ...(kind === 'trait' && { traits: true }),
});

const Absent = ({ audience, n }: { audience: AudienceRow; n: number }) => (
  <EmptyState
    title={absenceOf(audience, n)}
    actions={<Button onClick={() => navigate(routeOf(audience))}>{`Show ${audience.name}`}</Button>}
  >
    {audience.syncs === 0
      ? `The first sync sends ${formatCount(audience.counts.members)} ${audience.counts.members === 1 ? 'call' : 'calls'}.`
      : `The newest one is sync ${formatCount(audience.syncs)}.`}
  </EmptyState>
);

function absenceOf({ syncs }: AudienceRow, n: number): string {
  if (syncs === 0) return 'Not synced yet.';
  if (n > syncs) return `There is no sync ${formatCount(n)}.`;
  return `Sync ${formatCount(n)} is not kept any more: only the newest ${formatCount(AUDIENCE_LIMITS.syncs)} are.`;
}

const Stale = ({ onAgain }: { onAgain: () => void }) => (
  <Banner
    tone="warn"
    className={css.banner}
    title="It could not be read again."
    actions={<TryAgain size="sm" onAgain={onAgain} />}
  >
    These numbers are older.
  </Banner>
);

function Head({ audience, sync }: { audience: AudienceRow; sync: SyncDetail }) {
  const isStopped = sync.state === 'stopped';
  const { glyph, word } = syncGlyph(sync);
  const isRunning = sync.state === 'running' || sync.state === 'preparing';
  return (
    <header className={css.head}>
      <h2 className="ellipsis" title={audience.name}>
        <a href={formatRoute(routeOf(audience))}>
          <Text>{audience.name}</Text>
        </a>
      </h2>
      <Badge tone={isRunning ? 'accent' : sync.ledger.failed > 0 && !isStopped ? 'bad' : 'quiet'}>
        <Glyph name={glyph} />
        <span className="visually-hidden">{`${word}, `}</span>
        {isStopped ? `Stopped at ${formatCount(sentOf(sync))}` : syncName(sync)}
      </Badge>
      <span className="spacer" />
      {isRunning && (
        <Button icon={CircleStop} title="S" onClick={() => void stopSync(sync)}>
          Stop
        </Button>
      )}
      {isStopped && (
        <Button variant="primary" icon={Play} title="S" onClick={() => void resumeSync(sync)}>
          Resume
        </Button>
      )}
    </header>
  );
}

/** Why it stands still, with the remedy where it is one click away. */
function WaitBanner({ sync }: { sync: SyncDetail }) {
  const isPaused = sync.waitsFor.includes('by_person');
  const waits = waitText(sync);
  if (waits === null) return null;
  return (
    <Banner
      tone="warn"
      className={cx(css.banner)}
      actions={
        isPaused && (
          <Button size="sm" onClick={() => void setDeliveryPaused(false)}>
            Resume delivery
          </Button>
        )
      }
    >
      {upperFirst(waits)}
    </Banner>
  );
}

/** S stops or resumes it. */
function useStopKey(sync: SyncDetail | null): void {
  useWindowKeys((event) => {
    if (event.key !== 's' || event.repeat || sync === null || !letterAllowed(event)) return;
    if (sync.state === 'done') return;
    event.preventDefault();
    void (sync.state === 'stopped' ? resumeSync(sync) : stopSync(sync));
  });
}
