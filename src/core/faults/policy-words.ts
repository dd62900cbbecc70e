/** Policies in words. */
import { type Policy, waitRange } from './policies.ts';

/** `450 ms`, `2.0 s`, `10.0 s`, `120 s`. */
export function secondsText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return `${ms < 100_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
}

export function retryAfterText({ retryAfter }: Policy): string {
  if (retryAfter === null) return 'ignores it';
  const { forms, only, counted, maxSeconds } = retryAfter;
  const parts = [
    only === null ? 'honours it' : `honours it on ${only}`,
    forms.length === 1 ? 'seconds only' : 'seconds or a date',
    maxSeconds < 86_400 ? `${maxSeconds} s at most` : '',
    counted ? '' : 'not counted as a retry',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The ranges before the first retries, as far as they were seen: `1: 1 to 2 s; 2: 2 to 4 s`. */
export function waitsText(policy: Policy, seen: number): string {
  if (policy.waits === null) return policy.note ?? 'says nothing';
  const parts: string[] = [];
  for (let n = 1; n <= Math.min(seen, 10); n += 1) {
    const [low, high] = waitRange(policy, n) as readonly [number, number];
    parts.push(`${n}: ${low === high ? secondsText(low) : `${secondsText(low)} to ${secondsText(high)}`}`);
  }
  return parts.join('; ');
}

export function triesText({ tries }: Policy): string {
  if (tries === null) return 'keeps it for later';
  if (tries.max === 1) return 'no retry';
  const [low, high] = [tries.min - 1, tries.max - 1];
  return low === high ? `${low} retries` : `${low} or ${high} retries`;
}

export function answersText({ success, dropped, retried }: Policy): string {
  const list = (ranges: readonly string[]): string => (ranges.length === 0 ? 'nothing' : ranges.join(' '));
  return `Success: ${list(success)}. Given up: ${list(dropped)}. Retried: ${list(retried)}.`;
}

/** A few lines that say all of it. */
export function policySummary(policy: Policy): string[] {
  const { note, timeoutMs } = policy;
  return [
    answersText(policy),
    `Gives up after ${triesText(policy)}; waits ${policy.waits === null ? 'are not known' : waitsText(policy, 3)}.`,
    `Retry-After: ${retryAfterText(policy)}.`,
    ...(timeoutMs === null ? [] : [`Leaves after ${secondsText(timeoutMs)} without an answer.`]),
    ...(note === undefined ? [] : [note]),
  ];
}
