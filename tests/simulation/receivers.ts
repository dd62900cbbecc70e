/** Receivers without sockets. Each answers as its behaviour says, after simulated time. */
import type { AttemptReason, AttemptResult } from '../../src/core/model/attempt.ts';
import { outcomeOfStatus } from '../../src/core/model/attempt.ts';
import type { Header } from '../../src/core/model/header.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import type { AttemptRequest } from '../../src/core/ports.ts';
import { result } from '../helpers/sim-transport.ts';
import type { Dice } from './dice.ts';
import { type Asks, odd } from './retry-after.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What a receiver does with one request. */
export interface Ending {
  readonly afterMs: number;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly reason: AttemptReason | null;
  readonly headers: readonly Header[];
  /** The true wait of its Retry-After. */
  readonly asks: Asks;
}

export interface Moment {
  /** Real milliseconds since the world began. */
  readonly at: number;
  readonly wall: number;
}

/** Randomness comes from the receiver's own dice. */
export type Behaviour = (moment: Moment, dice: Dice) => Ending;

export const status = (code: number, afterMs: number): Ending => ({
  afterMs,
  outcome: outcomeOfStatus(code),
  status: code,
  reason: null,
  headers: [],
  asks: () => null,
});

const broken = (outcome: Outcome, reason: AttemptReason | null, afterMs: number): Ending => ({
  afterMs,
  outcome,
  status: null,
  reason,
  headers: [],
  asks: () => null,
});

const NEVER = Number.MAX_SAFE_INTEGER;
const quick = (dice: Dice): number => dice.between(1, 120);
const ok = (dice: Dice): Ending => status(dice.pick([200, 200, 200, 201, 202, 204]), quick(dice));
const failing = (dice: Dice): Ending => status(dice.pick([500, 500, 502, 503, 504, 599]), quick(dice));

function asking(code: number, { wall }: Moment, dice: Dice): Ending {
  const { value, asks } = odd(dice, wall);
  return { ...status(code, quick(dice)), headers: [['Retry-After', value]], asks };
}

const until =
  (ms: number, bad: Behaviour): Behaviour =>
  (moment, dice) =>
    moment.at < ms ? bad(moment, dice) : ok(dice);

/** Every kind; `name` shows in the log. */
const KINDS: Readonly<Record<string, (dice: Dice) => Behaviour>> = {
  good: () => (_moment, dice) => ok(dice),
  slowGood: () => (_moment, dice) => status(200, dice.between(1_500, 4_900)),
  flaky: (dice) => {
    const p = 0.2 + 0.6 * dice.next();
    return (_moment, own) => (own.chance(p) ? failing(own) : ok(own));
  },
  downForMinutes: (dice) => until(dice.between(1, 30) * MINUTE, (_moment, own) => failing(own)),
  downForHours: (dice) => until(dice.between(1, 3) * HOUR, (_moment, own) => failing(own)),
  downUntilTheLastMinute: () => until(4 * HOUR - MINUTE, (_moment, own) => failing(own)),
  downForEver: () => (_moment, own) => failing(own),
  declines: () => (_moment, own) => status(own.pick([400, 401, 404, 410, 413, 422]), quick(own)),
  declinesSome: () => (_moment, own) => (own.chance(0.5) ? status(400, quick(own)) : failing(own)),
  redirects: () => (_moment, own) => status(own.pick([301, 302, 303, 307, 308]), quick(own)),
  throttles: (dice) =>
    until(dice.between(1, 90) * MINUTE, (moment, own) => asking(own.pick([429, 408, 503]), moment, own)),
  throttlesForEver: () => (moment, own) => asking(own.pick([429, 503]), moment, own),
  selfSigned: () => (_moment, own) => broken('refused_certificate', 'self_signed', quick(own)),
  selfSignedAtFirst: (dice) =>
    until(dice.between(1, 60) * MINUTE, (_moment, own) => broken('refused_certificate', 'self_signed', quick(own))),
  noName: (dice) =>
    until(dice.between(1, 60) * MINUTE, (_moment, own) => broken('no_connection', 'dns_failed', quick(own))),
  refuses: (dice) =>
    until(dice.between(1, 120) * MINUTE, (_moment, own) => broken('no_connection', 'connection_refused', quick(own))),
  resets: () => (_moment, own) => (own.chance(0.4) ? broken('no_connection', 'connection_reset', quick(own)) : ok(own)),
  tooSlow: (dice) => until(dice.between(1, 60) * MINUTE, (_moment, own) => status(200, own.between(5_200, 9_000))),
  silent: (dice) => until(dice.between(5, 60) * MINUTE, () => broken('timed_out', null, NEVER)),
  silentForEver: () => () => broken('timed_out', null, NEVER),
  flapping: (dice) => {
    const period = dice.between(1, 20) * MINUTE;
    return (moment, own) => (Math.floor(moment.at / period) % 2 === 0 ? failing(own) : ok(own));
  },
  nonsense: (dice) =>
    until(dice.between(1, 30) * MINUTE, (_moment, own) =>
      own.chance(0.5)
        ? status(own.pick([100, 600, 999]), quick(own))
        : broken('no_connection', 'invalid_response', quick(own)),
    ),
  anything: () => (moment, own) => {
    switch (own.below(8)) {
      case 0:
        return ok(own);
      case 1:
        return status(404, quick(own));
      case 2:
        return asking(429, moment, own);
      case 3:
        return broken('refused_certificate', 'self_signed', quick(own));
      case 4:
        return broken('no_connection', 'connection_refused', quick(own));
      case 5:
        return broken('timed_out', null, NEVER);
      default:
        return failing(own);
    }
  },
};

/** Kinds that keep a message retrying for the whole window. They cost most, so they are drawn less often. */
const LONG = ['downForHours', 'downUntilTheLastMinute', 'downForEver', 'throttlesForEver', 'silentForEver'];
const SHORT = Object.keys(KINDS).filter((kind) => !LONG.includes(kind));

export interface Receiver {
  readonly name: string;
  readonly isLong: boolean;
  answer(moment: Moment): Ending;
}

export function drawReceiver(dice: Dice): Receiver {
  return receiverOf(dice.pick(dice.chance(0.18) ? LONG : SHORT), dice);
}

export function receiverOf(name: string, dice: Dice): Receiver {
  const isLong = LONG.includes(name);
  const own = dice.fork();
  const behave = KINDS[name]!(own);
  return { name, isLong, answer: (moment) => behave(moment, own) };
}

/** The transport's result for an ending. The limit always wins (I5). */
export function resultOf(ending: Ending, request: AttemptRequest): { afterMs: number; result: AttemptResult } {
  const isLate = ending.afterMs > request.limitMs;
  const afterMs = isLate ? request.limitMs : ending.afterMs;
  const outcome = isLate ? 'timed_out' : ending.outcome;
  const isAnswered = !isLate && ending.status !== null;
  const sent: readonly Header[] =
    outcome === 'refused_certificate'
      ? []
      : [['Host', new URL(request.url).host], ...request.headers, ['Content-Length', String(request.body.length)]];
  return {
    afterMs,
    result: {
      ...INTERRUPTED,
      outcome,
      reason: isLate ? null : ending.reason,
      status: isAnswered ? ending.status : null,
      requestHeaders: sent,
      responseHeaders: isAnswered ? ending.headers : [],
      durationMs: afterMs,
    },
  };
}

/** How the transport ends open attempts when it is closed. */
export const INTERRUPTED: AttemptResult = result('interrupted', { requestHeaders: [], durationMs: 0 });
