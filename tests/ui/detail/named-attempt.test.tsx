/** A link to one attempt of a message: `#/live/1/attempts/34`. */
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { type DetailTab, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { answering, CONFIG, ORDER, RETRY, retrying, WEBHOOKS } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';

let stage: Stage;
let intoView: Element[];
beforeEach(async () => {
  intoView = [];
  // jsdom scrolls nothing.
  Element.prototype.scrollIntoView = vi.fn(function (this: Element) {
    intoView.push(this);
  });
  stage = await openStage();
});
afterEach(async () => {
  await stage.close();
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView');
});

const show = (attempt: number | undefined, tab: DetailTab = 'attempts') =>
  stage.show(<MessageDetail id={1} tab={tab} full={false} attempt={attempt} onClose={() => {}} />);
const attemptsOf = async () => (await stage.tell('messages.attempts', { id: 1 })).attempts;
const rowOf = (id: number) => stage.page.querySelector<HTMLElement>(`[data-attempt="${id}"]`);
const opened = () =>
  [...stage.page.querySelectorAll('[data-attempt][aria-expanded="true"]')].map((row) =>
    Number(row.getAttribute('data-attempt')),
  );
const text = () => stage.page.textContent ?? '';

it('is unfolded alone, in view and focused, in whatever round it is', async () => {
  await retrying(stage);
  const [first, second] = await attemptsOf();
  await show(first!.id);
  expect(opened()).toEqual([first!.id]);
  expect(document.activeElement).toBe(rowOf(first!.id));
  expect(intoView).toEqual([rowOf(first!.id)]);
  await show(second!.id);
  expect(opened()).toEqual([second!.id]);
  expect(document.activeElement).toBe(rowOf(second!.id));
});

it('stays open on other tabs, and takes the focus only once', async () => {
  await retrying(stage);
  const [first] = await attemptsOf();
  await show(first!.id);
  await stage.press('2');
  expect(useRouteStore.getState().route).toMatchObject({ messageId: 1, tab: 'payload', attempt: first!.id });
  await show(first!.id, 'payload');
  const tab = stage.find('tab', 'Payload')!;
  act(() => tab.focus());
  await show(first!.id);
  expect(opened()).toEqual([first!.id]);
  expect(document.activeElement).toBe(tab);
  expect(intoView).toHaveLength(1);
});

it('can be folded, and others can be opened', async () => {
  await retrying(stage);
  const [first, second] = await attemptsOf();
  await show(first!.id);
  await stage.clickFirst(`[data-attempt="${second!.id}"]`);
  expect(opened().sort((a, b) => a - b)).toEqual([first!.id, second!.id].sort((a, b) => a - b));
  await stage.clickFirst(`[data-attempt="${first!.id}"]`);
  expect(opened()).toEqual([second!.id]);
});

it('is found in a replay', async () => {
  await retrying(stage);
  answering(stage, 'a', 'a', '5');
  const { id } = await stage.tell('replay.send', { id: 1, webhookIds: [2] });
  await stage.pass(2_000);
  const { replays } = await stage.tell('messages.attempts', { id: 1 });
  const attempt = replays.find((replay) => replay.id === id)!.attempts[0]!;
  await show(attempt.id);
  expect(opened()).toEqual([attempt.id]);
  expect(rowOf(attempt.id)!.closest('[aria-label="Replay 1"]')).not.toBeNull();
  expect(text()).not.toContain('The address names');
  expect(document.activeElement).toBe(rowOf(attempt.id));
});

it('is drawn in a round that is beyond the first 50, which stays when the attempt is folded', async () => {
  const everyMs = 181_000;
  const entries = WEBHOOKS.entries!.slice(0, 1);
  const retry = { ...RETRY, baseMs: everyMs, maxMs: everyMs };
  const config: Config = { ...CONFIG, webhooks: { ...WEBHOOKS, entries, retry }, clock: { speed: 240 } };
  await stage.close();
  stage = await openStage({ config });
  answering(stage, 'f');
  await stage.post(ORDER);
  await stage.skip(RETRY.windowMs / 240);
  const [first] = await attemptsOf();
  await show(first!.id);
  expect(rowOf(first!.id)!.closest('[aria-label="Round 1"]')).not.toBeNull();
  await stage.clickFirst(`[data-attempt="${first!.id}"]`);
  expect(opened()).toEqual([]);
  expect(stage.page.querySelector('[aria-label="Round 1"]')).not.toBeNull();
});

it('that is none of the message is said to be none', async () => {
  await retrying(stage);
  await show(999_999);
  expect(text()).toContain('The address names an attempt that this message does not have.');
  expect(opened()).toEqual([]);
  await show((await attemptsOf())[0]!.id);
  expect(text()).not.toContain('The address names');
});
