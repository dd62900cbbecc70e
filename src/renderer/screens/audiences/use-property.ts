import { useEffect, useState } from 'react';
import { AUDIENCE_LIMITS, PROPERTY_PATTERN, type PropertyView } from '../../../contract/audiences.ts';
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

/** Why the property cannot be used; null when it can, and while that is not known. */
export function propertyError(name: string, typed: string | null, known: PropertyView | null): string | null {
  if (typed !== null && !PROPERTY_PATTERN.test(typed)) {
    return 'Lower-case letters, digits and underscores, no digit first.';
  }
  if (known === null || name.trim() === '') return null;
  if (known.property === null) return 'The name has no Latin letter or digit. Type a property.';
  if (known.usedBy === null) return null;
  const { kind, name: other } = known.usedBy;
  return `The ${kind === 'audience' ? 'audience' : 'computed trait'} ${other} sends ${known.property} already.`;
}
