import type { RetryRules } from './rules.ts';

/**
 * Milliseconds of the retry clock to wait after round `round` (from 1) of a message (decisions, Delivery); null when
 * no round follows this one. baseMs x factor^(round-1), at most maxMs, then plus or minus the jitter: with the
 * defaults 10 s, 20 s, 40 s, ... 640 s, 1,200 s, 1,200 s, each by up to 20 % shorter or longer. The jitter comes
 * after the cap: before the cap, half of a large wave would fall on exactly 20 minutes.
 *
 * The jitter is drawn from seed, message and round alone: the same message waits the same time after a restart, and
 * nothing has to be stored.
 */
export function waitAfterRound(rules: RetryRules, messageRow: number, round: number): number | null {
  const nominal = nominalWait(rules, round);
  if (nominal === null) return null;
  const swing = (2 * chanceOf(rules.seed, messageRow, round) - 1) * rules.jitter;
  return Math.round(nominal * (1 + swing));
}

/** {@link waitAfterRound} without jitter: what the settings draw. */
export function nominalWait(rules: RetryRules, round: number): number | null {
  if (rules.waitsMs !== undefined) return rules.waitsMs[round - 1] ?? null;
  if (rules.baseMs <= 0) return 0;
  return Math.min(rules.baseMs * rules.factor ** (round - 1), rules.maxMs);
}

/** Uniform in [0, 1) and the same for the same three numbers. */
function chanceOf(seed: number, messageRow: number, round: number): number {
  let state = 0x9e3779b9;
  for (const part of [seed, messageRow, round]) {
    const whole = Math.trunc(part);
    state = mixed(state ^ (whole % 2 ** 32));
    state = mixed(state ^ Math.trunc(whole / 2 ** 32));
  }
  return state / 2 ** 32;
}

/** A 32-bit mix in which each bit of the input turns about half the bits of the output. */
function mixed(value: number): number {
  let bits = (value + 0x6d2b79f5) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x297a2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/**
 * Milliseconds that a Retry-After header asks for, or null when it says nothing usable.
 * Whole seconds, or an HTTP date (which is compared with `wallNow`, epoch milliseconds; a past date gives 0).
 * A minus sign, a fraction, an exponent or words give null, as if the header were absent.
 */
export function parseRetryAfter(value: string | undefined, wallNow: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  // More digits than a double holds exactly cannot mean anything but "after the window".
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(text);
  return at === null ? null : Math.max(0, at - wallNow);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const RFC_850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** The three forms of RFC 9110, section 5.6.7; Date.parse would accept a great deal more. */
function parseHttpDate(text: string): number | null {
  const fixed = IMF_FIXDATE.exec(text);
  if (fixed) return epochOf(fixed[3], fixed[2], fixed[1], fixed.slice(4));
  const old = RFC_850.exec(text);
  // A year of two digits means 1970 to 2069, because the header always names a time near now.
  if (old) return epochOf(Number(old[3]) < 70 ? `20${old[3]}` : `19${old[3]}`, old[2], old[1], old.slice(4));
  const c = ASCTIME.exec(text);
  if (c) return epochOf(c[6], c[1], c[2], c.slice(3, 6));
  return null;
}

function epochOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time: readonly string[],
): number | null {
  const monthIndex = MONTHS.indexOf(month ?? '');
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  if (monthIndex < 0 || hours > 23 || minutes > 59 || seconds > 60) return null;
  const dayOfMonth = Number(day);
  const midnight = Date.UTC(Number(year), monthIndex, dayOfMonth);
  // Date.UTC rolls 31 February over into March.
  if (!Number.isFinite(midnight) || new Date(midnight).getUTCDate() !== dayOfMonth) return null;
  return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
