import { afterEach, describe, expect, it } from 'vitest';
import type { RecentAttempt } from '../../../src/contract/values.ts';
import { outcomeSentence } from '../../../src/renderer/lib/words/attempts.ts';
import { HitStrip } from '../../../src/renderer/screens/receivers/hit-strip.tsx';
import { AttemptStrip } from '../../../src/renderer/screens/webhooks/attempt-strip.tsx';
import { type Rendered, render } from './harness.tsx';

let shown: Rendered | null = null;
afterEach(() => {
  shown?.unmount();
  shown = null;
});

async function show(element: Parameters<typeof render>[0]) {
  shown = await render(element);
  const image = shown.container.querySelector('[role="img"]')!;
  const bars = [...image.children];
  const filled = bars.filter((bar) => bar.hasAttribute('title'));
  return {
    label: image.getAttribute('aria-label'),
    bars,
    filled,
    titles: filled.map((bar) => bar.getAttribute('title')),
  };
}

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const attempt = (change: Partial<RecentAttempt> = {}): RecentAttempt => ({
  outcome: 'accepted',
  status: 200,
  reason: null,
  at: AT,
  was: null,
  ...change,
});

describe('outcomes in a row', () => {
  it('are summed up in a sentence, the most frequent first', () => {
    expect(outcomeSentence('request', [])).toBe('No requests yet');
    expect(outcomeSentence('attempt', [])).toBe('No attempts yet');
    expect(outcomeSentence('request', ['failed'])).toBe('Last request: 1 failed');
    expect(outcomeSentence('attempt', ['accepted', 'failed', 'failed'])).toBe('Last 3 attempts: 2 failed, 1 accepted');
  });

  it('show the newest 24 attempts, and those made under another name as such', async () => {
    const was = { name: 'Old', url: 'http://old/' };
    const recent = [attempt({ outcome: 'failed', status: 500 }), ...Array.from({ length: 22 }, () => attempt())];
    const { label, bars, filled, titles } = await show(
      <AttemptStrip recent={[...recent, attempt(), attempt({ was })]} />,
    );
    expect(label).toBe('Last 24 attempts: 24 accepted, 1 of them under another name or at another address');
    expect([bars.length, filled.length]).toEqual([24, 24]);
    expect(titles.at(-1)).toBe('200 OK, 2026-01-02T03:04:05.000Z, then Old, http://old/');
    expect(titles[0]).toBe('200 OK, 2026-01-02T03:04:05.000Z');
    expect(new Set(filled.slice(0, -1).map((bar) => bar.className)).size).toBe(1);
    expect(filled.at(-1)!.className).not.toBe(filled[0]!.className);
  });

  it('leave the first of 20 places empty until a receiver has had 20 requests', async () => {
    const recent = [
      { status: 503, answer: 'status', at: AT },
      { status: null, answer: 'reset', at: AT },
    ] as const;
    const { label, bars, filled, titles } = await show(<HitStrip recent={recent} />);
    expect(label).toBe('Last 2 requests: 1 failed, 1 no connection');
    expect(bars).toHaveLength(20);
    expect(filled).toEqual(bars.slice(-2));
    expect(titles[0]).toMatch(/^503, /);
  });
});
