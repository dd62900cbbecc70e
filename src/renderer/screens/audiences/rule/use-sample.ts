import { useEffect, useRef, useState } from 'react';
import type { PersonReasonView } from '../../../../contract/people.ts';
import { call } from '../../../platform/connect.ts';
import type { DraftGroup } from './draft.ts';
import type { Counted } from './use-count.ts';
import { whileWanted } from './while-wanted.ts';

/** Members that are shown. */
export const SAMPLE = 5;
/** The sample follows the count at most this often, in real milliseconds. */
const EVERY_MS = 1_000;

export interface Sample {
  readonly people: readonly PersonReasonView[];
  /** The rule they are in by. */
  readonly draft: DraftGroup;
}

/** Five members and why each is in, after `skip` others. Null before the first answer. */
export function useSample(counted: Counted | null, skip: number): Sample | null {
  const [sample, setSample] = useState<Sample | null>(null);
  const readAt = useRef({ at: Number.NEGATIVE_INFINITY, asked: '' });
  useEffect(() => {
    if (counted === null) return;
    const asked = `${JSON.stringify(counted.rule)} ${skip}`;
    const wait = readAt.current.asked === asked ? readAt.current.at + EVERY_MS - performance.now() : 0;
    return whileWanted(Math.max(0, wait), async (isWanted) => {
      readAt.current = { at: performance.now(), asked };
      const people = await call('people.sample', { rule: counted.rule, count: SAMPLE, skip });
      if (isWanted()) setSample({ people, draft: counted.draft });
    });
  }, [counted, skip]);
  return counted === null ? null : sample;
}
