import { Search } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Kbd } from '../components/tag.tsx';
import toneCss from '../components/tone.module.css';
import { Tooltip } from '../components/tooltip.tsx';
import { cx } from '../lib/cx.ts';
import { formatCount, formatCountShort } from '../lib/format.ts';
import { isApple } from '../lib/platform.ts';
import { useRecords } from '../stores/records.ts';
import { formatRoute, lastRoute, navigate, type ScreenId } from '../stores/route.ts';
import { RetryClock } from './retry-clock.tsx';
import type { ScreenEntry } from './screen-entry.ts';
import css from './sidebar.module.css';
import type { FrameDoors } from './window-actions.ts';
import { WorkspaceMenu } from './workspace-menu.tsx';

const GROUPS = ['top', 'Send', 'Delivery', 'Data'] as const;

/** Names of screens with counts. `rail` shows only icons. */
export function Sidebar({
  screens,
  current,
  rail,
  doors,
}: {
  screens: readonly ScreenEntry[];
  current: ScreenId;
  rail: boolean;
  doors: FrameDoors;
}) {
  return (
    <nav className={cx(css.sidebar, rail && css.rail)} aria-label="Main" data-region="sidebar">
      <div className={css.drag} />
      <WorkspaceMenu rail={rail} onShortcuts={doors.showShortcuts} />
      <FindOrRun rail={rail} onOpen={doors.togglePalette} />
      <div className={css.nav}>
        {GROUPS.map((group) => (
          <NavGroup
            key={group}
            title={group === 'top' ? null : group}
            rail={rail}
            current={current}
            screens={screens.filter((screen) => screen.group === group)}
          />
        ))}
      </div>
      <div className={cx(css.nav, css.foot)}>
        <NavGroup
          title={null}
          rail={rail}
          current={current}
          screens={screens.filter((screen) => screen.group === 'foot')}
        />
      </div>
      <RetryClock rail={rail} />
    </nav>
  );
}

function NavGroup({
  title,
  screens,
  current,
  rail,
}: {
  title: string | null;
  screens: readonly ScreenEntry[];
  current: ScreenId;
  rail: boolean;
}) {
  if (screens.length === 0) return null;
  return (
    <>
      {title !== null && (rail ? <div className={css.gap} /> : <p className={css.navTitle}>{title}</p>)}
      {screens.map((screen) => (
        <NavLink key={screen.id} screen={screen} current={screen.id === current} rail={rail} />
      ))}
    </>
  );
}

function NavLink({ screen, current, rail }: { screen: ScreenEntry; current: boolean; rail: boolean }) {
  const count = useRecords((state) => screen.count?.(state) ?? null);
  const word = useRecords((state) => screen.word?.(state) ?? null);
  const Icon = screen.icon;
  const label = word?.look === true ? `${screen.label}, ${word.text.toLowerCase()}` : screen.label;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(lastRoute(screen.id));
  };
  const link = (
    <a
      href={formatRoute(lastRoute(screen.id))}
      aria-current={current ? 'page' : undefined}
      aria-label={rail ? label : undefined}
      onClick={open}
    >
      <Icon className="icon icon-large" aria-hidden="true" />
      {!rail && <span className="ellipsis">{screen.label}</span>}
      {!rail && count !== null && count > 0 && (
        <span className={css.count} title={formatCount(count)}>
          {formatCountShort(count)}
        </span>
      )}
      {!rail && word !== null && <span className={cx(css.count, word.look && toneCss.warn)}>{word.text}</span>}
      {rail && word?.look === true && <span className={css.dot} />}
    </a>
  );
  return rail ? (
    <Tooltip label={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}

function FindOrRun({ rail, onOpen }: { rail: boolean; onOpen: () => void }) {
  const button = (
    <button
      type="button"
      className={css.find}
      aria-label={rail ? 'Find or run' : undefined}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <Search className="icon" aria-hidden="true" />
      {!rail && (
        <>
          <span className="spacer">Find or run</span>
          <Kbd>{isApple() ? '⌘K' : 'Ctrl K'}</Kbd>
        </>
      )}
    </button>
  );
  return rail ? (
    <Tooltip label="Find or run" side="right">
      {button}
    </Tooltip>
  ) : (
    button
  );
}
