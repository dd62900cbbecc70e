import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { WebhookView } from '../../../src/contract/values.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import OverviewScreen from '../../../src/renderer/screens/overview/overview-screen.tsx';
import { useOverviewRange } from '../../../src/renderer/screens/overview/use-overview.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { HOME, navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { FakeEngine, FakeOptions } from '../../helpers/fake-engine.ts';
import { attemptsOf } from '../../helpers/fake-overview.ts';
import { byName, click, connectFake, disconnectFake, type Rendered, render, settle } from '../base/harness.tsx';

let engine: FakeEngine;
let shown: Rendered;

async function open(options: FakeOptions = {}): Promise<void> {
  navigate({ screen: 'overview' });
  engine = await connectFake({ rows: 200, ...options });
  shown = await render(
    <>
      <OverviewScreen />
      <ToastRegion />
    </>,
  );
  await settle(60);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] });
  useOverviewRange.setState({ range: '1h' });
});
afterEach(() => {
  shown.unmount();
  disconnectFake();
  navigate(HOME);
  vi.useRealTimers();
});

const text = () => document.body.textContent ?? '';
const asked = () =>
  engine.calls.filter(({ name }) => name === 'overview.get').map(({ input }) => (input as { range: string }).range);
const pass = async (ms: number) => {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
  await settle(60);
};

describe('what it shows', () => {
  it('gives every picture a sentence, and the same facts as a table', async () => {
    await open();
    const pictures = [...document.querySelectorAll('svg[role="img"]')].map(
      (svg) => svg.getAttribute('aria-label') ?? '',
    );
    expect(pictures).toHaveLength(3);
    expect(pictures[0]).toMatch(
      /^Messages per minute in the last hour: 1,364 received, .* needed a retry, .* expired, failed or rejected\. The most were 30 at \d\d:\d\d\.$/,
    );
    expect(pictures[1]).toBe(
      'Response times of 1,831 answers. Half of them came within 164 ms, 95% within 1.24 s. 58 attempts had none within the limit of 5 s.',
    );
    expect(pictures[2]).toMatch(/retrying messages placed in the window of 4 h\. 1 expires soon\.$/);
    for (let i = 0; i < 3; i += 1) {
      const [next] = [...document.querySelectorAll<HTMLElement>('button[aria-label="View as table"]')];
      await click(next!);
    }
    expect(document.querySelectorAll('svg[role="img"]')).toHaveLength(0);
    const minutes = byName('section', 'Messages per minute as a table');
    expect(minutes.querySelectorAll('tbody tr')).toHaveLength(60);
    const received = [...minutes.querySelectorAll('tbody tr')].map((row) => Number(row.children[1]!.textContent));
    expect(received.reduce((a, b) => a + b, 0)).toBe(1364);
    expect(byName('section', 'Response times as a table').textContent).toContain('no answer58');
    expect(byName('section', 'Retrying messages by age').querySelectorAll('a[href^="#/live/"]')).toHaveLength(7);
  });

  it('shows for each webhook how its attempts ended, and what it missed to a sibling', async () => {
    await open();
    expect(byName('[role="img"]', '1,183 attempts: 1,094 accepted, 31 failed, 58 timed out')).toBeTruthy();
    expect(byName('[role="img"]', '1,278 attempts: 1,278 refused before sending')).toBeTruthy();
    const panel = byName('section', 'Attempts by webhook');
    expect(panel.textContent).toContain('1,27846%651');
    expect(panel.textContent).toContain('Archive Paused');
  });

  it('shows a webhook under its name at the time, and says what has changed since', async () => {
    await open();
    const crm = useRecords.getState().webhooks[0]!;
    const usual = await call('overview.get', { range: '1h' });
    const before = { id: crm.id, slot: 1, url: 'http://old.test/', name: 'Old CRM' } as WebhookView;
    const moved = { ...before, name: crm.name };
    const gone = { ...before, id: 999, name: 'Gone one', slot: 2 };
    const told = [before, gone, moved].map((hook) => ({ ...attemptsOf(hook, { failed: 7 }), isNow: false }));
    engine.handlers['overview.get'] = () => ({ ...usual, webhooks: [...usual.webhooks, ...told] });
    await pass(5_000);
    const panel = byName('section', 'Attempts by webhook');
    const marked = (name: string) => [...panel.querySelectorAll('[title]')].find((one) => one.textContent === name);
    expect(marked('Old CRMearlier')?.getAttribute('title')).toBe(
      `http://old.test/\nIt has changed since. It is now ${crm.name}, ${crm.url}`,
    );
    expect(marked('Gone oneremoved')?.getAttribute('title')).toMatch(/This webhook was removed\.$/);
    expect(marked(`${crm.name}earlier`)?.getAttribute('title')).toMatch(/^http:\/\/old\.test\/\n/);
    expect(panel.querySelectorAll('a[href^="#/webhooks/"]')).toHaveLength(usual.webhooks.length);
  });

  it('says unknown, never 0, for a share that the limit hides', async () => {
    await open();
    await click(byName('[role="radio"]', 'Time limits'));
    const table = byName('section', 'Time limits by webhook');
    const cells = [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(cells[1]).toEqual(['Warehouse loader', '1,125', '204 ms', '3.31 s', '6.0%', '4.9%', 'unknown', '0']);
    expect(cells[3]?.slice(4)).toEqual(['unknown', 'unknown', 'unknown', '1,246']);
  });

  it('shortens counts from 100,000', async () => {
    await open({ overviewScale: 1000 });
    expect(byName('button', /^Received/).textContent).toContain('1.3M');
    expect(byName('button', /^Expired or failed/).textContent).toContain('2,000');
  });

  it('says that nothing came, and offers a longer range', async () => {
    await open({ fresh: true });
    expect(text()).toContain('No messages in the last hour.');
    await click(byName('button', 'Show the last 4 h'));
    await settle(60);
    expect(text()).toContain('No messages in the last 4 hours.');
    expect(asked()).toEqual(['1h', '4h']);
  });

  it('shows hostile names as they are, boxed and cut', async () => {
    await open({ hostile: true });
    expect(document.querySelector('script')).toBeNull();
    expect(byName('section', 'Needs attention').textContent).toContain('U+202E');
    expect(byName('section', 'Attempts by webhook').textContent).toContain('<script>alert(1)</script>');
  });
});

describe('asking', () => {
  it('goes on once a second, and at once for another range', async () => {
    await open();
    expect(asked()).toEqual(['1h']);
    await pass(3000);
    expect(asked()).toEqual(['1h', '1h', '1h', '1h']);
    await click(byName('[role="radio"]', '15 min'));
    await settle(60);
    expect(asked().at(-1)).toBe('15m');
    expect(byName('section', 'Messages per minute').querySelectorAll('svg g title')).toHaveLength(15);
  });

  it('rests while the window is hidden', async () => {
    await open();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await pass(5000);
    expect(asked()).toHaveLength(1);
    hidden.mockRestore();
    await pass(1000);
    expect(asked()).toHaveLength(2);
  });

  it('keeps what it has when an answer fails, says so, and tries again', async () => {
    await open();
    engine.failNext('overview.get', new ContractError('internal'));
    await pass(1000);
    expect(text()).toContain('Could not read metrics.');
    expect(text()).toContain('1,364');
    await click(byName('button', 'Try again'));
    await settle(60);
    expect(text()).not.toContain('Could not read metrics.');
  });

  it('draws no skeleton before 300 ms', async () => {
    navigate({ screen: 'overview' });
    engine = await connectFake({ rows: 20 });
    const never = new Promise<never>(() => {});
    engine.handlers['overview.get'] = () => never;
    shown = await render(<OverviewScreen />);
    const boxes = () => byName('section', 'Metrics').querySelectorAll('div').length;
    await pass(250);
    expect(boxes()).toBe(0);
    await pass(100);
    expect(boxes()).toBeGreaterThan(4);
  });
});

describe('ways on', () => {
  const states = () => liveStream.snapshot().query.states;
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
    await open();
    await click(byName('button', name));
    expect(useRouteStore.getState().route.screen).toBe('live');
    expect(states()).toEqual(expected);
  });

  it('an item of what needs attention leads to where something can be done', async () => {
    await open();
    const list = byName('section', 'Needs attention');
    expect(byName('a', 'Open webhook', list).getAttribute('href')).toBe('#/webhooks/4');
    expect(byName('a', 'Open message', list).getAttribute('href')).toBe('#/live/7');
    expect(list.textContent).toContain('1 message expires in 17 min on the retry clock');
    expect(list.textContent).toContain('4 too large, 2 bad JSON.');
  });

  it('delivery that a person holds goes on from here', async () => {
    await open();
    await act(async () => {
      await engine.handlers['destination.save']({ paused: true });
    });
    await pass(1000);
    const list = byName('section', 'Needs attention');
    expect(list.textContent).toContain('Delivery is paused by you');
    await click(byName('button', 'Resume delivery', list));
    expect(engine.calls.findLast(({ name }) => name === 'destination.save')?.input).toEqual({ paused: false });
    await pass(1000);
    expect(list.textContent).not.toContain('paused by you');
  });

  it('a taken port can be tried again from here', async () => {
    await open({ listener: { state: 'port_in_use', holder: 'node (process 7)' } });
    const list = byName('section', 'Needs attention');
    expect(list.textContent).toContain('Port 8765 is in use by node (process 7).');
    await click(byName('button', 'Try again', list));
    expect(engine.calls.some(({ name }) => name === 'ingest.listen')).toBe(true);
  });
});
