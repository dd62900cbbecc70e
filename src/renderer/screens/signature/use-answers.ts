/** What the engine answers about an attempt without a search. An answer that comes too late is dropped. */
import { useEffect, useState } from 'react';
import type { BytesCompared, SignedAttempt, Variant } from '../../../contract/signature-lab.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';

export type Asked<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string };

/** Asked again after a reset and when the shared secret changes; the old answer stays meanwhile. */
export function useSignedAttempt(attemptId: number): [Asked<SignedAttempt>, () => void] {
  const [asked, setAsked] = useState<Asked<SignedAttempt>>({ state: 'loading' });
  const [tries, setTries] = useState(0);
  const resets = useRecords((state) => state.resets);
  const destination = useRecords((state) => state.destination);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset, another secret and a new try ask again
  useEffect(() => {
    let live = true;
    call('signature.attempt', { attemptId }).then(
      (value) => live && setAsked({ state: 'ready', value }),
      (error: unknown) => live && setAsked({ state: 'failed', message: error instanceof Error ? error.message : '' }),
    );
    return () => {
      live = false;
    };
  }, [attemptId, resets, destination, tries]);
  return [asked, () => setTries((n) => n + 1)];
}

interface WithSecret {
  readonly attemptId: number;
  /** Typed by hand; null for the shared one, which only the engine knows. */
  readonly secret: string | null;
  /** Another value for another secret. */
  readonly key: string;
}

const given = (secret: string | null) => (secret === null ? {} : { secret });

/** Null until it is known, and without the receiver's bytes. */
export function useCompared({
  attemptId,
  bytes,
  secret,
  key,
}: WithSecret & { readonly bytes: Uint8Array | null }): BytesCompared | null {
  const [known, setKnown] = useState<{ readonly of: Uint8Array; key: string; value: BytesCompared } | null>(null);
  useEffect(() => {
    if (bytes === null) return;
    let live = true;
    call('signature.compare', { attemptId, bytesBase64: base64(bytes), ...given(secret) }).then(
      (value) => live && setKnown({ of: bytes, key, value }),
      () => {},
    );
    return () => {
      live = false;
    };
  }, [attemptId, bytes, secret, key]);
  return known !== null && known.of === bytes && known.key === key ? known.value : null;
}

/** Null until they are known, and without a secret. */
export function useVariants({
  attemptId,
  hasSecret,
  secret,
  key,
}: WithSecret & { readonly hasSecret: boolean }): readonly Variant[] | null {
  const [known, setKnown] = useState<{ readonly key: string; value: readonly Variant[] } | null>(null);
  useEffect(() => {
    if (!hasSecret) return;
    let live = true;
    call('signature.variants', { attemptId, ...given(secret) }).then(
      ({ variants }) => live && setKnown({ key, value: variants }),
      () => {},
    );
    return () => {
      live = false;
    };
  }, [attemptId, hasSecret, secret, key]);
  return hasSecret && known?.key === key ? known.value : null;
}

const CHUNK = 0x8000;
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
