/** Searches while the digest is typed. Whoever stops asking for the next part has cancelled, so nothing else is told. */
import { useEffect, useState } from 'react';
import type { AttemptVerdict, LabVerdict } from '../../../contract/signature-lab.ts';
import { call } from '../../platform/connect.ts';

/** Rest after the last key, in milliseconds. */
const REST_MS = 120;

export type Search =
  | { readonly state: 'none' }
  | { readonly state: 'searching'; readonly tried: number; cancel(): void }
  | { readonly state: 'cancelled'; readonly tried: number; again(): void }
  | { readonly state: 'failed'; readonly message: string; again(): void }
  | ({ readonly state: 'done'; readonly verdict: LabVerdict } & Omit<AttemptVerdict, 'verdict'>);

interface Wanted {
  readonly attemptId: number;
  readonly digest: string;
  readonly secret: string | null;
  readonly key: string;
}

type Reached =
  | { readonly state: 'searching'; readonly tried: number }
  | { readonly state: 'cancelled'; readonly tried: number }
  | { readonly state: 'failed'; readonly message: string }
  | ({ readonly state: 'done' } & AttemptVerdict);

const STARTING: Reached = { state: 'searching', tried: 0 };

export function useSearch({ attemptId, digest, secret, key }: Wanted): Search {
  const wanted = JSON.stringify([attemptId, digest, key]);
  const [reached, setReached] = useState<{ wanted: string; now: Reached } | null>(null);
  const [tries, setTries] = useState(0);
  const now = reached?.wanted === wanted ? reached.now : STARTING;
  const isCancelled = now.state === 'cancelled';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new try asks again
  useEffect(() => {
    if (digest.trim() === '' || isCancelled) return;
    let live = true;
    const tell = (next: Reached) => live && setReached({ wanted, now: next });
    const timer = setTimeout(() => {
      run({ attemptId, digest, secret }, tell, () => live).catch((error: unknown) =>
        tell({ state: 'failed', message: error instanceof Error ? error.message : '' }),
      );
    }, REST_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [wanted, secret, isCancelled, tries]);
  if (digest.trim() === '') return { state: 'none' };
  const again = () => {
    setReached(null);
    setTries((n) => n + 1);
  };
  if (now.state === 'done') return now;
  if (now.state === 'searching')
    return { ...now, cancel: () => setReached({ wanted, now: { state: 'cancelled', tried: now.tried } }) };
  return { ...now, again };
}

async function run(
  { attemptId, digest, secret }: Pick<Wanted, 'attemptId' | 'digest' | 'secret'>,
  tell: (next: Reached) => void,
  isWanted: () => boolean,
): Promise<void> {
  let answer = await call('signature.search', { attemptId, digest, ...(secret === null ? {} : { secret }) });
  while (!answer.done && isWanted()) {
    tell({ state: 'searching', tried: answer.tried });
    answer = await call('signature.search', { search: answer.search });
  }
  if (!answer.done) return;
  const { verdict, bytes, sent, hasOtherSecret } = answer;
  tell({ state: 'done', verdict, bytes, sent, hasOtherSecret });
}
