import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import type { WebhookView } from '../../../src/contract/values.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import OverviewScreen from '../../../src/renderer/screens/overview/overview-screen.tsx';
import { useOverviewRange } from '../../../src/renderer/screens/overview/use-overview.ts';
import { valuesAsked } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import type { SimEngineSetup } from '../../helpers/sim-engine.ts';
import { takenPort } from '../../helpers/taken-port.ts';
import { byName } from '../base/harness.tsx';
import { SOURCES } from '../detail/histories.ts';
import { openStage, type Stage } from '../detail/mount.tsx';
import {
  almostExpired,
  answerAsUsual,
  BAD_JSON,
  CONFIG,
  NEVER,
  OFTEN,
  playHour,
  postAll,
  RENEWED,
  TOO_LARGE,
  track,
} from './an-hour.ts';

let stage: Stage;

/** Shows the Overview. `before` happens while no screen is shown. */
async function open(before: () => Promise<void> = async () => {}, setup: SimEngineSetup = {}): Promise<void> {
  stage = await openStage({ config: CONFIG, ...setup });
  await before();
  await show();
}
async function show(): Promise<void> {
  navigate({ screen: 'overview' });
  await stage.show(
    <>
      <OverviewScreen />
      <ToastRegion />
    </>,
  );
}
const anHour = () => playHour(stage);
/** One message in each of the states that a message comes to at once. */
const aMoment = async () => {
  answerAsUsual(stage);
  await postAll(stage, OFTEN, RENEWED, TOO_LARGE);
};

beforeEach(() => useOverviewRange.setState({ range: '1h' }));
afterEach(() => stage.close());

const times = (count: number, run: () => void): void => {
  for (let i = 0; i < count; i += 1) run();
};
const text = () => document.body.textContent ?? '';
const asked = () => stage.calls('overview.get').map((input) => (input as { range: string }).range);
const click = async (element: HTMLElement) => {
  await act(async () => element.click());
  await stage.pass();
};

/** A limit for what hangs: on a busy machine a turn of the engine may take a second. */
const PATIENCE = { timeout: 30_000 };

describe('what it shows', () => {
  it('names delivered messages of which a webhook has yet to answer, and counts them once it has', async () => {
    await open(async () => {
      answerAsUsual(stage);
      await postAll(stage, NEVER, RENEWED);
    });
    const tile = () => byName('button', /^To be delivered/).textContent;
    await vi.waitFor(async () => {
      await stage.pass();
      expect(tile()).toMatch(/^To be delivered 2 1 with open answers, 1 retrying/);
    }, PATIENCE);
    await stage.skip(5_000);
    await vi.waitFor(async () => {
      await stage.pass();
      expect(tile()).toMatch(/^To be delivered 1 1 retrying/);
    }, PATIENCE);
  });

  it('draws what needed a retry and what failed with patterns of their own, so that they need no colour', async () => {
    await open(anHour);
    const chart = document.querySelector('svg[aria-label^="Messages per minute"]')!;
    const bars = [...chart.querySelectorAll('rect[fill^="url(#"]')].map((bar) =>
      bar.getAttribute('fill')!.slice(5, -1),
    );
    const patterns = [...chart.querySelectorAll('pattern')].map(({ id }) => id);
    expect(patterns).toHaveLength(2);
    expect([...new Set(bars)].sort()).toEqual(patterns.sort());
  });

  it('gives every picture a sentence, and the same facts as a table', async () => {
    await open(anHour);
    const pictures = [...document.querySelectorAll('svg[role="img"]')].map(
      (svg) => svg.getAttribute('aria-label') ?? '',
    );
    expect(pictures).toHaveLength(3);
    expect(pictures[0]).toMatch(
      /^Messages per minute in the last hour: 229 received, 194 delivered first time, 16 needed a retry, 8 expired, failed or rejected\. The most were 30 at \d\d:\d\d\.$/,
    );
    expect(pictures[1]).toBe(
      'Response times of 847 answers. Half of them came within 39 ms, 95% within 194 ms. 5 attempts had none within the limit of 5 s.',
    );
    expect(pictures[2]).toBe('10 retrying messages placed in the window of 4 h. 1 expires soon.');
    for (let i = 0; i < 3; i += 1) {
      const [next] = [...document.querySelectorAll<HTMLElement>('button[aria-label="View as table"]')];
      await click(next!);
    }
    expect(document.querySelectorAll('svg[role="img"]')).toHaveLength(0);
    const minutes = byName('section', 'Messages per minute as a table');
    expect(minutes.querySelectorAll('tbody tr')).toHaveLength(60);
    const received = [...minutes.querySelectorAll('tbody tr')].map((row) => Number(row.children[1]!.textContent));
    expect(received.reduce((a, b) => a + b, 0)).toBe(229);
    expect(byName('section', 'Response times as a table').textContent).toContain('no answer5');
    expect(byName('section', 'Retrying messages by age').querySelectorAll('a[href^="#/live/"]')).toHaveLength(7);
  });

  it('shows for each webhook how its attempts ended, and what it missed to a sibling', async () => {
    await open(anHour);
    const panel = byName('section', 'Attempts by webhook');
    const sentences = [...panel.querySelectorAll('[role="img"][title]')].map((one) => one.getAttribute('aria-label'));
    // 200 that were delivered, 6 of them in the second round, and 78 rounds of what nobody accepts.
    expect(sentences).toEqual([
      '284 attempts: 200 accepted, 84 failed',
      '284 attempts: 195 accepted, 84 failed, 5 timed out',
      '284 attempts: 100 accepted, 184 failed',
      '284 attempts: 284 refused before sending',
      '0 attempts: no attempts',
    ]);
    expect(panel.textContent).toContain('Flaky receiver28435%100');
    expect(panel.textContent).toContain('Legacy ERP2840%200');
    expect(panel.textContent).toContain('Archive Paused');
  });

  it('shows a webhook under its name at the time, and says what has changed since', async () => {
    const old = { name: 'Old CRM', url: 'http://old.test/', headers: {}, enabled: true };
    const gone = { ...old, name: 'Gone one', url: 'http://gone.test/' };
    await open(
      async () => {
        const crm = { id: 1, name: 'CRM sync', headers: [], enabled: true };
        await postAll(stage, OFTEN);
        await stage.tell('webhooks.remove', { id: 2 });
        await stage.tell('webhooks.save', { ...crm, url: old.url });
        await postAll(stage, OFTEN);
        await stage.tell('webhooks.save', { ...crm, url: 'https://crm.acme.test/hooks/segment' });
        await postAll(stage, OFTEN);
      },
      { config: { sources: SOURCES, webhooks: { entries: [old, gone] } } },
    );
    const panel = byName('section', 'Attempts by webhook');
    const marked = (name: string) => [...panel.querySelectorAll('[title]')].find((one) => one.textContent === name);
    expect(marked('Old CRMearlier')?.getAttribute('title')).toBe(
      'http://old.test/\nIt has changed since. It is now CRM sync, https://crm.acme.test/hooks/segment',
    );
    expect(marked('Gone oneremoved')?.getAttribute('title')).toMatch(/This webhook was removed\.$/);
    expect(marked('CRM syncearlier')?.getAttribute('title')).toMatch(/^http:\/\/old\.test\/\n/);
    expect(panel.querySelectorAll('a[href^="#/webhooks/"]')).toHaveLength(1);
  });

  it('says unknown, never 0, for a share that the limit hides', async () => {
    await open(anHour);
    await click(byName('[role="radio"]', 'Time limits'));
    const table = byName('section', 'Time limits by webhook');
    const cells = [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(cells[1]).toEqual(['Warehouse loader', '279', '172 ms', '4.13 s', '7.4%', '1.8%', 'unknown', '5']);
    expect(cells[3]?.slice(4)).toEqual(['unknown', 'unknown', 'unknown', '200']);
  });

  it('shortens counts from 100,000', async () => {
    await open(async () => {
      const { metrics, ports, webhookViews } = stage.engine.engine.parts;
      const [crm, warehouse] = webhookViews.all() as [WebhookView, WebhookView];
      const at = ports.clock.wall();
      const count = 1_364_000;
      const queued = { state: 'queued', reason: null } as const;
      metrics.stored(at, Array(count).fill(queued), Array(count).fill({ duplicate: false }));
      const move = { receivedAt: at, at, from: 'retrying', round: 31 } as const;
      times(2_000, () => metrics.moved({ ...move, to: 'expired', missed: [] }));
      times(1_246, () => metrics.moved({ ...move, to: 'delivered', missed: [warehouse] }));
      const record = (outcome: 'accepted' | 'failed' | 'timed_out', durationMs: number) => () =>
        metrics.recorded(crm, { outcome, durationMs }, at, 5_000);
      times(1_094, record('accepted', 1_240));
      times(31, record('failed', 40));
      times(58, record('timed_out', 5_000));
    });
    expect(byName('button', /^Received/).textContent).toContain('1.3M');
    expect(byName('button', /^Expired or failed/).textContent).toContain('2,000');
    expect(byName('[role="img"]', /^Messages per minute/).getAttribute('aria-label')).toContain('1,364,000 received');
    expect(byName('[role="img"]', /^Response times of 1,125 answers\./).getAttribute('aria-label')).toContain('1.24 s');
    expect(byName('[role="img"]', '1,183 attempts: 1,094 accepted, 31 failed, 58 timed out')).toBeTruthy();
    expect(byName('section', 'Attempts by webhook').textContent).toContain('1,246');
  });

  it('says that nothing came, and offers a longer range', async () => {
    await open();
    expect(text()).toContain('No messages in the last hour.');
    await click(byName('button', 'Show the last 4 h'));
    expect(text()).toContain('No messages in the last 4 hours.');
    expect(asked()).toEqual(['1h', '4h']);
  });

  it('shows hostile names as they are, boxed and cut', async () => {
    const [script] = HOSTILE_NAMES as [string];
    const entries = [{ ...CONFIG.webhooks!.entries![0]!, name: script }, ...CONFIG.webhooks!.entries!.slice(1)];
    const config: Config = { ...CONFIG, webhooks: { ...CONFIG.webhooks, entries } };
    const evil = track(`<b>x</b>\u202E${RENEWED.event} ${'Subscription '.repeat(30)}`, { userId: 'u'.repeat(200) });
    await open(() => almostExpired(stage, evil), { config });
    expect(document.querySelector('script')).toBeNull();
    expect(byName('section', 'Needs attention').textContent).toContain('U+202E');
    expect(byName('section', 'Attempts by webhook').textContent).toContain('<script>alert(1)</script>');
  });
});

describe('asking', () => {
  it('goes on once a second, and at once for another range', async () => {
    await open(aMoment);
    expect(asked()).toEqual(['1h']);
    await stage.pass(3_000);
    expect(asked()).toEqual(['1h', '1h', '1h', '1h']);
    await click(byName('[role="radio"]', '15 min'));
    expect(asked().at(-1)).toBe('15m');
    expect(byName('section', 'Messages per minute').querySelectorAll('svg g title')).toHaveLength(15);
  });

  it('rests while the window is hidden', async () => {
    await open(aMoment);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await stage.pass(5_000);
    expect(asked()).toHaveLength(1);
    hidden.mockRestore();
    await stage.pass(1_000);
    expect(asked()).toHaveLength(2);
  });

  it('keeps what it has when an answer fails, says so, and tries again', async () => {
    await open(aMoment);
    const received = () => byName('button', /^Received/).textContent;
    expect(received()).toBe('Received 3 3 per minute now');
    stage.engine.failNext('overview.get', new ContractError('internal'));
    await stage.pass(1_000);
    expect(text()).toContain('Could not read metrics.');
    expect(received()).toBe('Received 3 3 per minute now');
    await click(byName('button', 'Try again'));
    expect(text()).not.toContain('Could not read metrics.');
  });

  it('draws no skeleton before 300 ms', async () => {
    stage = await openStage({ config: CONFIG });
    stage.engine.answer('overview.get', () => new Promise(() => {}));
    await show();
    const boxes = () => byName('section', 'Metrics').querySelectorAll('div').length;
    await stage.pass(150);
    expect(boxes()).toBe(0);
    await stage.pass(100);
    expect(boxes()).toBeGreaterThan(4);
  });
});

describe('ways on', () => {
  const states = () => valuesAsked(liveStream.snapshot().query, 'status');
  it.each([
    [/^Received/, []],
    [/^Delivered/, ['delivered']],
    [/^To be delivered/, ['retrying', 'delivering', 'waiting', 'queued', 'paused']],
    [/^Expired or failed/, ['expired', 'failed']],
    [/^Rejected/, ['rejected']],
    [/^Not selected/, ['not_selected']],
    ['Expired, failed or rejected', ['expired', 'failed', 'rejected']],
    ['Show rejected', ['rejected']],
  ])('%s opens the messages that it counts', async (name, expected) => {
    await open(aMoment);
    await click(byName('button', name));
    expect(useRouteStore.getState().route.screen).toBe('live');
    expect(states()).toEqual(expected);
  });

  it('an item of what needs attention leads to where something can be done', async () => {
    await open(async () => {
      await postAll(stage, TOO_LARGE, TOO_LARGE, TOO_LARGE, TOO_LARGE);
      for (const text of BAD_JSON) await stage.post(text);
      await almostExpired(stage);
      await postAll(stage, OFTEN, OFTEN);
      await stage.skip(1_000);
    });
    const list = byName('section', 'Needs attention');
    expect(byName('a', 'Open webhook', list).getAttribute('href')).toBe('#/webhooks/4');
    expect(byName('a', 'Open message', list).getAttribute('href')).toBe('#/live/7');
    expect(list.textContent).toContain('1 message expires in 17 min on the retry clock');
    expect(list.textContent).toContain('4 too large, 2 bad JSON.');
  });

  it('delivery that a person holds goes on from here', async () => {
    await open(aMoment);
    await stage.tell('destination.save', { paused: true });
    await stage.pass(1_000);
    const list = byName('section', 'Needs attention');
    expect(list.textContent).toContain('Delivery is paused by you');
    await click(byName('button', 'Resume delivery', list));
    expect(stage.calls('destination.save').at(-1)).toEqual({ paused: false });
    await stage.pass(1_000);
    expect(list.textContent).not.toContain('paused by you');
  });

  it('a taken port can be tried again from here', async () => {
    const port = await takenPort();
    await open(undefined, { ingestPort: port });
    const list = byName('section', 'Needs attention');
    expect(list.textContent).toMatch(new RegExp(`Port ${port} is in use by \\S+ \\(process ${process.pid}\\)\\.`));
    await click(byName('button', 'Try again', list));
    expect(stage.calls('ingest.listen')).toEqual([{}]);
  });
});
