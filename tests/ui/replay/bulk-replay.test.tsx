/** Replays of many messages: the question before them, and the banner while they run. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReplayBanner } from '../../../src/renderer/frame/replay-banner.tsx';
import { BulkReplayDialog } from '../../../src/renderer/message/bulk-replay-dialog.tsx';
import { memoryFolder } from '../../helpers/memory-folder.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';
import { blur, byName, type } from '../base/harness.tsx';
import { ORDER } from '../detail/histories.ts';
import { openStage, type Stage } from '../detail/mount.tsx';
import { hooks } from '../detail/scenes.ts';

let stage: Stage;
let isClosed: boolean;
beforeEach(async () => {
  isClosed = false;
  localStorage.clear();
  stage = await openStage();
});
afterEach(() => stage.close());

const text = () => document.body.textContent ?? '';
const close = () => {
  isClosed = true;
};
const post = async (n: number) => {
  for (let i = 0; i < n; i++) await stage.post({ ...ORDER, messageId: `m${i}`, userId: `user-${i}` });
  await stage.pass(5_000);
};
const button = (name: string) => stage.find('button', name) as HTMLButtonElement;
const sentTo = (url: string) => stage.engine.transport.sent.filter((one) => one.url === url).length;

describe('the question', () => {
  it('names the messages, the webhooks, the order and the rate', async () => {
    await post(3);
    await stage.show(<BulkReplayDialog select={{ ids: [1, 2, 3] }} onClose={close} />);
    expect(text()).toContain('Replay 3 messages to 4 webhooks?');
    expect(text()).toContain('They are sent as they were, in the order received, 10 per second.');
    await stage.click('checkbox', /^Legacy/);
    expect(text()).toContain('Replay 3 messages to 3 webhooks?');
    await stage.click('checkbox', 'Set a new timestamp');
    expect(text()).toContain('They are sent as they were with new timestamps, in the order received, 10 per second.');
  });

  it('of a filter counts first, and sends what was counted to what is chosen', async () => {
    await post(2);
    await stage.show(<BulkReplayDialog select={{ filter: {} }} onClose={close} />);
    expect(text()).toContain('Replay 2 messages to 4 webhooks?');
    await post(1);
    for (const name of [/^Warehouse/, /^Flaky/, /^Legacy/]) await stage.click('checkbox', name);
    const before = sentTo(hooks[0]!.url);
    await stage.click('button', 'Replay');
    await stage.pass(1_000);
    expect(stage.calls('replay.bulk')).toEqual([
      { select: { filter: {}, upTo: 2 }, webhookIds: [1], order: 'oldest', rate: 10, newTimestamp: false },
    ]);
    expect(isClosed).toBe(true);
    expect(sentTo(hooks[0]!.url) - before).toBe(2);
  });

  it('offers the newest first, and sends so', async () => {
    await post(2);
    await stage.show(<BulkReplayDialog select={{ ids: [1, 2] }} onClose={close} />);
    await stage.click('radio', 'Newest first');
    expect(text()).toContain('They are sent as they were, newest first, 10 per second.');
    const before = sentTo(hooks[0]!.url);
    await stage.click('button', 'Replay');
    await stage.pass(1_000);
    const bodies = stage.engine.transport.sent.filter(({ url }) => url === hooks[0]!.url).slice(before);
    expect(bodies.map(({ body }) => JSON.parse(body).userId)).toEqual(['user-1', 'user-0']);
  });

  it('begins nothing at another rate than the field shows', async () => {
    await post(2);
    await stage.show(<BulkReplayDialog select={{ ids: [1, 2] }} onClose={close} />);
    const rate = byName('input', 'Messages per second');
    for (const wrong of ['0', 'fast', '']) {
      await type(rate, wrong);
      await blur(rate);
      expect(text()).toContain('1 to 100');
      expect(button('Replay').disabled).toBe(true);
    }
    await type(rate, '7');
    await blur(rate);
    expect(text()).toContain('7 per second.');
    await stage.click('button', 'Replay');
    expect(stage.calls('replay.bulk')).toMatchObject([{ rate: 7 }]);
  });

  it('can begin nothing without a message or a webhook', async () => {
    await stage.show(<BulkReplayDialog select={{ filter: {} }} onClose={close} />);
    expect(text()).toContain('Replay 0 messages');
    expect(button('Replay').disabled).toBe(true);
    await post(1);
    await stage.show(<BulkReplayDialog key="one" select={{ ids: [1] }} onClose={close} />);
    expect(button('Replay').disabled).toBe(false);
    for (const name of [/^CRM/, /^Warehouse/, /^Flaky/, /^Legacy/]) await stage.click('checkbox', name);
    expect(button('Replay').disabled).toBe(true);
  });

  it('waits for another replay, and says so', async () => {
    await post(3);
    await stage.tell('replay.bulk', { select: { ids: [1, 2, 3] }, webhookIds: [1], rate: 1 });
    await stage.show(<BulkReplayDialog select={{ ids: [1] }} onClose={close} />);
    expect(text()).toContain('Another replay is running: 1 of 3. Stop it first.');
    expect(button('Replay').disabled).toBe(true);
    await stage.pass(3_000);
    expect(button('Replay').disabled).toBe(false);
  });
});

describe('the banner', () => {
  it('counts on, and stops', async () => {
    await post(5);
    await stage.show(<ReplayBanner />);
    await stage.tell('replay.bulk', { select: { ids: [1, 2, 3, 4, 5] }, webhookIds: [1], rate: 1 });
    expect(text()).toContain('Replaying 5 messages: 1 of 5.');
    await stage.pass(1_000);
    expect(text()).toContain('Replaying 5 messages: 2 of 5.');
    const before = sentTo(hooks[0]!.url);
    await stage.click('button', 'Stop');
    await stage.pass(5_000);
    expect(sentTo(hooks[0]!.url)).toBe(before);
    expect(text()).not.toContain('Replaying');
  });

  it('tells of a replay that the end of Hookbench cut short, until it is read', async () => {
    await stage.close();
    const folder = tempWorkspace(memoryFolder());
    stage = await openStage({ folder });
    await post(3);
    await stage.tell('replay.bulk', { select: { ids: [1, 2, 3] }, webhookIds: [1], rate: 1 });
    await stage.engine.stop();
    await stage.close();
    stage = await openStage({ folder, config: undefined });
    await stage.show(<ReplayBanner />);
    expect(text()).toContain('Replay interrupted after 1 of 3 messages.');
    expect(text()).toContain('Hookbench ended meanwhile. The rest was not sent.');
    await stage.click('button', 'Dismiss');
    await stage.show(<ReplayBanner key="reloaded" />);
    expect(text()).not.toContain('Replay interrupted');
  });

  it('tells why a replay failed', async () => {
    await post(3);
    await stage.show(<ReplayBanner />);
    await stage.tell('replay.bulk', { select: { ids: [1, 2, 3] }, webhookIds: [1], rate: 1 });
    await stage.tell('webhooks.remove', { id: 1 });
    await stage.pass(2_000);
    expect(text()).toContain('Replay failed after 1 of 3 messages. There is no such webhook.');
  });
});
