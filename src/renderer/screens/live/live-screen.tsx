/** The live stream: watch, filter, inspect (design/ui, sections 7 and 8). */

import { Pause, Play } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import layoutCss from '../../components/layout.module.css';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { useMedia } from '../../frame/app-frame.tsx';
import { PartBoundary } from '../../frame/part-boundary.tsx';
import { Screen } from '../../frame/screen.tsx';
import { cx } from '../../lib/cx.ts';
import { whenRested } from '../../lib/deferred.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import type { HiddenBy } from '../../stores/live/snapshot.ts';
import { liveStream, useLiveValue } from '../../stores/live/store.ts';
import { useRow } from '../../stores/records.ts';
import { formatRoute, HOME, navigate, type Route, useRoute } from '../../stores/route.ts';
import { showToast } from '../../stores/toasts.ts';
import { FirstRun } from '../first-run/first-run.tsx';
import { MessageDetail, preloadDetail } from './deferred-detail.ts';
import { DetailOverlay } from './detail-overlay.tsx';
import { DetailToCome } from './detail-to-come.tsx';
import type { GridHandle } from './grid/message-grid.tsx';
import { UNDO_MS } from './hide-messages.ts';
import { JumpDialog } from './jump-dialog.tsx';
import css from './live-screen.module.css';
import { MessageList } from './message-list.tsx';
import { Split } from './split.tsx';
import { useFirstRun } from './use-first-run.ts';
import { useLiveKeys } from './use-live-keys.ts';

export default function LiveScreen() {
  const phase = useLiveValue((live) => live.phase);
  const rate = useLiveValue((live) => live.rate);
  const route = useLiveRoute();
  const firstRun = useFirstRun();
  const narrow = useMedia('(max-width: 1023px)');
  const grid = useRef<GridHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const { messageId, tab, full, attempt } = route;

  const open = useCallback(
    (id: number, enter: boolean) => {
      navigate({ screen: 'live', messageId: id, tab, full: false }, { replace: messageId !== null });
      if (enter)
        preloadDetail().then(
          () => requestAnimationFrame(focusDetail),
          () => {},
        );
    },
    [tab, messageId],
  );
  const close = useCallback(() => {
    navigate(full ? { ...route, full: false } : { screen: 'live', messageId: null, tab, full: false }, {
      replace: true,
    });
    requestAnimationFrame(() => grid.current?.focus());
  }, [full, route, tab]);
  const moved = useCallback(
    (id: number) => {
      // With the detail open the selection follows. With an overlay it does not, because that would cover the list at
      // each step.
      if (messageId !== null && !narrow)
        navigate({ screen: 'live', messageId: id, tab, full: false }, { replace: true });
    },
    [messageId, narrow, tab],
  );
  useEffect(() => {
    // When it fails, opening a message tries again.
    if (phase !== 'ready') return;
    return whenRested(() => void preloadDetail().catch(() => {}));
  }, [phase]);
  useLiveKeys({ active: !firstRun && !full, grid, field, selectedId: messageId, togglePause });

  if (firstRun) {
    return (
      <Screen title="Live stream">
        <FirstRun />
      </Screen>
    );
  }
  const detail =
    messageId === null ? null : (
      <DetailPane id={messageId}>
        <PartBoundary
          waiting={<DetailToCome id={messageId} onClose={close} />}
          frame={(failure: ReactNode) => (
            <DetailToCome id={messageId} onClose={close}>
              {failure}
            </DetailToCome>
          )}
        >
          <MessageDetail id={messageId} tab={tab} full={full} attempt={attempt} onClose={close} />
        </PartBoundary>
      </DetailPane>
    );
  if (full && detail !== null) {
    return (
      <Screen title={<Crumbs route={route} />} actions={<HeaderButtons />}>
        {detail}
      </Screen>
    );
  }
  const list = <MessageList selectedId={messageId} onOpen={open} onMoved={moved} grid={grid} field={field} />;
  return (
    <Screen
      title="Live stream"
      sub={rate === null ? undefined : `${formatCount(rate)} messages a second`}
      actions={<HeaderButtons />}
    >
      {/* One place for the list at any width, so that it keeps the focus while the window changes. */}
      <div className={css.panes}>
        <div className={css.under} inert={narrow && detail !== null}>
          <Split list={list} detail={narrow ? null : detail} />
        </div>
        {narrow && detail !== null && <DetailOverlay onClose={close}>{detail}</DetailOverlay>}
      </div>
      <JumpDialog grid={grid} />
    </Screen>
  );
}

/** `Live stream / Order Completed`: the way back to the list, with the message beside it. */
function Crumbs({ route }: { route: Extract<Route, { screen: 'live' }> }) {
  const row = useRow(route.messageId);
  const name = row === undefined ? 'Message' : row.name === '' ? row.type : row.name;
  return (
    <>
      <a className={css.crumb} href={formatRoute({ ...route, full: false })}>
        Live stream
      </a>
      <span className="muted"> / </span>
      <Text>{name}</Text>
    </>
  );
}

function useLiveRoute(): Extract<Route, { screen: 'live' }> {
  const route = useRoute();
  return route.screen === 'live' ? route : (HOME as Extract<Route, { screen: 'live' }>);
}

const focusDetail = () =>
  document.querySelector<HTMLElement>('[data-region="detail"] button, [data-region="detail"][tabindex]')?.focus();

function togglePause(): void {
  if (liveStream.snapshot().mode === 'paused') liveStream.resume();
  else liveStream.pause();
}

function HeaderButtons() {
  const paused = useLiveValue(({ mode }) => mode === 'paused');
  const isEmpty = useLiveValue(({ count }) => count === 0);
  const clear = () => {
    const { count } = liveStream.snapshot();
    liveStream.clear();
    showToast({
      title: `${plural(count, 'message')} hidden`,
      body: 'Nothing was deleted.',
      action: { label: 'Undo', run: () => liveStream.undoClear() },
      durationMs: UNDO_MS,
    });
  };
  return (
    <>
      <Button icon={paused ? Play : Pause} onClick={togglePause}>
        {paused ? 'Resume' : 'Pause'} <Kbd>Space</Kbd>
      </Button>
      <Button variant="ghost" disabled={isEmpty} onClick={clear}>
        Clear
      </Button>
    </>
  );
}

const HIDDEN_WORDS: Record<HiddenBy, string> = {
  cleared: 'This message was cleared from the list.',
  filter: 'The filter keeps this message out of the list.',
  hidden: 'This message is hidden from the list.',
};

/** The detail stays open when its row is filtered out or cleared, and says so (design/ui, section 8, rule 7). */
function DetailPane({ id, children }: { id: number; children: ReactNode }) {
  const hidden = useLiveValue(({ phase, list }) => (phase === 'ready' ? list.hiddenBy(id) : null));
  return (
    <section className={cx(css.detail, layoutCss.column)} aria-label="Detail">
      {hidden !== null && <p className={cx('secondary', css.hidden)}>{HIDDEN_WORDS[hidden]}</p>}
      {children}
    </section>
  );
}
