/** The detail of a message on a stage that each test gets anew. */
import { afterEach, beforeEach } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { openStage, type Stage } from './mount.tsx';

export let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());
/** Starts anew with another config. */
export const reopen = async (config: Config) => {
  await stage.close();
  stage = await openStage({ config });
};

const noClose = () => {};
export const shown = (id = 1, tab: 'attempts' | 'payload' = 'attempts', onClose = noClose) => (
  <MessageDetail id={id} tab={tab} full={false} onClose={onClose} />
);
/** Another window asks for it. */
export const retryNow = () => stage.tell('messages.retryNow', { id: 1 });
export const text = () => stage.page.textContent ?? '';
