import { afterEach, beforeEach, expect, it } from 'vitest';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { answering, ONE_WEBHOOK, ORDER } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ config: ONE_WEBHOOK });
  answering(stage, 'a');
});
afterEach(() => stage.close());

const text = () => document.body.textContent ?? '';
const show = () => stage.show(<MessageDetail id={1} tab="signature" full={false} onClose={() => {}} />);
const requests = () =>
  [...stage.page.querySelectorAll('section[aria-label^="Requests"] li')].map((li) => li.lastChild?.textContent);

it('shows the digest that was sent, who carried it, and code to verify it', async () => {
  await stage.post(ORDER);
  await stage.pass(2_000);
  await show();
  const { signature } = await stage.tell('messages.get', { id: 1 });
  expect(text()).toContain(signature!.match(/.{8}/g)!.join(' '));
  expect(requests()).toEqual(['the digest above']);
  expect(stage.page.querySelector('section[aria-label="Node.js code"]')?.textContent).toContain(
    "createHmac('sha1', secret)",
  );
  await stage.click('button', 'Open in Signature lab');
  expect(useRouteStore.getState().route).toEqual({ screen: 'signature', attemptId: 1 });
});

it('tells a signature under an earlier secret and that of an edited replay apart', async () => {
  await stage.post(ORDER);
  await stage.pass(2_000);
  await stage.tell('replay.send', { id: 1, webhookIds: [1], body: '{"edited":true}' });
  await stage.pass(2_000);
  await show();
  expect(requests()).toEqual(['the digest above', 'the body it sent']);
  expect(stage.page.querySelectorAll('[aria-label="Verified"]')).toHaveLength(2);
  expect(text()).toContain('Their digest with the shared secret of now is the signature that it carried.');
  expect(text()).not.toContain('Another signature was made');
  await stage.tell('destination.setSecret', { secret: 'a new one' });
  await stage.pass(1_000);
  expect(requests()).toEqual(['another one', 'another one']);
  expect(stage.page.querySelector('[aria-label="Verified"]')).toBeNull();
  expect(text()).toContain('Another signature was made with an earlier shared secret');
});

it('says that nothing is signed without a secret, and that no request was made', async () => {
  await stage.tell('destination.setSecret', { secret: null });
  await stage.tell('destination.save', { paused: true });
  await stage.post(ORDER);
  await show();
  expect(text()).toContain('Requests are not signed.');
  expect(text()).toContain('No request carried a signature');
  expect(stage.find('button', 'Open in Signature lab')).toBeUndefined();
});
