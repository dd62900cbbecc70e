/** What the bulk bar says about the selected messages. */
import { useEffect, useMemo, useState } from 'react';
import type { MessageRow, MessageStateName } from '../../../contract/values.ts';
import { formatCount, formatSize } from '../../lib/format.ts';
import { STATE_WORDS } from '../../lib/words/states.ts';
import { call } from '../../platform/connect.ts';
import { isEmpty } from '../../stores/live/filter.ts';
import type { SelectionView } from '../../stores/live/selection.ts';
import type { HiddenBy, LiveSnapshot } from '../../stores/live/snapshot.ts';
import { cacheRows, getRow } from '../../stores/records.ts';

/** Above this many messages their rows are not fetched to say what they are; one request's worth. */
const MAX_DESCRIBED = 500;
/** The states are listed up to this many. */
const MAX_STATES = 3;

/** How many selected messages are not in the list, by what keeps them out. */
export function useOutside(picked: SelectionView, live: LiveSnapshot): Readonly<Record<HiddenBy, number>> {
  const { list, read, cleared } = live;
  return useMemo(() => {
    const outside = { filter: 0, cleared: 0, hidden: 0 };
    if (cleared === 0 && isEmpty(read)) return outside;
    for (const id of picked.values()) {
      const why = list.hiddenBy(id);
      if (why !== null) outside[why] += 1;
    }
    return outside;
  }, [picked, list, read, cleared]);
}

/** `all retrying, 1.2 KB`, or null while a row is not known or there are too many. */
export function useSelectionFacts(picked: SelectionView, live: LiveSnapshot): string | null {
  const few = picked.count <= MAX_DESCRIBED && !picked.reading;
  const [answers, setAnswers] = useState(0);
  useEffect(() => {
    if (!few) return;
    const missing = picked.ids().filter((id) => getRow(id) === undefined);
    const answered = (rows: readonly MessageRow[]): void => {
      cacheRows(rows);
      setAnswers((before) => before + 1);
    };
    // A failure only leaves the words out.
    if (missing.length > 0) call('messages.byIds', { ids: missing }).then(answered, () => {});
  }, [picked, few]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change with each snapshot of the list, and with answers
  return useMemo(() => (few ? describe(picked.ids().map(getRow)) : null), [picked, few, live, answers]);
}

/** Null when one of the rows is not known. */
export function describe(rows: readonly (MessageRow | undefined)[]): string | null {
  const counts = new Map<MessageStateName, number>();
  let size = 0;
  for (const row of rows) {
    if (row === undefined) return null;
    counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
    size += row.size;
  }
  return [...stateWords(counts), formatSize(size)].join(', ');
}

function stateWords(counts: ReadonlyMap<MessageStateName, number>): string[] {
  const word = (state: MessageStateName) => STATE_WORDS[state].word.toLowerCase();
  const [[first] = []] = counts;
  if (counts.size === 1 && first !== undefined) return counts.get(first) === 1 ? [word(first)] : [`all ${word(first)}`];
  if (counts.size > MAX_STATES) return [];
  return [...counts].sort(([, a], [, b]) => b - a).map(([state, count]) => `${formatCount(count)} ${word(state)}`);
}
