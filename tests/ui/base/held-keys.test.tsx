import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { MessageRow, StatusView } from '../../../src/contract/values.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useHeldKeys } from '../../../src/renderer/screens/sources/held-calls.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { makeRow } from '../../helpers/fake-data.ts';
import { render } from './harness.tsx';

vi.mock(import('../../../src/renderer/platform/connect.ts'), async (actual) => ({
  ...(await actual()),
  call: vi.fn(),
}));

afterEach(() => vi.useRealTimers());

const rejectedRow = (id: number): MessageRow => ({
  ...makeRow(id, { hostile: false, now: 0, total: 0 }),
  state: 'rejected',
  reason: 'unknown_source',
  reasonDetail: 'wk_new',
});
const Keys = () => useHeldKeys().map(({ writeKey, calls }) => `${writeKey} ${calls}`);

it('finds new keys within 2 s while rejections do not stop coming', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let count = 0;
  const page = () => ({ rows: Array.from({ length: count }, (_unused, i) => rejectedRow(i + 1)) });
  vi.mocked(call).mockImplementation(async () => page() as never);
  const shown = await render(<Keys />);
  for (let i = 0; i < 45; i++) {
    count += 1;
    await act(async () => {
      useRecords.setState({ status: { counts: { rejected: count } } as StatusView });
      await vi.advanceTimersByTimeAsync(100);
    });
  }
  // At once, then every 2 s: the last look was made at 4 s, with 40 of them stored.
  expect(call).toHaveBeenCalledTimes(3);
  expect(document.body.textContent).toContain('wk_new 40');
  shown.unmount();
});
