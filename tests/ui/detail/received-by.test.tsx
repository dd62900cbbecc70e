/** The details of an attempt name the receiver of the lab that got it. Real requests: tests/e2e/keyboard-story.spec.ts. */
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { ReceivedAttempt } from '../../../src/contract/receivers.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { answering, answers, ONE_WEBHOOK, ORDER } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';
import { hooks } from './scenes.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ config: ONE_WEBHOOK });
});
afterEach(() => stage.close());

const receivedBy = (...all: readonly ReceivedAttempt[]) => stage.engine.answer('receivers.ofAttempt', () => all);
const open = async () => {
  await stage.post(ORDER);
  await stage.show(<MessageDetail id={1} tab="attempts" full={false} onClose={() => {}} />);
  await stage.clickFirst('[data-attempt]');
};
const text = () => stage.page.textContent ?? '';
const links = () =>
  [...stage.page.querySelectorAll('a[href^="#/receivers"]')].map((a) => [a.textContent, a.getAttribute('href')]);

it('links each receiver that got it, in the order sent', async () => {
  answering(stage, 'a');
  receivedBy({ receiver: 'redirect', name: 'Redirect', hit: 14 }, { receiver: 'ok', name: 'Always 200', hit: 15 });
  await open();
  expect(links()).toEqual([
    ['Received by Redirect', '#/receivers/redirect/14'],
    ['Received by Always 200', '#/receivers/ok/15'],
  ]);
});

it('names the receiver whose log does not have the request', async () => {
  answering(stage, 'a');
  receivedBy({ receiver: 'ok', name: 'Always 200', hit: null });
  await open();
  expect(links()).toEqual([]);
  expect(text()).toContain('Sent to the receiver Always 200, whose log does not have the request.');
});

it('says nothing of receivers when none got it, or when they are off', async () => {
  answering(stage, 'a');
  await open();
  expect(stage.calls('receivers.ofAttempt')).toEqual([{ attempt: 1 }]);
  expect(text()).not.toContain('receiver');
  stage.engine.failNext('receivers.ofAttempt', new ContractError('receivers_off'));
  for (const _ of [0, 1]) await stage.clickFirst('[data-attempt]');
  expect(stage.calls('receivers.ofAttempt')).toHaveLength(2);
  expect(text()).not.toContain('receiver');
});

it('says when it could not be read', async () => {
  answering(stage, 'a');
  stage.engine.failNext('receivers.ofAttempt', new ContractError('body_damaged'));
  await open();
  expect(text()).toContain('Could not read which receiver got it.');
});

it('follows an open attempt until a receiver has its request', async () => {
  stage.engine.transport.on(hooks[0]!.url, answers('a', { afterMs: 3_000, durationMs: 3_000 }));
  receivedBy({ receiver: 'slow', name: 'Slow', hit: null });
  await open();
  expect(text()).not.toContain('Slow');
  receivedBy({ receiver: 'slow', name: 'Slow', hit: 7 });
  await act(() => stage.pass(1_000));
  expect(links()).toEqual([['Received by Slow', '#/receivers/slow/7']]);
});
