import { act, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useNewest, useReadAgain } from '../../../src/renderer/stores/use-read-again.ts';
import { render } from './harness.tsx';

const EVERY_MS = 500;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** Reads what is of version `first`; its questions are answered by hand. */
async function reading(first: string | null, keyOf: (version: string | null) => string | null = () => null) {
  const asked: string[] = [];
  const shownAnswers: string[] = [];
  const answers: Array<() => void> = [];
  let change: (version: string) => void = () => {};
  function Reader() {
    const [version, setVersion] = useState(first);
    change = setVersion;
    const begin = useNewest();
    const read = (of: string) => {
      asked.push(of);
      const isNewest = begin();
      answers.push(() => isNewest() && shownAnswers.push(of));
    };
    useReadAgain(version, EVERY_MS, read, keyOf(version));
    return null;
  }
  const { unmount } = await render(<Reader />);
  return { asked, shownAnswers, answers, unmount, change: (to: string) => act(async () => change(to)) };
}

it('reads at once, and what changed meanwhile once after the pause, as it is then', async () => {
  const { asked, change, unmount } = await reading('a');
  await pass(0);
  expect(asked).toEqual(['a']);
  await change('b');
  await pass(300);
  await change('c');
  await pass(199);
  expect(asked).toEqual(['a']);
  await pass(1);
  expect(asked).toEqual(['a', 'c']);
  await pass(10 * EVERY_MS);
  await change('d');
  await pass(0);
  expect(asked).toEqual(['a', 'c', 'd']);
  unmount();
});

it('does not wait with another question, and then waits with that one', async () => {
  const { asked, change, unmount } = await reading('mira 1', (version) => version!.split(' ')[0]!);
  await pass(0);
  await change('lee 1');
  await pass(0);
  expect(asked).toEqual(['mira 1', 'lee 1']);
  await change('lee 2');
  await pass(EVERY_MS - 1);
  expect(asked).toHaveLength(2);
  await pass(1);
  expect(asked.at(-1)).toBe('lee 2');
  unmount();
});

it('reads nothing where there is nothing to read, and does not wait when there is', async () => {
  const { asked, change, unmount } = await reading(null);
  await pass(0);
  await change('a');
  await pass(0);
  expect(asked).toEqual(['a']);
  unmount();
});

it('shows an answer until the next question is asked, and none after that or after it was left', async () => {
  const { shownAnswers, answers, change, unmount } = await reading('a');
  await pass(0);
  await change('b');
  answers[0]!();
  expect(shownAnswers).toEqual(['a']);
  await pass(EVERY_MS);
  answers[0]!();
  expect(shownAnswers).toEqual(['a']);
  answers[1]!();
  expect(shownAnswers).toEqual(['a', 'b']);
  unmount();
  answers[1]!();
  expect(shownAnswers).toEqual(['a', 'b']);
});
