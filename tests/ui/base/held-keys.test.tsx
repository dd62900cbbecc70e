import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useHeldKeys } from '../../../src/renderer/screens/sources/held-calls.ts';
import { connectEngine, disconnect, render } from './harness.tsx';

afterEach(() => {
  disconnect();
  vi.useRealTimers();
});

const Keys = () => useHeldKeys().map(({ writeKey, calls }) => `${writeKey} ${calls}`);

it('finds new keys within 2 s while rejections do not stop coming', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const engine = await connectEngine();
  const looks = () => engine.calls.filter(({ name }) => name === 'messages.list');
  const shown = await render(<Keys />);
  for (let i = 0; i < 45; i++) {
    await act(async () => {
      await engine.post('/v1/identify', { userId: `user ${i}` }, 'wk_new');
      await engine.pass();
      await vi.advanceTimersByTimeAsync(100);
    });
  }
  await act(async () => engine.pass());
  // At once, then every 2 s: the last look was made at 4 s, with about 40 of them stored.
  expect(looks()).toHaveLength(3);
  const [, calls] = /wk_new (\d+)/.exec(document.body.textContent ?? '') ?? [];
  expect(Number(calls)).toBeGreaterThanOrEqual(40);
  shown.unmount();
});
