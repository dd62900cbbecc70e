import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { App } from '../../../src/renderer/app.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { changeRule, moveRule, removeRule } from '../../../src/renderer/screens/faults/actions.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  blur,
  byName,
  click,
  connectEngine,
  disconnect,
  press,
  type Rendered,
  render,
  settle,
  settled,
  type,
} from '../base/harness.tsx';

const CONFIG: Config = {
  sources: [{ name: 'checkout', writeKey: 'wk_1', kind: 'server', enabled: true, webhooks: true }],
};
const NODE_SDK = { name: '@segment/analytics-node', version: '3.1.0' };

let engine: SimEngine;
let shown: Rendered | null = null;

async function open(prepare: () => Promise<void> = async () => {}): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  engine = await connectEngine({ config: CONFIG });
  await prepare();
  navigate({ screen: 'faults' });
  shown = await render(<App />);
  // The screen is loaded when it is first shown.
  await act(async () => vi.dynamicImportSettled());
  await soon();
}

/** The report is asked for at most once a second. */
async function soon(): Promise<void> {
  await act(async () => vi.advanceTimersByTimeAsync(1_100));
  await settle();
}

afterEach(() => {
  shown?.unmount();
  shown = null;
  disconnect();
  vi.useRealTimers();
});

const text = (): string => document.querySelector('main')?.textContent ?? '';
const faults = () => engine.engine.parts.faults.view();
const rules = () => faults().rules;
const preset = (name: string) => click(byName('button', name));
const choose = async (name: string, value: string): Promise<void> => {
  const select = byName('select', name) as HTMLSelectElement;
  await act(async () => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await settle();
};
const fill = async (name: string, value: string): Promise<void> => {
  const input = byName('input', name) as HTMLInputElement;
  await type(input, value);
  await blur(input);
};

/** Sends a batch with these messageIds as the Node SDK does, or as another library. */
const send = (ids: readonly string[], { retryCount = 0, library = NODE_SDK } = {}): Promise<number> => {
  const batch = ids.map((messageId) => ({ type: 'track', event: 'E', userId: 'u', messageId, context: { library } }));
  const retry: Record<string, string> = retryCount === 0 ? {} : { 'X-Retry-Count': String(retryCount) };
  return engine.post('/v1/batch', { batch }, 'wk_1', { 'User-Agent': 'analytics-node-next/latest', ...retry });
};

/** What an SDK does under 429 with Retry-After, then under 503. */
async function tellStory(ids: readonly string[] = ['node-next-1', 'node-next-2']): Promise<void> {
  const answer = (status: number, retryAfter: number | null) =>
    settled(
      call('faults.save', {
        on: true,
        rules: [
          {
            on: true,
            when: { mode: 'first', requests: 2 },
            action: { kind: 'status', status, retryAfter, retryAfterForm: 'seconds' },
            writeKey: null,
            paths: [],
            store: false,
          },
        ],
      }),
    );
  const tries = async (messageIds: readonly string[], ...waits: number[]) => {
    await send(messageIds);
    for (const [i, wait] of waits.entries()) {
      await engine.pass(wait);
      await send(messageIds, { retryCount: i + 1 });
    }
  };
  await answer(429, 2);
  await tries(ids, 2_004, 2_011);
  await answer(503, null);
  await tries(
    ids.map((id) => `${id}-b`),
    1_620,
    2_910,
  );
  await settled(call('faults.save', { on: false, rules: [] }));
}

describe('the rules', () => {
  it('are none at first, and the switch waits for one', async () => {
    await open();
    expect(text()).toContain('No rule yet.');
    expect(byName('[role="switch"]', 'Ingest faults').getAttribute('data-disabled')).not.toBeNull();
    await click(byName('button', /Add rule/));
    expect(rules()).toHaveLength(1);
    expect(faults().on).toBe(false);
    expect(byName('[role="switch"]', 'Ingest faults').getAttribute('data-disabled')).toBeNull();
  });

  it.each([
    ['Rate limited', 'The first 2 requests of each client get 429 with Retry-After 2.'],
    ['Outage', '3 of every 6 requests, in a row, get 503.'],
    ['Flaky network', '20 % of requests get a reset after reading.'],
    ['Slow', 'All requests get a delay of 3 s.'],
    ['Lost answers', '50 % of requests get a reset after reading; their calls are stored first.'],
    ['Empty 200', 'All requests get an empty 200; their calls are stored first.'],
  ])('of the preset %s are on at once, and the banner says what they do', async (name, sentence) => {
    await open();
    await preset(name);
    expect(faults().active).toBe(true);
    expect(text()).toContain(`Ingest faults are on:${' '}${sentence}`);
  });

  it('are edited in place, and each change is saved', async () => {
    await open();
    await click(byName('button', /Add rule/));
    await choose('Rule 1: how often', 'rate');
    await fill('Rule 1: percent', '45');
    await choose('Rule 1: requests', 'track');
    await choose('Rule 1: source', 'wk_1');
    await fill('Rule 1: status', '429');
    await fill('Rule 1: Retry-After in seconds, empty for none', '7');
    await choose('Rule 1: how Retry-After is written', 'date');
    await click(byName('[role="checkbox"]', 'Rule 1: store the calls first'));
    expect(rules()).toMatchObject([
      {
        when: { mode: 'rate', percent: 45 },
        paths: ['track'],
        writeKey: 'wk_1',
        action: { kind: 'status', status: 429, retryAfter: 7, retryAfterForm: 'date' },
        store: true,
      },
    ]);
  });

  it('take edits that come together, one after the other', async () => {
    await open();
    await click(byName('button', /Add rule/));
    await act(async () => {
      byName('[role="checkbox"]', 'Rule 1: store the calls first').click();
      byName('[role="switch"]', 'Rule 1 on').click();
      byName('button', /Add rule/).click();
      byName('[role="switch"]', 'Ingest faults').click();
    });
    await settle();
    expect(rules()).toMatchObject([
      { store: true, on: false },
      { store: false, on: true },
    ]);
    expect(faults().on).toBe(true);
  });

  it('that are gone meanwhile, or cannot move, are not saved again', async () => {
    await open();
    await click(byName('button', /Add rule/));
    const { id } = rules()[0]!;
    const saves = () => engine.calls.filter(({ name }) => name === 'faults.save').length;
    const before = saves();
    expect(await settled(moveRule(id, -1))).toBe(false);
    expect(await settled(changeRule(99, { on: false }))).toBe(false);
    await settled(removeRule(99));
    expect([saves() - before, text().includes('Rule removed')]).toEqual([0, false]);
  });

  it('keep what was saved when a number is out of bounds', async () => {
    await open();
    await click(byName('button', /Add rule/));
    await fill('Rule 1: status', '700');
    expect(text()).toContain('200 to 599');
    expect(rules()[0]?.action).toMatchObject({ status: 503 });
    expect(byName('input', 'Rule 1: status').getAttribute('aria-invalid')).toBe('true');
  });

  it('that reset before reading cannot store, and lose that when it was chosen', async () => {
    await open();
    await preset('Lost answers');
    await choose('Rule 1: when it is reset', 'before');
    expect(rules()[0]).toMatchObject({ store: false, action: { kind: 'reset', when: 'before' } });
    expect(byName('[role="checkbox"]', 'Rule 1: store the calls first').getAttribute('data-disabled')).not.toBeNull();
  });

  it('warn where a client would be told that all is well', async () => {
    await open();
    await preset('Empty 200');
    expect(text()).not.toContain('lost without a retry');
    await click(byName('[role="checkbox"]', 'Rule 1: store the calls first'));
    expect(text()).toContain('lost without a retry');
  });

  it('move and are removed, with a way back', async () => {
    await open();
    await click(byName('button', /Add rule/));
    await click(byName('button', /Add rule/));
    const [first, second] = rules().map(({ id }) => id);
    await click(byName('button', 'Move Rule 2 up'));
    expect(rules().map(({ id }) => id)).toEqual([second, first]);
    await click(byName('button', 'Remove Rule 1'));
    expect(rules().map(({ id }) => id)).toEqual([first]);
    await click(byName('button', 'Undo'));
    expect(rules().map(({ id }) => id)).toEqual([second, first]);
  });

  it('are given back by Undo when a preset took their place, as off as they were', async () => {
    await open();
    await click(byName('button', /Add rule/));
    const before = rules();
    await preset('Slow');
    await click(byName('button', 'Undo'));
    expect(rules()).toEqual(before);
    expect(faults().on).toBe(false);
  });

  it('say why when they could not be saved', async () => {
    await open();
    engine.failNext('faults.save', new ContractError('store_not_writable'));
    await click(byName('button', /Add rule/));
    expect(document.body.textContent).toContain('Could not add a rule');
    expect(rules()).toEqual([]);
  });
});

describe('on and off', () => {
  it('is one key anywhere, and the banner is on every screen', async () => {
    await open();
    await preset('Outage');
    await act(async () => navigate({ screen: 'sources' }));
    expect(text()).toContain('Ingest faults are on:');
    await press(document.body, 'f');
    expect(faults().active).toBe(false);
    expect(text()).not.toContain('Ingest faults are on:');
    await press(document.body, 'f');
    expect(faults().active).toBe(true);
    await click(byName('button', 'Turn off'));
    expect(faults().active).toBe(false);
    const bar = [...document.querySelector('footer')!.children].map((one) => one.textContent);
    const gap = bar.indexOf('');
    expect(bar[gap + 1]).toBe('Ingest faults off');
  });

  it('opens the screen when there is no rule that could be on', async () => {
    await open();
    await act(async () => navigate({ screen: 'sources' }));
    await press(document.body, 'f');
    expect(location.hash).toBe('#/faults');
    expect(engine.calls.some(({ name }) => name === 'faults.save')).toBe(false);
  });
});

describe('the report', () => {
  const told = (ids?: string[]) => open(() => tellStory(ids));

  it('says so while nobody has met a fault', async () => {
    await open();
    expect(text()).toContain('No client has met a fault yet.');
  });

  it('shows what was measured beside the policy, and what was done to whom', async () => {
    await told();
    const rows = [...document.querySelectorAll('section[aria-label="Measured and published"] tbody tr')];
    const lines = rows.map((row) => [...row.children].map((cell) => cell.textContent));
    expect(lines).toContainEqual([
      'Wait after Retry-After 2 on 429',
      '2.0 s after Retry-After 2, 2 waits',
      'honours it on 429, seconds only, 300 s at most, not counted as a retry',
      'ok',
    ]);
    expect(lines).toContainEqual(['Waits of its own', '1.6 s; 2.9 s', '1.0 to 2.0 s; 2.0 to 4.0 s', 'ok']);
    expect(lines.find(([what]) => what === 'Retries')).toEqual([
      'Retries',
      '2 retries at most, never gave up',
      '10 retries',
      'not seen enough',
    ]);
    expect(text()).toContain('@segment/analytics-node 3.1.0');
    expect(document.querySelector('[aria-label="Faults so far"] tbody')?.textContent).toContain(
      '@segment/analytics-node',
    );
  });

  it('draws the tries of the chosen message over time', async () => {
    await told();
    const list = document.querySelector('ul[aria-label="Messages with retries or without a row"]')!;
    expect(list.querySelectorAll('button')).toHaveLength(4);
    await click([...list.querySelectorAll('button')].find((one) => one.textContent?.startsWith('node-next-1-b'))!);
    const cells = [...document.querySelectorAll('caption + thead + tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(cells).toEqual([
      ['1', '', '', '503'],
      ['2 (1)', '1.62 s', '', '503'],
      ['3 (2)', '2.91 s', '', '200'],
    ]);
  });

  it('is copied as Markdown', async () => {
    await told();
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (copied: string) => void written.push(copied) },
    });
    await click(byName('button', 'Copy as Markdown'));
    vi.unstubAllGlobals();
    expect(written[0]).toContain('## @segment/analytics-node 3.1.0');
    expect(written[0]).toContain('| Waits of its own | 1.6 s; 2.9 s | 1.0 to 2.0 s; 2.0 to 4.0 s | ok |');
  });

  it('follows what comes in, and is empty after Clear', async () => {
    await told();
    await settled(send(['later'], { library: { name: 'other-lib', version: '9' } }));
    await soon();
    const options = [...(byName('select', 'Client') as HTMLSelectElement).options].map(
      ({ textContent }) => textContent,
    );
    expect(options).toHaveLength(2);
    expect(options[0]).toContain('other-lib 9');
    await click(byName('button', 'Clear'));
    await soon();
    expect(text()).toContain('No client has met a fault yet.');
  });

  it('shows hidden characters of names, and holds what is long', async () => {
    const evil = `id\u202Egnp ${'W'.repeat(300)}`;
    await told([evil]);
    expect(document.querySelectorAll('[title="A character that is not visible"]').length).toBeGreaterThan(0);
    expect(text()).not.toContain('\u202E');
  });
});
