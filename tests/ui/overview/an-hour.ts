/** An hour that the real engine has counted, in simulated time. */
import type { Config } from '../../../src/contract/config.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { answer, type Behaviour, type Reply, refusedCertificate, timedOut } from '../../helpers/sim-transport.ts';
import { KEY, RETRY, SOURCES, WEBHOOKS } from '../detail/histories.ts';
import type { Stage } from '../detail/mount.tsx';
import { hooks } from '../detail/scenes.ts';

const MINUTE = 60_000;
const WINDOW = RETRY.windowMs;
/** Few rounds: 33 minutes apart, the last one 9 minutes before the window ends. */
const EVERY = 33 * MINUTE;
/** Five webhooks, of which the last one is off, at 1×. */
export const CONFIG: Config = {
  sources: SOURCES,
  webhooks: { ...WEBHOOKS, retry: { ...RETRY, baseMs: EVERY, maxMs: EVERY } },
};

export const track = (event: string, more: object = {}) => ({ type: 'track', userId: 'usr_77d0', event, ...more });
const many = (count: number, call: object): object[] => Array.from({ length: count }, () => call);

/** Accepted by the first two webhooks, and each second time by the third one. The fourth one's certificate is bad. */
export const OFTEN = track('Order Completed');
/** The second webhook takes 4.5 s of its 5 s. */
const LATE = track('Report Built');
/** The second webhook does not answer it in time. */
export const NEVER = track('Export Made');
/** No webhook accepts it before the second round. */
const AGAIN = track('Refund Issued');
const again = (n: number) => ({ ...AGAIN, properties: { n } });
/** No webhook ever accepts it. */
export const RENEWED = track('Subscription Renewed');
export const TOO_LARGE = track('Order Completed', { properties: { note: 'x'.repeat(40_000) } });
const NOT_SELECTED = track('Order Completed', { integrations: { Webhooks: false } });

const says = ({ body }: AttemptRequest, { event }: { event: string }): boolean => Buffer.from(body).includes(event);

function accepting(usual: Behaviour, others: ReadonlyArray<readonly [{ event: string }, Reply]> = []): Behaviour {
  const seen = new Set<string>();
  let n = 0;
  return (request) => {
    const body = Buffer.from(request.body).toString();
    if (says(request, RENEWED) || (says(request, AGAIN) && !seen.has(body))) {
      seen.add(body);
      return answer(503, 40);
    }
    n += 1;
    return others.find(([call]) => says(request, call))?.[1] ?? usual(request, n);
  };
}

/** From now on the webhooks answer as above. */
export function answerAsUsual({ engine: { transport } }: Stage): void {
  const [crm, warehouse, flaky, erp] = hooks.map(({ url }) => url) as [string, string, string, string];
  transport.on(
    crm,
    accepting(() => answer(200, 120)),
  );
  transport.on(
    warehouse,
    accepting(
      () => answer(200, 200),
      [
        [LATE, answer(200, 4_500)],
        [NEVER, timedOut()],
      ],
    ),
  );
  transport.on(
    flaky,
    accepting((_request, nth) => answer(nth % 2 === 0 ? 200 : 500, 8)),
  );
  transport.on(erp, () => refusedCertificate());
}

export const postAll = (stage: Stage, ...batch: readonly object[]): Promise<void> => stage.post({ batch }, '/v1/batch');

const setSpeed = (stage: Stage, speed: 1 | 10 | 240) => stage.tell('clock.setSpeed', { speed });

const LEFT = 17.9 * MINUTE;

/** Posts a message that nobody accepts, and lets time pass until it expires in 17 minutes of the retry clock. */
export async function almostExpired(stage: Stage, message: object = RENEWED): Promise<void> {
  answerAsUsual(stage);
  await postAll(stage, message);
  await ageBy(stage, WINDOW - LEFT);
}

/** Moves the retry clock. It runs at 10× after that. */
async function ageBy(stage: Stage, ms: number): Promise<void> {
  await setSpeed(stage, 240);
  await stage.skip(ms / 240);
  await setSpeed(stage, 10);
}

export const BAD_JSON = ['{"type":', '{"event":'];

/** What comes beside 15 {@link OFTEN} every 5 minutes, by the minute. No sender is ever waited for. */
const ALSO: Readonly<Record<number, readonly object[]>> = {
  1: [RENEWED],
  10: many(4, TOO_LARGE),
  11: many(11, NOT_SELECTED),
  12: many(5, NEVER),
  13: many(16, LATE),
  20: [RENEWED, ...[1, 2, 3, 4, 5, 6].map(again), ...many(8, OFTEN)],
  28: [RENEWED],
  35: [RENEWED],
  42: [RENEWED],
  49: [RENEWED],
  55: many(4, RENEWED),
};

/**
 * 229 messages: 194 delivered in the first round and 6 in the second; 2 expired after 8 rounds each; 6 rejected; 11 not
 * selected; 10 retrying after 62 rounds together, of which the first one expires in 17 minutes.
 */
export async function playHour(stage: Stage): Promise<void> {
  const post = async (...batch: readonly object[]) => void (await stage.engine.post('/v1/batch', { batch }, KEY));
  answerAsUsual(stage);
  await setSpeed(stage, 240);
  await post(RENEWED, RENEWED);
  await stage.skip(WINDOW / 240);
  await setSpeed(stage, 1);
  for (let minute = 1; minute <= 55; minute += 1) {
    if (minute % 5 === 0) await post(...many(15, OFTEN));
    await stage.skip(1_000);
    const also = ALSO[minute];
    if (also !== undefined) await post(...also);
    await stage.skip(MINUTE - 1_000);
  }
  for (const text of BAD_JSON) await stage.engine.post('/v1/track', text, KEY);
  await ageBy(stage, WINDOW - LEFT - 55 * MINUTE);
}
