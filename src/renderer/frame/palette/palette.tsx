import { Dialog } from '@base-ui/react/dialog';
import { ListFilter, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { StateGlyph } from '../../components/glyph.tsx';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { isApple } from '../../lib/platform.ts';
import { emptyQuery } from '../../stores/live/filter.ts';
import { liveStream } from '../../stores/live/store.ts';
import { useRecords, useRow } from '../../stores/records.ts';
import { HOME, navigate, useRoute } from '../../stores/route.ts';
import type { ScreenEntry } from '../screen-entry.ts';
import type { FrameDoors } from '../window-actions.ts';
import { actionEntries, placeEntries } from './entries.ts';
import { PALETTE_GROUPS, type PaletteEntry, type PaletteGroup } from './entry.ts';
import { actionsOf, entryOf } from './message-entries.ts';
import css from './palette.module.css';
import { rankEntries } from './rank.ts';
import { useFoundMessages } from './use-found-messages.ts';

/** How many entries of a group are shown. */
const MOST: Record<PaletteGroup, number> = { Actions: 9, Messages: 6, 'Go to': 10 };

interface PaletteProps {
  readonly screens: readonly ScreenEntry[];
  readonly doors: FrameDoors;
  readonly onClose: () => void;
}

/** Finds actions, messages and screens by a text, and runs them by keyboard (design/ui, section 9). */
export function Palette({ open, ...props }: PaletteProps & { open: boolean }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.scrim} />
        <Dialog.Popup className={css.palette} aria-label="Find or run">
          <Finder {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ screens, doors, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const { entries, searching, problem } = useEntries(text, screens, doors);
  const chosen = Math.min(at, entries.length - 1);
  const run = (entry: PaletteEntry | undefined, stay: boolean) => {
    if (entry === undefined) return;
    if (!stay) onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % entries.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(entries[chosen], event.ctrlKey || event.metaKey);
    }
  };
  return (
    <>
      <div className={css.head}>
        <Search className="icon icon-large" aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette is its field
          autoFocus
          role="combobox"
          aria-label="Find or run"
          aria-expanded="true"
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={entries.length === 0 ? undefined : `${list}-${chosen}`}
          placeholder="Find an action, a message or a screen"
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
        />
        <Kbd>Esc</Kbd>
      </div>
      <Options id={list} entries={entries} chosen={chosen} onPoint={setAt} onRun={(entry) => run(entry, false)} />
      {entries.length === 0 && (
        <p className={cx('secondary', css.none)}>{searching ? 'Searching' : 'Nothing found.'}</p>
      )}
      <footer className={cx('small muted', css.foot)}>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> choose
        </span>
        <span>
          <Kbd>↵</Kbd> run
        </span>
        <span>
          <Kbd>{isApple() ? '⌘ ↵' : 'Ctrl ↵'}</Kbd> run and stay
        </span>
        <span className="spacer" />
        <span className="ellipsis" role="status">
          {problem ?? (searching ? 'Searching messages' : 'type: status: user: to filter')}
        </span>
      </footer>
    </>
  );
}

/** The best entries of each group, those of the open message first. */
function useEntries(text: string, screens: readonly ScreenEntry[], doors: FrameDoors) {
  const records = useRecords();
  const route = useRoute();
  const openRow = useRow('messageId' in route ? route.messageId : null);
  const { rows, searching, problem } = useFoundMessages(text);
  const entries = useMemo(() => {
    const own = openRow === undefined ? [] : actionsOf(openRow);
    const fixed = [own, actionEntries(records, doors), placeEntries(screens, records)];
    const all = [
      ...fixed.flatMap((some) => rankEntries(text, some)),
      ...rows.map(entryOf),
      ...(rows.length > 0 ? [filterEntry(text)] : []),
    ];
    return PALETTE_GROUPS.flatMap((group) => all.filter((entry) => entry.group === group).slice(0, MOST[group]));
  }, [text, screens, doors, records, openRow, rows]);
  return { entries, searching, problem };
}

/** Takes the text over as the filter of the live stream. */
const filterEntry = (text: string): PaletteEntry => ({
  id: 'filter',
  group: 'Messages',
  title: 'Filter the live stream',
  detail: text.trim(),
  icon: ListFilter,
  run: () => {
    navigate(HOME);
    liveStream.setQuery({ ...emptyQuery, text }, { done: true });
  },
});

function Options({
  id,
  entries,
  chosen,
  onPoint,
  onRun,
}: {
  id: string;
  entries: readonly PaletteEntry[];
  chosen: number;
  onPoint: (at: number) => void;
  onRun: (entry: PaletteEntry) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector(`[id="${CSS.escape(`${id}-${chosen}`)}"]`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, chosen]);
  return (
    <div ref={box} className={css.options} id={id} role="listbox" aria-label="Found">
      {PALETTE_GROUPS.map((group) => {
        const own = entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry.group === group);
        if (own.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={group} role="group" aria-label={group}>
            <p className={css.group} aria-hidden="true">
              {group}
            </p>
            {own.map(({ entry, index }) => (
              // biome-ignore lint/a11y: the field above has the keys and the focus
              <div
                key={entry.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                className={css.option}
                onPointerMove={() => index !== chosen && onPoint(index)}
                onClick={() => onRun(entry)}
              >
                <EntryIcon icon={entry.icon} />
                <span className={cx('ellipsis', css.title)}>
                  <Text>{entry.title}</Text>
                </span>
                <span className="ellipsis secondary">{entry.detail !== undefined && <Text>{entry.detail}</Text>}</span>
                <span className="spacer" />
                {entry.keys?.split(' ').map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </div>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function EntryIcon({ icon }: { icon: PaletteEntry['icon'] }) {
  if ('state' in icon) return <StateGlyph state={icon.state} />;
  const Icon = icon;
  return <Icon className="icon icon-large" aria-hidden="true" />;
}
