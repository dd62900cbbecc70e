/** Response bodies, fetched once per attempt and kept for the last few attempts. */
import { useEffect, useState } from 'react';
import { call } from '../platform/connect.ts';
import { bytesOfBase64 } from './body.ts';

const KEPT = 40;
const kept = new Map<number, Promise<Uint8Array>>();

/** Forgets all bodies. Needed for a new engine and in tests, because another workspace reuses ids of attempts. */
export const forgetBodies = (): void => kept.clear();

function responseOf(id: number): Promise<Uint8Array> {
  const known = kept.get(id);
  if (known !== undefined) return known;
  const asked = call('attempts.bodies', { id }).then((bodies) => bytesOfBase64(bodies.responseBase64));
  kept.set(id, asked);
  asked.catch(() => kept.delete(id));
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return asked;
}

export type LoadedBody =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly bytes: Uint8Array }
  | { readonly state: 'failed'; readonly message: string };

const LOADING: LoadedBody = { state: 'loading' };

/** The kept response body of a finished attempt. Fetches nothing for null. */
export function useResponseBody(id: number | null): LoadedBody {
  const [loaded, setLoaded] = useState<{ id: number | null; body: LoadedBody }>({ id, body: LOADING });
  useEffect(() => {
    if (id === null) return;
    let live = true;
    responseOf(id).then(
      (bytes) => live && setLoaded({ id, body: { state: 'ready', bytes } }),
      (error: unknown) =>
        live && setLoaded({ id, body: { state: 'failed', message: error instanceof Error ? error.message : '' } }),
    );
    return () => {
      live = false;
    };
  }, [id]);
  return loaded.id === id ? loaded.body : LOADING;
}
