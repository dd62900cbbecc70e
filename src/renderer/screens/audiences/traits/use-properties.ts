import { useEffect, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { call } from '../../../platform/connect.ts';
import type { Suggestion } from '../rule/suggest-input.tsx';

/** Paths in the newest calls of an event, most frequent first; null while they are not known. Empty for every call. */
export function useProperties(event: string, isKnown: boolean): readonly Suggestion[] | null {
  const [found, setFound] = useState<{ event: string; items: readonly Suggestion[] } | null>(null);
  useEffect(() => {
    if (event !== '' && !isKnown) return;
    let isGone = false;
    call('people.properties', event === '' ? {} : { event }).then(
      ({ properties }) => {
        if (isGone) return;
        const items = properties.map(({ path, calls, example }) => ({
          value: path,
          about: `${plural(calls, 'call')}${example === null ? '' : `, such as ${JSON.stringify(example).slice(0, 24)}`}`,
        }));
        setFound({ event, items });
      },
      // Without suggestions any path can be typed.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [event, isKnown]);
  return found?.event === event ? found.items : null;
}
