import { useEffect, useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import { type ComputedTraitView, computedTrait } from '../../../../contract/people.ts';
import { call } from '../../../platform/connect.ts';

export interface StoredDefinition {
  /** Null until it is read, and where it cannot be. */
  readonly definition: ComputedTraitView | null;
  readonly failed: boolean;
  readonly reload: () => void;
  /** Shows what was just saved. */
  readonly saved: (definition: ComputedTraitView) => void;
}

/** The stored definition of a trait, read again when its values change: another window may have edited it. */
export function useDefinition({ id, name, computes, counts }: AudienceRow): StoredDefinition {
  const [definition, setDefinition] = useState<ComputedTraitView | null>(null);
  const [failed, setFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  const version = JSON.stringify([name, computes, counts.members, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that there is something to read
  useEffect(() => {
    let isGone = false;
    call('audiences.get', { id }).then(
      ({ source }) => {
        if (isGone) return;
        const read = source.by === 'computed' ? computedTrait.safeParse(source.definition) : null;
        setFailed(read?.success !== true);
        if (read?.success) setDefinition((before) => (same(before, read.data) ? before : read.data));
      },
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [id, version]);
  return { definition, failed, reload: () => setTurn((now) => now + 1), saved: setDefinition };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
