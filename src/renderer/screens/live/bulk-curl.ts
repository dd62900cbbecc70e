/** Copies the curl commands of many messages, a few at a time, with progress and Stop. */

import { useEffect, useRef, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import { copyText } from '../../lib/copy.ts';
import { plural } from '../../lib/format.ts';
import { curlOfId } from '../../message/row-actions.ts';
import { showCopyRefused } from '../../stores/copied.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';

/** How many messages are asked for at once. */
const AT_ONCE = 8;

export interface BulkCurl {
  /** How many messages were read, or null while nothing is copied. */
  readonly done: number | null;
  readonly of: number;
  readonly copy: (ids: readonly number[]) => void;
  readonly stop: () => void;
}

export function useBulkCurl(): BulkCurl {
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const stopped = useRef(false);
  // Also when the bar goes away.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const copy = async (ids: readonly number[]) => {
    stopped.current = false;
    try {
      const curls: string[] = [];
      for (let at = 0; at < ids.length && !stopped.current; at += AT_ONCE) {
        setProgress({ done: at, of: ids.length });
        const found = await Promise.all(ids.slice(at, at + AT_ONCE).map(curlUnlessGone));
        curls.push(...found.filter((curl) => curl !== null));
      }
      if (!stopped.current) await copyAll(curls, ids.length);
    } catch (error) {
      showFailure('copy as curl', error);
    } finally {
      setProgress(null);
    }
  };
  return {
    done: progress?.done ?? null,
    of: progress?.of ?? 0,
    copy: (ids) => void copy(ids),
    stop: () => {
      stopped.current = true;
    },
  };
}

/** Null also for a message that was removed meanwhile. */
async function curlUnlessGone(id: number): Promise<string | null> {
  try {
    return await curlOfId(id);
  } catch (error) {
    if (error instanceof ContractError && error.code === 'message_not_found') return null;
    throw error;
  }
}

async function copyAll(curls: readonly string[], wanted: number): Promise<void> {
  const missing = wanted - curls.length;
  if (curls.length === 0) {
    showToast({ title: 'None of these messages has anything to send' });
    return;
  }
  if (!(await copyText(`${curls.join('\n\n')}\n`))) {
    showCopyRefused();
    return;
  }
  showToast({
    title: `${plural(curls.length, 'curl command')} copied`,
    body: missing === 0 ? undefined : `${plural(missing, 'message')} had nothing to send.`,
  });
}
