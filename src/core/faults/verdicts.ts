/**
 * Compares what was measured with what is published: one line for each thing that a policy says (docs/faults.md,
 * Report).
 */
import { actionText } from '../../contract/fault-words.ts';
import type { ReportLine, Verdict } from '../../contract/faults.ts';
import type { Policy } from './policies.ts';
import { type Expected, expectedOf, waitRange } from './policy-rules.ts';
import { rangeText, retryAfterText, secondsText, triesText, waitsText } from './policy-words.ts';
import { countedTries, honouredWait, isReadable, type TriedMessage, wasRepeated } from './tried-message.ts';
import type { TriedRequest } from './tries.ts';

/** A request, and the one in which its client retried. */
interface Step {
  readonly before: TriedRequest;
  readonly next: TriedRequest;
  /** The number of this retry, not counting retries after an honoured Retry-After. */
  readonly retry: number;
  readonly waitMs: number;
}

/** Clients' timers fire a millisecond or two early, and late under load. */
const EARLY_MS = 50;
const LATE_MS = 500;
const LATE_SHARE = 0.15;

/**
 * `unread`: some requests of the client belong to no message's tries, so a step may stand for more than one request.
 */
export function reportLines(messages: readonly TriedMessage[], policy: Policy | null, unread: boolean): ReportLine[] {
  const steps = stepsOf(messages, policy, unread);
  return [
    ...answerLines(messages, policy),
    ...retryAfterLines(steps, policy),
    ...waitLines(steps, policy),
    ...retriesLines(messages, policy),
    ...retryCountLines(messages, policy, unread),
    ...timeoutLines(messages, policy),
    storedOnceLine(messages),
  ];
}

const verdictOf = (policy: Policy | null, verdict: Verdict): Verdict => (policy === null ? 'no_policy' : verdict);

/** The messages of one batch share their requests, so each pair counts once. */
function stepsOf(messages: readonly TriedMessage[], policy: Policy | null, unread: boolean): Step[] {
  const known = new Map<TriedRequest, Step>();
  for (const { requests } of messages) {
    let retry = unread ? (requests[0]?.retryCount ?? 0) : 0;
    for (const [i, next] of requests.entries()) {
      const before = requests[i - 1];
      if (before === undefined || before.ending === 'open') continue;
      if (policy === null || policy.retryAfter?.counted !== false || honouredWait(before, policy) === null) retry += 1;
      if (unread) {
        const by = (next.retryCount ?? 0) - (before.retryCount ?? 0);
        retry += Math.max(0, by - 1);
        if (by !== 1) continue;
      }
      if (!known.has(next)) known.set(next, { before, next, retry, waitMs: next.from - before.until });
    }
  }
  return [...known.values()];
}

// What became of each answer

function answerName({ status, ending, fault }: TriedRequest): string {
  if (ending === 'reset') return 'Connection reset';
  if (ending === 'closed') return 'Closed without an answer';
  if (ending === 'client_left') return 'No answer in its time';
  if (fault?.kind === 'empty' || fault?.kind === 'content_type') return `Answer: ${actionText(fault)}`;
  return `Answer ${status}`;
}

function answerLines(messages: readonly TriedMessage[], policy: Policy | null): ReportLine[] {
  const groups = new Map<
    string,
    { again: Set<TriedRequest>; last: Map<TriedRequest, TriedMessage>; open: Set<TriedRequest> }
  >();
  for (const message of messages)
    for (const [i, request] of message.requests.entries()) {
      const plain = request.fault === null || request.fault.kind === 'delay' || request.fault.kind === 'drip';
      if (request.ending === 'open' || (request.status === 200 && plain)) continue;
      const name = answerName(request);
      const group = groups.get(name) ?? { again: new Set(), last: new Map(), open: new Set() };
      groups.set(name, group);
      if (i < message.requests.length - 1) group.again.add(request);
      else if (message.state === 'waiting') group.open.add(request);
      else group.last.set(request, message);
    }
  return [...groups].map(([what, { again, last, open }]) => {
    const sample = [...again, ...last.keys(), ...open][0] as TriedRequest;
    const expected = policy === null ? 'unknown' : expectedOf(policy, sample.status, isReadable(sample));
    const early = [...last].filter(([, { requests }]) => policy !== null && !exhausted(requests, policy)).length;
    const parts = [
      again.size > 0 ? `retried ${again.size}×` : '',
      last.size > 0 ? `not retried ${last.size}×` : '',
      open.size > 0 ? `${open.size} may still be` : '',
    ];
    return {
      what,
      measured: parts.filter((part) => part !== '').join(', '),
      policy: policy === null ? null : EXPECTED_WORDS[expected],
      verdict: verdictOf(policy, answerVerdict(expected, again.size, last.size, early)),
    };
  });
}

const EXPECTED_WORDS = {
  success: 'counts as success',
  dropped: 'gives the message up',
  retried: 'retries',
  unknown: 'says nothing',
} as const;

function answerVerdict(expected: keyof typeof EXPECTED_WORDS, again: number, ended: number, early: number): Verdict {
  if (expected === 'unknown') return 'unseen';
  if (expected === 'retried') return early > 0 ? 'differs' : again > 0 || ended > 0 ? 'ok' : 'unseen';
  return again > 0 ? 'differs' : ended > 0 ? 'ok' : 'unseen';
}

const exhausted = (requests: readonly TriedRequest[], policy: Policy): boolean =>
  policy.tries !== null && countedTries(requests, policy) >= policy.tries.min;

// Waits

function retryAfterLines(steps: readonly Step[], policy: Policy | null): ReportLine[] {
  const bySeconds = new Map<string, Step[]>();
  for (const step of steps) {
    const { fault } = step.before;
    if (fault?.kind !== 'status' || fault.retryAfter === null) continue;
    const name = `Retry-After ${fault.retryAfter}${fault.retryAfterForm === 'date' ? ' as a date' : ''} on ${fault.status}`;
    bySeconds.set(name, [...(bySeconds.get(name) ?? []), step]);
  }
  return [...bySeconds].map(([name, group]) => ({
    what: `Wait after ${name}`,
    measured: `${spread(group.map(({ waitMs }) => waitMs))} after ${name.replace(/ on \d+$/, '')}${howMany(group)}`,
    policy: policy === null ? null : retryAfterText(policy),
    verdict: verdictOf(policy, retryAfterVerdict(group, policy)),
  }));
}

/** Honoured: the client waited as long as the header says. Ignored: it waited as long as it always does. */
function retryAfterVerdict(group: readonly Step[], policy: Policy | null): Verdict {
  if (policy === null) return 'no_policy';
  const judged = group.map((step) => {
    const asked = honouredWait(step.before, policy);
    return asked === null ? inRange(step, policy) : isWithin(step.waitMs, asked, asked);
  });
  if (judged.includes(false)) return 'differs';
  return judged.includes(true) ? 'ok' : 'unseen';
}

function waitLines(steps: readonly Step[], policy: Policy | null): ReportLine[] {
  const own = steps.filter(({ before }) => policy === null || honouredWait(before, policy) === null);
  if (own.length === 0) return [];
  const byRetry = new Map<number, number[]>();
  for (const { retry, waitMs } of own) byRetry.set(retry, [...(byRetry.get(retry) ?? []), waitMs]);
  const shown = [...byRetry].sort(([a], [b]) => a - b).slice(0, 10);
  const numbers = shown.map(([retry]) => retry);
  const [first = 1, last = 1] = [numbers[0], numbers.at(-1)];
  // Unless every retry from the first on was seen, each is named by its number.
  const whole = first === 1 && last === numbers.length;
  const waitText = ([retry, waits]: readonly [number, readonly number[]]): string =>
    `${whole ? '' : `retry ${retry}: `}${spread(waits)}`;
  const judged = own.map((step) => (policy === null ? null : inRange(step, policy)));
  const verdict = judged.includes(false) ? 'differs' : judged.includes(true) ? 'ok' : 'unseen';
  return [
    {
      what: 'Waits of its own',
      measured: shown.map(waitText).join('; '),
      policy: policy === null ? null : waitsText(policy, first, last),
      verdict: verdictOf(policy, verdict),
    },
  ];
}

/** Null when the policy says nothing about this wait. */
function inRange({ retry, waitMs }: Step, policy: Policy): boolean | null {
  const range = waitRange(policy, retry);
  return range === null ? null : isWithin(waitMs, range[0], range[1]);
}

const isWithin = (waitMs: number, lowMs: number, highMs: number): boolean =>
  waitMs >= lowMs - EARLY_MS && waitMs <= highMs * (1 + LATE_SHARE) + LATE_MS;

const spread = (waits: readonly number[]): string => rangeText(Math.min(...waits), Math.max(...waits));

const howMany = (waits: readonly unknown[]): string => (waits.length === 1 ? '' : `, ${waits.length} waits`);

// Retries, their header, the time a client waits

function retriesLines(messages: readonly TriedMessage[], policy: Policy | null): ReportLine[] {
  if (messages.length === 0) return [];
  const retries = (message: TriedMessage): number =>
    (policy === null ? message.requests.length : countedTries(message.requests, policy)) - 1;
  const most = Math.max(0, ...messages.map((message) => message.requests.length - 1));
  const lost = messages.filter((message) => message.state === 'lost');
  const tired = lost.filter((message) => lastExpected(message, policy) === 'retried');
  const text = `${most} ${most === 1 ? 'retry' : 'retries'} at most`;
  return [
    {
      what: 'Retries',
      measured: `${text}, ${lossText(lost, policy)}`,
      policy: policy === null ? null : triesText(policy),
      verdict: verdictOf(policy, retriesVerdict(messages.map(retries), tired.map(retries), policy)),
    },
  ];
}

/** Whether the policy retries the last answer. If it does, the client stopped because it had used up its tries. */
function lastExpected({ requests }: TriedMessage, policy: Policy | null): Expected {
  const last = requests.at(-1) as TriedRequest;
  return policy === null ? 'retried' : expectedOf(policy, last.status, isReadable(last));
}

/** How the lost messages ended for the client: it gave them up, or took an answer for success. */
function lossText(lost: readonly TriedMessage[], policy: Policy | null): string {
  const believed = lost.filter((message) => lastExpected(message, policy) === 'success').length;
  const parts = [
    lost.length > believed ? `gave ${lost.length - believed} up` : '',
    believed > 0 ? `took ${believed} for sent` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'never gave up' : parts.join(', ');
}

function retriesVerdict(all: readonly number[], gaveUp: readonly number[], policy: Policy | null): Verdict {
  if (policy === null || policy.tries === null) return 'unseen';
  const { min, max } = policy.tries;
  if (all.some((retries) => retries > max - 1) || gaveUp.some((retries) => retries < min - 1)) return 'differs';
  return gaveUp.length > 0 ? 'ok' : 'unseen';
}

function retryCountLines(messages: readonly TriedMessage[], policy: Policy | null, unread: boolean): ReportLine[] {
  const retries = new Map<TriedRequest, TriedRequest>();
  for (const { requests } of messages)
    for (const [i, request] of requests.entries()) if (i > 0) retries.set(request, requests[i - 1] as TriedRequest);
  const retried = [...retries];
  if (retried.length === 0) return [];
  const withHeader = retried.filter(([{ retryCount }]) => retryCount !== null);
  const right = withHeader.filter(([request, before]) => countsUp(request, before, unread));
  const all = right.length === retried.length;
  const measured =
    withHeader.length === 0
      ? 'not sent'
      : all
        ? `sent, counts up${unread ? '' : ' by one'}`
        : `right on ${right.length} of ${retried.length}`;
  const ok = policy?.sendsRetryCount === true ? all : withHeader.length === 0;
  return [
    {
      what: 'X-Retry-Count',
      measured,
      policy: policy === null ? null : policy.sendsRetryCount ? 'sends it' : 'does not send it',
      verdict: verdictOf(policy, ok ? 'ok' : 'differs'),
    },
  ];
}

function countsUp(request: TriedRequest, before: TriedRequest, unread: boolean): boolean {
  const by = (request.retryCount ?? 0) - (before.retryCount ?? 0);
  return unread ? by >= 1 : by === 1;
}

function timeoutLines(messages: readonly TriedMessage[], policy: Policy | null): ReportLine[] {
  const all = new Set(messages.flatMap(({ requests }) => requests));
  const left = [...all].filter(({ ending }) => ending === 'client_left').map(({ from, until }) => until - from);
  const longest = Math.max(
    0,
    ...[...all].filter(({ fault }) => isSlow(fault?.kind)).map(({ from, until }) => until - from),
  );
  if (left.length === 0 && longest === 0) return [];
  const limit = policy?.timeoutMs ?? null;
  const seen = left.length > 0 ? left.every((ms) => limit !== null && isWithin(ms, limit, limit)) : null;
  const stayed = limit !== null && longest > limit * (1 + LATE_SHARE) + LATE_MS;
  const verdict: Verdict =
    limit === null ? 'unseen' : seen === null ? (stayed ? 'differs' : 'unseen') : seen ? 'ok' : 'differs';
  return [
    {
      what: 'Its own time limit',
      measured: left.length > 0 ? `left after ${spread(left)}` : `waited ${secondsText(longest)} and did not leave`,
      policy: policy === null ? null : limit === null ? 'says nothing' : `leaves after ${secondsText(limit)}`,
      verdict: verdictOf(policy, verdict),
    },
  ];
}

const isSlow = (kind: string | undefined): boolean => kind === 'delay' || kind === 'stall' || kind === 'drip';

function storedOnceLine(messages: readonly TriedMessage[]): ReportLine {
  const again = messages.filter(wasRepeated);
  const twice = messages.filter(({ storedTimes }) => storedTimes > 1).length;
  const came =
    again.length === 0 ? 'none came again after it was stored' : `${again.length} came again after being stored`;
  return {
    what: 'Stored once',
    measured: `${came}, ${twice} stored twice`,
    policy: 'each messageId once (Hookbench)',
    verdict: twice > 0 ? 'differs' : messages.length === 0 || again.length === 0 ? 'unseen' : 'ok',
  };
}
