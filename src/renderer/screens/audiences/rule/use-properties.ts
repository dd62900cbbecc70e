import { useEffect, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { call } from '../../../platform/connect.ts';
import type { Suggestion } from './suggest-input.tsx';

/** Characters of an example. */
const MOST = 24;

/**
 * Paths in the newest calls of an event, or of all calls without one, most frequent first. Null while they are not known,
 * and while they are not wanted.
 */
export function useProperties(event: string, isWanted: boolean): readonly Suggestion[] | null {
  const [found, setFound] = useState<{ event: string; items: readonly Suggestion[] } | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    call('people.properties', event === '' ? {} : { event }).then(
      ({ properties }) => {
        if (isGone) return;
        const items = properties.map(({ path, calls, example }) => ({
          value: path,
          about: `${plural(calls, 'call')}${example === null ? '' : `, such as ${JSON.stringify(example).slice(0, MOST)}`}`,
        }));
        setFound({ event, items });
      },
      // Without suggestions any path can be typed.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [event, isWanted]);
  return isWanted && found?.event === event ? found.items : null;
}
