/** How numbers, times and sizes are written (design/ui, section 12). Times are epoch milliseconds. */

export type TimeZone = 'local' | 'utc';
let zone: TimeZone = 'local';

/** Sets the zone of every time and day formatted from now on (Settings, Appearance). */
export function setTimeZone(next: TimeZone): void {
  zone = next;
}

/** ` UTC` when times are UTC, otherwise empty: local time needs no name. */
export const zoneMark = (): string => (zone === 'utc' ? ' UTC' : '');

const MINUS = '\u2212';
const two = (n: number): string => String(n).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:32:41.907`, 24 h. */
export function formatTime(ms: number): string {
  if (zone === 'utc') return formatIso(ms).slice(11, 23);
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** `14:32:41`, without milliseconds. */
export const formatClock = (ms: number): string => formatTime(ms).slice(0, 8);

/** `20 Nov 2026`. */
export function formatDay(ms: number): string {
  const at = new Date(ms);
  if (zone === 'utc') return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  return `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
}

/** `20 Nov 2026, 14:12:40.107`, followed by `UTC` when that is the zone. */
export const formatDateTime = (ms: number): string => `${formatDay(ms)}, ${formatTime(ms)}${zoneMark()}`;

/** ISO 8601 in UTC with milliseconds, for tooltips and copies. */
export const formatIso = (ms: number): string => new Date(ms).toISOString();

/** True when both fall on one day. */
export const sameDay = (a: number, b: number): boolean => formatDay(a) === formatDay(b);

/** `14:32:41` on the day of `now`, `18 Nov, 09:12:40` in its year, otherwise `18 Nov 2025`; the whole time stands in a hint. */
export function formatShortTime(at: number, now: number): string {
  if (sameDay(at, now)) return formatClock(at);
  const day = formatDay(at);
  const [date, year] = [day.slice(0, -5), day.slice(-4)];
  return formatDay(now).endsWith(year) ? `${date}, ${formatClock(at)}` : day;
}

/** `now`, `4 s ago`, `12 min ago`, `3 h ago`, `5 days ago`; only for secondary places. */
export function formatAgo(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 day ago' : `${formatCount(days)} days ago`;
}

/** Offset from the first attempt: `at once`, `+10 s`, `+1 min 40 s`, `+2 h 05 min`. */
export function formatOffset(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds === 0) return 'at once';
  return `${ms < 0 ? MINUS : '+'}${wholeSpan(seconds)}`;
}

/** A planned length of time: `10 s`, `20 min`, `4 h`, `1 h 30 min`, `3 days`. */
export function formatSpan(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds >= 172_800 && seconds % 86_400 === 0) return `${seconds / 86_400} days`;
  return wholeSpan(seconds);
}

function wholeSpan(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const rest = minutes % 60;
  return rest === 0
    ? `${formatCount(Math.floor(minutes / 60))} h`
    : `${formatCount(Math.floor(minutes / 60))} h ${two(rest)} min`;
}

/** `0:12`, `12:40`, `1:04:09`; `now` below 1 s. */
export function formatCountdown(ms: number): string {
  if (ms < 1000) return 'now';
  const total = Math.floor(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Measured time: `0.4 ms`, `184 ms`, `1.24 s`, `1 min 12 s`. */
export function formatDuration(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  return wholeSpan(Math.round(ms / 1000));
}

const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** `313 B`, `41.2 KB`, `48.2 MB`; 1 KB = 1,024 B, as the limits count. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text = value >= 99.95 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
  return `${text} ${UNITS[unit]}`;
}

/** `42,189 bytes`, for tooltips. */
export const formatExactSize = (bytes: number): string => (bytes === 1 ? '1 byte' : `${formatCount(bytes)} bytes`);

/** Bytes of a text as UTF-8. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** `12,408`; negative with U+2212. */
export function formatCount(n: number): string {
  const digits = String(Math.abs(Math.trunc(n))).replace(/\B(?=(\d{3})+$)/g, ',');
  return n < 0 ? `${MINUS}${digits}` : digits;
}

/** For badges: commas, shortened from 100,000 (`128K`, `1.2M`). */
export function formatCountShort(n: number): string {
  if (n < 100_000) return formatCount(n);
  if (n < 1_000_000) return `${Math.floor(n / 1000)}K`;
  const millions = Math.floor(n / 100_000) / 10;
  return `${millions >= 10 ? Math.floor(millions) : String(millions)}M`;
}

/** `83%`, and one decimal above 90% (`99.5%`) and below 1% (`0.2%`, `<0.1%`); never rounds up to 100% or down to 0%. */
export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return '0%';
  const percent = (part / whole) * 100;
  if (percent === 0 || percent === 100) return `${percent}%`;
  if (percent > 90) return `${Math.min(99.9, Math.round(percent * 10) / 10)}%`;
  if (percent < 0.1) return '<0.1%';
  return percent < 1 ? `${Math.round(percent * 10) / 10}%` : `${Math.round(percent)}%`;
}

/** `1 message`, `12 messages`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${formatCount(n)} ${n === 1 ? one : many}`;

/** `9d41…07aa` for ids over 12 characters. */
export const shortId = (id: string): string => (id.length <= 12 ? id : `${id.slice(0, 4)}\u2026${id.slice(-4)}`);

/** Keeps both ends of a long text such as a URL: `https://a.test/ho…/segment`. */
export function middleEllipsis(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor((max - 1) / 3);
  return `${text.slice(0, max - 1 - tail)}\u2026${text.slice(-tail)}`;
}

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
