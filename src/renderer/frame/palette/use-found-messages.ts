import { useEffect, useState } from 'react';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { call } from '../../platform/connect.ts';
import { emptyQuery, toFilter } from '../../stores/live/filter.ts';
import { filterContext } from '../../stores/live/store.ts';
import { readText } from '../../stores/live/tokens.ts';
import { cacheRows } from '../../stores/records.ts';

/** After this pause in typing the engine is asked, in milliseconds. */
const TYPING_MS = 80;
const MAX_FOUND = 5;

export interface FoundMessages {
  readonly rows: readonly MessageRow[];
  /** True while older messages are still looked through. */
  readonly searching: boolean;
  /** What is unreadable in the text as a filter, or why it could not be searched. */
  readonly problem: string | null;
}

const NOTHING: FoundMessages = { rows: [], searching: false, problem: null };

/** The newest messages that the text finds as the filter of the live stream would. */
export function useFoundMessages(text: string): FoundMessages {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => void search(text, () => wanted, setFound), TYPING_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}

/** Looks through the messages from the newest down until enough are found. Shows each that it finds at once. */
async function search(text: string, wanted: () => boolean, show: (found: FoundMessages) => void): Promise<void> {
  const filter = text.trim() === '' ? null : filterOf(text);
  if (filter === null || typeof filter === 'string') {
    show({ ...NOTHING, problem: filter });
    return;
  }
  const rows: MessageRow[] = [];
  try {
    for (let before: number | null | undefined; before !== null; ) {
      const page = await call('messages.list', { filter, before, limit: MAX_FOUND });
      if (!wanted()) return;
      cacheRows(page.rows);
      rows.push(...page.rows);
      before = rows.length >= MAX_FOUND ? null : page.nextBefore;
      show({ rows: rows.slice(0, MAX_FOUND), searching: before !== null, problem: null });
    }
  } catch (error) {
    if (wanted()) show({ ...NOTHING, problem: error instanceof Error ? error.message : String(error) });
  }
}

/** The filter, or what is unreadable. */
function filterOf(text: string): MessageFilter | string {
  const { query, problem } = readText({ ...emptyQuery, text }, filterContext(), true);
  return problem?.text ?? toFilter(query);
}
