import { act, lazy } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PartBoundary } from '../../../src/renderer/frame/part-boundary.tsx';
import type { ConnectionState } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { byName, click, type Rendered, render } from './harness.tsx';

let shown: Rendered | null = null;
const reload = vi.fn();
beforeEach(() => {
  // React reports every error that a boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  shown?.unmount();
  shown = null;
  reload.mockReset();
  vi.restoreAllMocks();
  vi.useRealTimers();
  useRecords.setState(useRecords.getInitialState(), true);
});

const text = () => document.body.textContent;
const connection = (state: ConnectionState) => act(async () => useRecords.setState({ connection: state }));

/** A part whose code never comes, beside something that stays. */
async function open(state: ConnectionState): Promise<void> {
  await connection(state);
  const Part = lazy(() => Promise.reject(new Error('offline')));
  shown = await render(
    <>
      <p>The frame.</p>
      <PartBoundary frame={(content) => <section>People{content}</section>} reload={reload}>
        <Part />
      </PartBoundary>
    </>,
  );
}

it('says in the place of a part that it could not be shown, and offers to load the page again', async () => {
  await open('open');
  expect(text()).toMatch(/The frame\.People.*This could not be shown/);
  expect(reload).not.toHaveBeenCalled();
  await click(byName('button', 'Load again'));
  expect(reload).toHaveBeenCalledOnce();
});

it('waits for the engine while that is away, and then loads the page again by itself', async () => {
  await open('lost');
  expect(text()).toMatch(/The frame\.People.*cannot be shown without the engine/);
  await connection('connecting');
  expect(reload).not.toHaveBeenCalled();
  await connection('open');
  expect(reload).toHaveBeenCalledOnce();
});

it('notices that the engine has gone only afterwards', async () => {
  await open('open');
  await connection('lost');
  expect(text()).toContain('cannot be shown without the engine');
  await connection('open');
  expect(reload).toHaveBeenCalledOnce();
});

it('says that a part is loaded only after a moment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const Part = lazy(() => new Promise<never>(() => {}));
  shown = await render(
    <PartBoundary>
      <Part />
    </PartBoundary>,
  );
  expect(text()).toBe('');
  await act(async () => vi.advanceTimersByTimeAsync(300));
  expect(text()).toBe('Loading');
});
