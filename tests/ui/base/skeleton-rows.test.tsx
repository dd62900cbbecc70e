/** Placeholders of lists: after a moment, and gone with the first answer. */
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SKELETON_MS, SkeletonRows } from '../../../src/renderer/components/skeleton-rows.tsx';
import { type Rendered, render } from './harness.tsx';

let shown: Rendered;
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  shown.unmount();
  vi.useRealTimers();
});
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const busy = () => shown.container.querySelector('[aria-busy="true"]');
const bones = () => shown.container.querySelectorAll('[aria-hidden="true"]').length;

it('say that they wait at once, and are drawn when the answer is late', async () => {
  shown = await render(<SkeletonRows rowHeight={54} />);
  expect(busy()).not.toBeNull();
  await pass(SKELETON_MS - 1);
  expect([bones(), shown.container.textContent]).toEqual([0, '']);
  await pass(1);
  expect([bones(), shown.container.textContent]).toEqual([12, 'Loading']);
  expect(shown.container.querySelector<HTMLElement>('[aria-hidden="true"]')!.style.height).toBe('54px');
});

it('have the columns of the list that draws its own', async () => {
  shown = await render(<SkeletonRows row={() => <i>column</i>} />);
  await pass(SKELETON_MS);
  expect(shown.container.querySelectorAll('i')).toHaveLength(12);
  expect(bones()).toBe(0);
});
