import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PeopleSort } from '../../../contract/persons.ts';
import { useFixedWindow } from '../../lib/use-fixed-window.ts';
import { type KnownPeople, placeOf } from './known-people.ts';
import css from './people-list.module.css';
import { PersonEntry, WaitingEntry } from './person-entry.tsx';

/** Its height is in the style too. */
const ROW_HEIGHT = 54;
const nothing = (): void => {};

/** Everyone, of whom only the rows in sight are drawn. The arrows, the page keys, Home and End move the selection. */
export function PeopleRows({
  known,
  sort,
  shown,
  onShow,
  onLook,
}: {
  known: KnownPeople;
  sort: PeopleSort;
  shown: string | null;
  onShow: (id: string) => void;
  onLook: (first: number) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLUListElement>(null);
  const count = known.numbers.matching;
  const win = useFixedWindow({ scroller, layer, count, slotHeight: ROW_HEIGHT, slack: 0, onScroll: nothing });
  /** Where the selected person stands, or stood when that was last known. */
  const place = useRef(-1);
  const at = placeOf(known, shown);
  if (shown === null) place.current = -1;
  else if (at !== undefined) place.current = at;
  /** The row that the keys go to; it is selected as soon as it is known. */
  const [wanted, setWanted] = useState<number | null>(null);

  useEffect(() => onLook(win.first), [win.first, onLook]);
  const { question } = known;
  const asked = useRef(question);
  useLayoutEffect(() => {
    if (asked.current === question) return;
    asked.current = question;
    setWanted(null);
    win.scrollTo(0);
  }, [question, win]);
  useLayoutEffect(() => {
    const row = wanted === null ? undefined : known.rows.get(wanted);
    const element = layer.current?.querySelector<HTMLElement>(`[aria-posinset="${(wanted ?? -1) + 1}"] > button`);
    if (row === undefined || element === null || element === undefined) return;
    setWanted(null);
    onShow(row.key.id);
    element.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || count === 0) return;
    const from = wanted ?? place.current;
    const page = Math.max(1, Math.floor(win.viewHeight / ROW_HEIGHT) - 1);
    const steps: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: count - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const target = Math.max(0, Math.min(count - 1, to));
    setWanted(target);
    win.reveal(target);
  };
  const drawn = Array.from({ length: win.last - win.first }, (_, i) => win.first + i);
  // The selected row keeps the focus while it is out of sight.
  if (at !== undefined && at < count && !drawn.includes(at)) drawn.push(at);
  const stop = at ?? drawn[0];
  return (
    <div ref={scroller} className={css.scroll}>
      <div style={{ height: win.height }}>
        <div className={css.view} style={{ height: Math.min(win.viewHeight, win.height) }}>
          <ul ref={layer} className={css.rows} data-base={win.base} onKeyDown={move}>
            {drawn.map((index) => {
              const row = known.rows.get(index);
              const y = (index - win.base) * ROW_HEIGHT;
              const where = {
                'aria-posinset': index + 1,
                'aria-setsize': count,
                style: { transform: `translateY(${y}px)` },
              };
              if (row === undefined) return <WaitingEntry key={index} {...where} />;
              return (
                <li key={`${row.key.kind} ${row.key.id}`} {...where}>
                  <PersonEntry
                    row={row}
                    sort={sort}
                    isShown={index === at}
                    isStop={index === stop}
                    onShow={(id) => {
                      setWanted(null);
                      onShow(id);
                    }}
                  />
                </li>
              );
            })}
          </ul>
        </div>
      </div>
    </div>
  );
}
