import { useEffect, useMemo, useState } from 'react';
import type { PeopleFieldsView } from '../../../../contract/people.ts';
import { plural } from '../../../lib/format.ts';
import { call } from '../../../platform/connect.ts';
import { useRecords } from '../../../stores/records.ts';
import type { FieldSuggestions } from './condition-fields.tsx';

/** While calls are still read, the engine is asked again after this long, in real milliseconds. */
const AGAIN_MS = 1_000;

/** Events and traits of stored traffic, most frequent first. */
export function useSuggestions(): FieldSuggestions {
  const isReady = useRecords((state) => state.people?.state === 'ready');
  const [fields, setFields] = useState<PeopleFieldsView | null>(null);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks again, and so does the end of reading
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    call('people.fields').then(
      (found) => !gone && setFields(found),
      () => {
        if (!gone) timer = setTimeout(() => setTurn((now) => now + 1), AGAIN_MS);
      },
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [isReady, turn]);
  return useMemo(
    () => ({
      events: fields?.events.map(({ event, calls }) => ({ value: event, about: plural(calls, 'call') })) ?? null,
      traits:
        fields?.traits.map(({ path, people }) => ({ value: path, about: plural(people, 'person', 'people') })) ?? null,
    }),
    [fields],
  );
}
