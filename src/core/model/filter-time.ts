/** Times in a filter, in the local time zone: `14:32`, `2026-01-31`, `2026-01-31T14:32:05.120`, with `Z` too, `10m` ago. */

const AGO = /^(\d{1,6})(s|m|h|d)$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)(?:T(.+?))?(Z|[+-]\d\d:\d\d)?$/;
const BEGUN = /^[\d:TZ.+-]*$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

interface Clock {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly ms: number;
}

function clockOf(text: string): Clock | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, hours, minutes, seconds = '0', fraction = '0'] = match;
  const ms = Number(fraction.padEnd(3, '0'));
  const clock = { hours: Number(hours), minutes: Number(minutes), seconds: Number(seconds), ms };
  return clock.hours < 24 && clock.minutes < 60 && clock.seconds < 60 ? clock : null;
}

/** `begun` when more letters may make it a time. */
export function readTime(text: string, now: number): number | 'begun' | null {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  const clock = clockOf(text);
  if (clock !== null) return lastTimeAt(clock, now);
  return readDay(text) ?? (BEGUN.test(text) ? 'begun' : null);
}

/** The last time that it was so late. */
function lastTimeAt({ hours, minutes, seconds, ms }: Clock, now: number): number {
  const at = new Date(now);
  at.setHours(hours, minutes, seconds, ms);
  if (at.getTime() > now) at.setDate(at.getDate() - 1);
  return at.getTime();
}

function readDay(text: string): number | null {
  const match = DAY.exec(text);
  if (match === null) return null;
  const [, year, month, day, time = '00:00', zone] = match;
  const clock = clockOf(time);
  if (clock === null) return null;
  const { hours, minutes, seconds, ms } = clock;
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, minutes, seconds, ms);
  // The 31st of a month that has 30 days is in another month.
  if (new Date(utc).getUTCMonth() !== Number(month) - 1) return null;
  if (zone !== undefined) return utc - offsetMs(zone);
  return new Date(Number(year), Number(month) - 1, Number(day), hours, minutes, seconds, ms).getTime();
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** As short as it can be, in local time. In UTC where local time is ambiguous. */
export function timeAsWritten(at: number): string {
  const date = new Date(at);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const ms = date.getMilliseconds();
  const seconds = date.getSeconds() === 0 && ms === 0 ? '' : `:${two(date.getSeconds())}`;
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`;
  const clock = `${minutes}${seconds}${fraction}`;
  const local = clock === '00:00' ? day : `${day}T${clock}`;
  return readDay(local) === at ? local : date.toISOString();
}
