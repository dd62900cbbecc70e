import { act, Suspense, useState } from 'react';
import { expect, it } from 'vitest';
import { deferred } from '../../../src/renderer/lib/deferred.tsx';
import { byName, click, render } from './harness.tsx';

function Counter({ start }: { start: number }) {
  const [count, setCount] = useState(start);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {`${count} clicks`}
    </button>
  );
}

/** A load that a test ends. */
function loads() {
  const ends: Array<{ resolve: (component: typeof Counter) => void; reject: (error: Error) => void }> = [];
  const made = deferred(() => new Promise<typeof Counter>((resolve, reject) => ends.push({ resolve, reject })));
  return { ...made, ends };
}

it('shows the fallback until the code is there, and keeps what is mounted', async () => {
  const { Component, preload, ends } = loads();
  const Page = () => {
    const [title, setTitle] = useState('First');
    return (
      <Suspense fallback="waits">
        <button type="button" onClick={() => setTitle('Second')}>
          {title}
        </button>
        <Component start={3} />
      </Suspense>
    );
  };
  const shown = await render(<Page />);
  expect(document.body.textContent).toContain('waits');
  await act(async () => ends[0]!.resolve(Counter));
  await click(byName('button', '3 clicks'));
  await preload();
  await click(byName('button', 'First'));
  expect(byName('button', 'Second')).toBeTruthy();
  expect(document.body.textContent).toContain('4 clicks');
  expect(ends).toHaveLength(1);
  shown.unmount();
});

it('renders at once what was loaded before', async () => {
  const { Component, preload, ends } = loads();
  const loading = preload();
  ends[0]!.resolve(Counter);
  await loading;
  const shown = await render(<Component start={1} />);
  expect(document.body.textContent).toContain('1 clicks');
  shown.unmount();
});

it('loads again after a load that failed', async () => {
  const { preload, ends } = loads();
  const first = preload();
  ends[0]!.reject(new Error('offline'));
  await expect(first).rejects.toThrow('offline');
  const second = preload();
  ends[1]!.resolve(Counter);
  await expect(second).resolves.toBeUndefined();
});
