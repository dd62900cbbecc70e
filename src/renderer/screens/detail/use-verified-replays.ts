import { useEffect, useState } from 'react';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import type { Carried } from './carried.ts';

/** How many replays of a message are judged, the newest ones. */
const MOST = 20;

const NONE: ReadonlySet<number> = new Set();

/**
 * Attempts of replays that carried another signature than the stored body has, and the right one for what they sent. The
 * engine judges each with the shared secret of now.
 */
export function useVerifiedReplays(requests: readonly Carried[], signature: string | null): ReadonlySet<number> {
  const secret = useRecords((state) => JSON.stringify(state.destination?.secret));
  const [verified, setVerified] = useState(NONE);
  const key = requests
    .filter(({ attempt, header }) => attempt.replayId !== null && header !== signature)
    .slice(-MOST)
    .map(({ attempt }) => attempt.id)
    .join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another secret or signature is another verdict
  useEffect(() => {
    let isStale = false;
    const found = new Set<number>();
    const judge = async () => {
      for (const attemptId of key === '' ? [] : key.split(' ').map(Number)) {
        const judged = await call('signature.attempt', { attemptId }).catch(() => null);
        if (isStale) return;
        if (judged !== null && judged.expected !== null && judged.sent === judged.expected) found.add(attemptId);
      }
      setVerified(found);
    };
    setVerified(NONE);
    void judge();
    return () => {
      isStale = true;
    };
  }, [key, secret, signature]);
  return verified;
}
