/** Policies in words. */
import type { Policy } from './policies.ts';
import { waitRange } from './policy-rules.ts';

/** `450 ms`, `2.0 s`, `10.0 s`, `120 s`. */
export function secondsText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return `${ms < 100_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
}

/** `1.0 to 2.0 s`, or one number when both read the same. */
export function rangeText(lowMs: number, highMs: number): string {
  const [low, high] = [secondsText(lowMs), secondsText(highMs)];
  if (low === high) return low;
  const unit = /\D+$/.exec(high)?.[0] ?? '';
  return `${low.endsWith(` ${unit.trim()}`) ? low.slice(0, low.lastIndexOf(' ')) : low} to ${high}`;
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

/** The ranges before the retries from `first` to `last`: `1.0 to 2.0 s; 2.0 to 4.0 s`. */
export function waitsText(policy: Policy, first: number, last: number): string {
  if (policy.waits === null) return policy.note ?? 'says nothing';
  const parts: string[] = [];
  for (let n = first; n <= Math.min(last, first + 9); n += 1)
    parts.push(rangeText(...(waitRange(policy, n) as readonly [number, number])));
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

/** The whole policy in a few lines. */
export function policySummary(policy: Policy): string[] {
  const { note, timeoutMs } = policy;
  return [
    answersText(policy),
    `Gives up after ${triesText(policy)}; ${policy.waits === null ? 'its waits are not known' : `waits ${waitsText(policy, 1, 3)} and so on`}.`,
    `Retry-After: ${retryAfterText(policy)}.`,
    ...(timeoutMs === null ? [] : [`Leaves after ${secondsText(timeoutMs)} without an answer.`]),
    ...(note === undefined ? [] : [note]),
  ];
}
