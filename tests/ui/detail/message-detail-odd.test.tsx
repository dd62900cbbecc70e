// What the real engine does not tell: its own mistakes, a window that began before the first attempt, states and
// attempts in every combination; and 400 attempts, which take it 6 s and the stand-in engine 0.4 s.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptView, MessageDetail as Detail, MessageRow } from '../../../src/contract/values.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { type FakeStage, openFakeStage } from './fake-stage.ts';
import { NOW } from './mount.tsx';
import { attempt, detailOf, hooks, message, replayOf, retrying } from './scenes.ts';

let stage: FakeStage;
beforeEach(async () => {
  stage = await openFakeStage();
});
afterEach(() => stage.close());

const shown = (tab: 'attempts' | 'payload' = 'attempts') => (
  <MessageDetail id={1} tab={tab} full={false} onClose={() => {}} />
);
const text = () => stage.page.textContent ?? '';

describe('message detail', () => {
  it('shows a hidden header by its length and never its value', async () => {
    const secret = 'Bearer very-secret-token-value';
    const detail = retrying(NOW);
    // A value beside the length would be the engine's mistake; the page must not show it either.
    for (const one of detail.attempts)
      one.requestHeaders = [{ name: 'Authorization', hiddenLength: 30, value: secret } as never];
    await stage.put(detail);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(text()).toContain('hidden, 30 characters');
    expect(stage.page.innerHTML).not.toContain('very-secret');
  });

  it('counts offsets from the first request and the window from its commit a moment before', async () => {
    const late = retrying(NOW);
    const before = late.message.firstAttemptAt! - 2_000;
    const message = { ...late.message, firstAttemptAt: before, windowEndsAt: before + 14_400_000 };
    await stage.put({ ...late, message, schedule: { ...late.schedule!, windowEndsAt: message.windowEndsAt } });
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    const offsets = [...stage.page.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map(
      (row) => row.querySelectorAll('td')[1]?.textContent,
    );
    expect(offsets.slice(0, 2)).toEqual(['at once', '+10 s']);
    expect(offsets.at(-1)).toBe('+4 h');
    expect([...stage.page.querySelectorAll('svg text')].map((label) => label.textContent)).toContain('4 h');
  });

  it('draws 400 attempts, the rounds beyond 50 on demand', async () => {
    const first = NOW - 14_000_000;
    const attempts = Array.from({ length: 80 }, (_, n) =>
      hooks.map((hook) =>
        attempt('f', hook, { round: n + 1, clockAt: first + n * 170_000, startedAt: first + n * 170_000 }),
      ),
    ).flat();
    await stage.put(
      detailOf(
        message({
          receivedAt: first,
          state: 'expired',
          round: 80,
          firstAttemptAt: first,
          windowEndsAt: first + 14_400_000,
          finishedAt: NOW,
        }),
        attempts,
      ),
    );
    await stage.show(shown());
    expect(stage.page.querySelectorAll('section[aria-label^="Round "]')).toHaveLength(50);
    await stage.click('button', 'Show 30 older rounds');
    expect(stage.page.querySelectorAll('section[aria-label^="Round "]')).toHaveLength(80);
  });

  it('calls the bytes of a message delivered only when somebody took them', async () => {
    const row = (part: Partial<MessageRow>) => message({ receivedAt: NOW, ...part });
    const replay = replayOf(9, NOW, 'a');
    const cases: Array<[string, MessageRow, AttemptView[], Partial<Detail>]> = [
      ['To be sent', row({ state: 'queued' }), [], {}],
      ['To be sent', row({ state: 'paused' }), [attempt('f', hooks[0]!)], {}],
      ['Delivered', row({ state: 'delivered' }), [attempt('a', hooks[0]!)], {}],
      ['Would be sent', row({ state: 'delivered', reason: 'every_webhook_left_out' }), [], {}],
      ['Would be sent', row({ state: 'not_selected', reason: 'no_webhook' }), [], {}],
      ['Would be sent', row({ state: 'stopped' }), [], {}],
      ['Would be sent', row({ state: 'expired' }), [attempt('r', hooks[0]!)], {}],
      ['Sent', row({ state: 'expired' }), [attempt('r', hooks[0]!), attempt('t', hooks[1]!)], {}],
      ['Delivered', row({ state: 'failed' }), [attempt('d', hooks[0]!)], { replays: [replay] }],
    ];
    for (const [word, of, attempts, part] of cases) {
      await stage.put(detailOf(of, attempts, part));
      await stage.show(shown('payload'));
      await stage.pass(300);
      const words = [...stage.page.querySelectorAll('[role="radio"]')].map((one) => one.textContent);
      expect([words, of.state, of.reason]).toEqual([['Received', word], of.state, of.reason]);
      await stage.show(null);
    }
  });
});
