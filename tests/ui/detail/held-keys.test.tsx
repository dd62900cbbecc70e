import { act, Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../src/renderer/lib/deferred.tsx';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { DetailToCome } from '../../../src/renderer/screens/live/detail-to-come.tsx';
import { useRoute, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { retrying } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';

let stage: Stage;
let closed = 0;
/** How long keys wait goes by this, however slow the machine is. */
let now = 0;
/** The code of the detail arrives. */
let arrive: () => void;
beforeEach(async () => {
  closed = 0;
  now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  stage = await openStage();
  await retrying(stage);
});
afterEach(async () => {
  await stage.close();
  vi.restoreAllMocks();
});

/** A message as the list shows it, whose code comes only when {@link arrive} is called. */
async function openMessage(id = 1): Promise<void> {
  const { Component } = deferred(
    () => new Promise<typeof MessageDetail>((resolve) => (arrive = () => resolve(MessageDetail))),
  );
  const onClose = () => {
    closed += 1;
  };
  const Page = () => {
    const route = useRoute();
    const tab = route.screen === 'live' ? route.tab : 'attempts';
    return (
      <Suspense fallback={<DetailToCome id={id} onClose={onClose} />}>
        <Component id={id} tab={tab} full={false} onClose={onClose} />
      </Suspense>
    );
  };
  await stage.show(<Page />);
}
const come = async () => {
  await act(async () => arrive());
  await stage.pass();
};
const route = () => useRouteStore.getState().route;
const attempts = () => stage.tell('messages.attempts', { id: 1 }).then((view) => view.attempts);

describe('keys that are pressed before the code of the detail is there', () => {
  it('act when it is there', async () => {
    await openMessage();
    await stage.press('5');
    expect(route()).not.toMatchObject({ tab: 'raw' });
    await come();
    expect(route()).toMatchObject({ screen: 'live', messageId: 1, tab: 'raw' });
  });

  it('act in their order, each on what the one before left', async () => {
    await openMessage();
    for (const key of ['5', '[', '[']) await stage.press(key);
    await come();
    expect(route()).toMatchObject({ tab: 'attempts' });
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String((await attempts()).at(-2)!.id));
  });

  it('act after one that has nothing to do here', async () => {
    await openMessage();
    for (const key of ['v', '5']) await stage.press(key);
    await come();
    expect(route()).toMatchObject({ tab: 'raw' });
  });

  it('act once', async () => {
    await openMessage();
    await stage.press('s');
    await come();
    await stage.pass(1_000);
    expect(stage.calls('messages.stop')).toEqual([{ id: 1 }]);
  });

  it('are forgotten on Escape, which closes at once', async () => {
    await openMessage();
    await stage.press('s');
    await stage.press('Escape');
    expect(closed).toBe(1);
    await come();
    expect(stage.calls('messages.stop')).toEqual([]);
  });

  it('do nothing to another message', async () => {
    await openMessage(2);
    await stage.press('5');
    await openMessage(1);
    await come();
    expect(route()).not.toMatchObject({ tab: 'raw' });
  });

  it('do nothing more than three seconds later', async () => {
    await openMessage();
    await stage.press('s');
    now += 3_000;
    await come();
    expect(stage.calls('messages.stop')).toEqual([]);
  });

  it('are text in a field', async () => {
    await openMessage();
    const field = document.createElement('input');
    document.body.append(field);
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true, cancelable: true }));
    field.remove();
    await come();
    expect(stage.calls('messages.stop')).toEqual([]);
  });
});

it('a key that needs the attempts waits until they were read, and the keys after it wait too', async () => {
  const detail = await stage.tell('messages.get', { id: 1 });
  let answer = () => {};
  stage.engine.answer('messages.get', () => new Promise((resolve) => (answer = () => resolve(detail))));
  await openMessage();
  await come();
  await stage.press('[');
  await stage.press('2');
  expect([stage.page.textContent?.includes('Order Completed'), stage.find('tab', 'Raw')]).toEqual([
    true,
    expect.anything(),
  ]);
  expect(document.activeElement).toBe(document.body);
  expect(route()).not.toMatchObject({ tab: 'payload' });
  answer();
  await stage.pass();
  expect(route()).toMatchObject({ tab: 'payload' });
});
