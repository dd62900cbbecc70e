/** What became of one message, by its tries and by what its client's policy makes one expect. */
import type { TriedState } from '../../contract/faults.ts';
import { isPage } from './answers.ts';
import { expectedOf, type Policy, waitRange } from './policies.ts';
import type { TriedRequest } from './tries.ts';

/** How long a retry is waited for when no policy says more, in milliseconds. */
const UNKNOWN_WAIT_MS = 120_000;
/** Longer than the wait itself a retry may take to come. */
const LATE_FACTOR = 1.5;
const LATE_MS = 5_000;

/** One message and the requests that brought it, oldest first. */
export interface TriedMessage {
  readonly messageId: string;
  readonly requests: readonly TriedRequest[];
  readonly storedTimes: number;
  readonly state: TriedState;
}

/** Of a message that was never taken: whether its client may still come with it. */
export function stateOf(requests: readonly TriedRequest[], policy: Policy | null, nowMono: number): TriedState {
  const last = requests.at(-1) as TriedRequest;
  if (last.ending === 'open') return 'waiting';
  const quiet = nowMono - last.until;
  if (policy === null) return quiet > UNKNOWN_WAIT_MS ? 'lost' : 'waiting';
  if (['success', 'dropped'].includes(expectedOf(policy, last.status, isReadable(last)))) return 'lost';
  if (policy.tries !== null && countedTries(requests, policy) >= policy.tries.max) return 'lost';
  const longest = honouredWait(last, policy) ?? waitRange(policy, requests.length)?.[1] ?? UNKNOWN_WAIT_MS;
  return quiet > longest * LATE_FACTOR + LATE_MS ? 'lost' : 'waiting';
}

/** Whether the body of its answer was JSON, as the client saw it: that its calls were taken does not make it so. */
export const isReadable = ({ fault }: TriedRequest): boolean =>
  fault?.kind !== 'empty' && !(fault?.kind === 'content_type' && isPage(fault.contentType));

/** Milliseconds that the policy says this answer's Retry-After is waited, or null when it says nothing of it. */
export function honouredWait({ fault, status }: TriedRequest, policy: Policy): number | null {
  const { retryAfter: rule } = policy;
  if (fault?.kind !== 'status' || fault.retryAfter === null || rule === null) return null;
  if (!rule.forms.includes(fault.retryAfterForm) || (rule.only !== null && rule.only !== status)) return null;
  return Math.min(Math.max(fault.retryAfter, rule.minSeconds), rule.maxSeconds) * 1000;
}

/** Tries that count towards the policy's limit. */
export function countedTries(requests: readonly TriedRequest[], policy: Policy): number {
  if (policy.retryAfter?.counted !== false) return requests.length;
  return requests.length - requests.filter((request) => honouredWait(request, policy) !== null).length;
}

/** Whether it came again after it had been taken. */
export function wasRepeated({ requests }: TriedMessage): boolean {
  const first = requests.findIndex(({ taken }) => taken);
  return first !== -1 && first < requests.length - 1;
}
