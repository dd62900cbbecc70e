import { useEffect, useState } from 'react';
import type { PropertyView } from '../../../contract/audiences.ts';
import { AUDIENCE_LIMITS, PROPERTY_PATTERN } from '../../../contract/audiences.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';

/**
 * What the engine says of a property: that of a name, or a typed one. Null until it has answered, and for one that
 * cannot be a property.
 */
export function useProperty(name: string, typed: string | null, id: number | undefined): PropertyView | null {
  const [known, setKnown] = useState<{ asked: string; view: PropertyView } | null>(null);
  // Which sources send it is known once the stored calls are read.
  const isRead = useRecords((state) => state.people?.state === 'ready');
  const asked = JSON.stringify([name.slice(0, AUDIENCE_LIMITS.name), typed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the calls are read
  useEffect(() => {
    const [from, property] = JSON.parse(asked) as [string, string | null];
    if (property === null ? from.trim() === '' : !PROPERTY_PATTERN.test(property)) return;
    let gone = false;
    call('audiences.property', { ...(property === null ? { name: from } : { property }), id }).then(
      (view) => !gone && setKnown({ asked, view }),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [asked, id, isRead]);
  return known?.asked === asked ? known.view : null;
}
