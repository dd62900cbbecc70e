/** The list of everyone: its numbers, and the rows around those in sight. */
import { useCallback, useEffect, useState } from 'react';
import type { PeopleSort } from '../../../contract/persons.ts';
import { call } from '../../platform/connect.ts';
import { type KnownPeople, type PeopleWindow, WINDOW, windowAt, withWindow } from './known-people.ts';
import { type Reading, useReading } from './use-people.ts';

/** How long typing rests before it is searched. */
const REST_MS = 120;

export interface Everyone extends Omit<Reading<PeopleWindow>, 'answer'> {
  /** Null before the first answer. While another search is asked, the list of before stays. */
  readonly known: KnownPeople | null;
  /** Tells which row is the first one in sight. */
  readonly look: (first: number) => void;
}

/** `search` may change with every key. */
export function useEveryone(search: string, sort: PeopleSort): Everyone {
  const [rested, setRested] = useState(search);
  const [from, setFrom] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setRested(search), REST_MS);
    return () => clearTimeout(timer);
  }, [search]);
  const question = `${sort} ${rested}`;
  const [asked, setAsked] = useState(question);
  if (asked !== question) {
    // Another list is read from its top.
    setAsked(question);
    setFrom(0);
  }
  const { answer, ...reading } = useReading<PeopleWindow>(
    `${from} ${question}`,
    async () => ({ ...(await call('people.list', { search: rested, sort, from, limit: WINDOW })), question, from }),
    ({ isCounted }) => isCounted,
  );
  const [known, setKnown] = useState<KnownPeople | null>(null);
  useEffect(() => {
    if (answer !== null) setKnown((before) => withWindow(before, answer));
  }, [answer]);
  const look = useCallback((first: number) => setFrom(windowAt(first)), []);
  return { ...reading, known, look };
}
