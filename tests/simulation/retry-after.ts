/** Retry-After headers in every form seen from receivers, and the true wait of each. */
import type { Dice } from './dice.ts';

/** The wait in milliseconds of a header read at `wall` (epoch milliseconds); null when it is unusable. */
export type Asks = (wall: number) => number | null;

export interface OddHeader {
  readonly value: string;
  readonly asks: Asks;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number): string => String(n).padStart(2, '0');

/** RFC 9110, section 5.6.7, implemented separately, so that the engine's parser does not judge itself. */
function httpDate(at: number): string {
  const date = new Date(at);
  const day = `${DAYS[date.getUTCDay()]}, ${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} GMT`;
}

const USELESS = [
  '-1',
  '1e99',
  '1.5',
  'soon',
  '',
  'Wed, 31 Feb 2025 10:00:00 GMT',
  '2025-01-15T12:00:00Z',
  '+30',
  '0x10',
];

const asksNothing: Asks = () => null;
const asksFor =
  (ms: number): Asks =>
  () =>
    ms;

function dated(at: number): OddHeader {
  const whole = Math.floor(at / 1_000) * 1_000;
  return { value: httpDate(whole), asks: (wall) => Math.max(0, whole - wall) };
}

/** `wall` is the time of the answer, epoch milliseconds. */
export function odd(dice: Dice, wall: number): OddHeader {
  switch (dice.below(8)) {
    case 0:
      return { value: dice.pick(USELESS), asks: asksNothing };
    case 1:
      return { value: '0', asks: asksFor(0) };
    case 2:
      return { value: dice.pick(['99999999999', '123456789012345678901234567890']), asks: asksFor(1e15) };
    case 3:
      return dated(wall - dice.between(1, 1_000) * 1_000);
    case 4:
      return dated(Date.UTC(2099, 11, 31));
    case 5:
      return dated(wall + dice.between(1, 7_200) * 1_000);
    case 6: {
      const seconds = dice.between(1, 20_000);
      return { value: ` ${seconds} `, asks: asksFor(seconds * 1_000) };
    }
    default: {
      const seconds = dice.between(1, 300);
      return { value: String(seconds), asks: asksFor(seconds * 1_000) };
    }
  }
}
