/** The five steps of the tour: what each says, and the page it leads to (design/ui, section 17). */
import { TOUR_STEPS, type TourStep } from '../../../contract/demo-limits.ts';
import { call } from '../../platform/connect.ts';
import { applyAnswer, useRecords } from '../../stores/records.ts';
import { HOME, navigate, parseRoute } from '../../stores/route.ts';
import { showFailure } from '../../stores/toasts.ts';

export const LAST_STEP = TOUR_STEPS.length as TourStep;

/** What the bar says. */
export const TOUR_TEXTS: Readonly<Record<TourStep, string>> = {
  1: 'A shop sends calls through the real port. Each row is one call; its five cells are the five webhooks.',
  2: 'Email tool answered 503, Ad network nothing within 5 s. The order arrived all the same.',
  3: 'Every recent buyer was told once. From now on only those who come or go are sent.',
  4: 'One user was deleted: three notices went out, the stored calls are erased, new ones are rejected.',
  5: '4 h pass in a minute. All tools are down for the first hour: calls wait, are tried again, and arrive.',
};

/** The newest order that Email tool failed on and Ad network left unanswered, else the one that comes nearest. */
async function orderToShow(): Promise<number | null> {
  const { rows } = await call('messages.list', {
    filter: {
      terms: [
        { key: 'event', values: ['Order Completed'] },
        { key: 'type', values: ['track'] },
        { key: 'status', values: ['delivered'] },
      ],
    },
    limit: 100,
  });
  const fits = [/^.f.t/, /^.f/, /^/];
  const best = fits.map((pattern) => rows.find(({ cells }) => pattern.test(cells)));
  return best.find((row) => row !== undefined)?.id ?? null;
}

async function showPage(step: TourStep): Promise<void> {
  const { audiences, deletions } = useRecords.getState();
  if (step === 1) return navigate(HOME);
  if (step === 2) {
    const messageId = await orderToShow();
    return navigate(messageId === null ? HOME : { screen: 'live', messageId, tab: 'attempts', full: false });
  }
  if (step === 3) return navigate(parseRoute(`#/audiences${pathOf(audiences?.audiences[0]?.id)}`));
  if (step === 4) return navigate(parseRoute(`#/deletions${pathOf(deletions?.requests[0]?.id)}`));
  navigate({ screen: 'overview' });
}

const pathOf = (id: number | undefined): string => (id === undefined ? '' : `/${id}`);

/** Null closes the tour. */
export async function goToStep(step: TourStep | null): Promise<void> {
  try {
    applyAnswer({ demo: await call('demo.step', { step }) });
    if (step !== null) await showPage(step);
  } catch (error) {
    showFailure('go to this step', error);
  }
}

/** 1 for the next step, -1 for the one before. Past the last one the tour closes. */
export function moveTour(by: 1 | -1): void {
  const { demo } = useRecords.getState();
  if (demo === undefined || demo.state === 'none' || demo.step === null) return;
  if (demo.step === LAST_STEP && by === 1) void goToStep(null);
  else if (demo.step + by >= 1) void goToStep((demo.step + by) as TourStep);
}
