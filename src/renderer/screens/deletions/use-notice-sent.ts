import { useEffect, useState } from 'react';
import type { DeletionUser } from '../../../contract/deletions.ts';
import type { AttemptView } from '../../../contract/values.ts';
import type { HeaderView } from '../../../contract/webhook-view.ts';
import { byteLength } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';

/** Requests of a receiver that are looked through. */
const HITS = 50;

/** A test receiver got exactly these bytes, and found the signature right. */
export interface VerifiedBy {
  readonly receiver: string;
  /** The X-Signature that it got, in hex. */
  readonly digest: string;
}

export interface NoticeSent {
  /** Byte for byte. */
  readonly body: string;
  readonly verified: VerifiedBy | null;
}

/** The first notice of a request that is still stored, read again when its state changes. Null when there is none. */
export function useNoticeSent(users: readonly DeletionUser[]): NoticeSent | null {
  const message = firstNotice(users);
  const id = message?.id ?? null;
  const state = message?.state ?? null;
  const [sent, setSent] = useState<NoticeSent | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state says that there may be an attempt more
  useEffect(() => {
    if (id === null) return;
    let isGone = false;
    const show = (next: NoticeSent | null): void => {
      if (!isGone) setSent(next);
    };
    readNotice(id).then(show, () => show(null));
    return () => {
      isGone = true;
    };
  }, [id, state]);
  return id === null ? null : sent;
}

async function readNotice(id: number): Promise<NoticeSent | null> {
  const { deliveredJson: body, attempts } = await call('messages.get', { id });
  if (body === null) return null;
  return { body, verified: await findVerified(body, attempts).catch(() => null) };
}

/** The first of our own receivers that was tried and found the signature of these bytes right. */
async function findVerified(body: string, attempts: readonly AttemptView[]): Promise<VerifiedBy | null> {
  const { entries } = await call('receivers.list');
  const tried = new Set(attempts.map(({ url }) => url));
  for (const { id, name, url } of entries) {
    if (url === null || !tried.has(url)) continue;
    const digest = await verifiedDigest(id, body);
    if (digest !== null) return { receiver: name, digest };
  }
  return null;
}

async function verifiedDigest(receiver: string, body: string): Promise<string | null> {
  const { rows } = await call('receivers.hits', { id: receiver, limit: HITS });
  for (const { id, verdict, bodyBytes } of rows) {
    if (verdict !== 'verified' || bodyBytes !== byteLength(body)) continue;
    const hit = await call('receivers.hit', { id: receiver, hit: id });
    if (textOf(hit.bodyBase64) === body) return headerOf(hit.headers, 'x-signature');
  }
  return null;
}

const textOf = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)));

function headerOf(headers: readonly HeaderView[], name: string): string | null {
  const found = headers.find((header) => header.name.toLowerCase() === name);
  return found !== undefined && 'value' in found ? found.value : null;
}

function firstNotice(users: readonly DeletionUser[]) {
  for (const { cells } of users) for (const { message } of cells) if (message !== null) return message;
  return null;
}
