/** Judges what became of one message, from its tries and from what its client's policy lets one expect. */
import type { TriedState } from '../../contract/faults.ts';
import { isPage } from './answers.ts';
import type { Policy } from './policies.ts';
import { expectedOf, waitRange } from './policy-rules.ts';
import type { TriedRequest } from './tries.ts';

/** How long it waits for a retry when no policy says more, in milliseconds. */
const UNKNOWN_WAIT_MS = 120_000;
/** How far a retry may come after the wait that the policy names: a factor, and milliseconds on top. */
const LATE_FACTOR = 1.5;
const LATE_MS = 5_000;

/** One message and the requests that brought it, oldest first. */
export interface TriedMessage {
  readonly messageId: string;
  readonly requests: readonly TriedRequest[];
  readonly storedTimes: number;
  readonly state: TriedState;
}

/** For a message that was never taken: whether its client may still retry it. */
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

/** Whether the client got JSON in the answer. A fault may spoil the body although ingest took the calls. */
export const isReadable = ({ fault }: TriedRequest): boolean =>
  fault?.kind !== 'empty' && !(fault?.kind === 'content_type' && isPage(fault.contentType));

/** How long the policy waits for this answer's Retry-After, in milliseconds, or null when it does not say. */
export function honouredWait({ fault, status }: TriedRequest, policy: Policy): number | null {
  const { retryAfter: rule } = policy;
  if (fault?.kind !== 'status' || fault.retryAfter === null || rule === null) return null;
  if (!rule.forms.includes(fault.retryAfterForm) || (rule.only !== null && rule.only !== status)) return null;
  return Math.min(Math.max(fault.retryAfter, rule.minSeconds), rule.maxSeconds) * 1000;
}

/** The tries that count towards the policy's limit. */
export function countedTries(requests: readonly TriedRequest[], policy: Policy): number {
  if (policy.retryAfter?.counted !== false) return requests.length;
  return requests.length - requests.filter((request) => honouredWait(request, policy) !== null).length;
}

/** Whether the client sent it again after ingest had taken it. */
export function wasRepeated({ requests }: TriedMessage): boolean {
  const first = requests.findIndex(({ taken }) => taken);
  return first !== -1 && first < requests.length - 1;
}
