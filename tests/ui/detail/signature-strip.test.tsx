/** The signature below what changed before sending. */
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { answering, ORDER } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';

let stage: Stage;
let height: number;
let heard: Set<() => void>;
beforeEach(async () => {
  height = 800;
  heard = new Set();
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      const least = /^\(min-height: (\d+)px\)$/.exec(query)?.[1];
      return least === undefined ? /min-width/.test(query) : height >= Number(least);
    },
    addEventListener: (_type: string, listener: () => void) => heard.add(listener),
    removeEventListener: (_type: string, listener: () => void) => heard.delete(listener),
  }));
  stage = await openStage();
  answering(stage, 'f', 'd', 'a', 'f');
});
afterEach(async () => {
  await stage.close();
  vi.unstubAllGlobals();
});

const show = () => stage.show(<MessageDetail id={1} tab="compare" full onClose={() => {}} />);
const strip = (title: string) => stage.page.querySelector(`section[aria-label="${title}"]`);
const facts = (title: string) => [...(strip(title)?.querySelectorAll('dd') ?? [])].map((dd) => dd.textContent);
const note = (title: string) => strip(title)?.querySelector('p')?.textContent;
const grouped = (digest: string) => digest.match(/.{8}/g)!.join(' ');
const setSecret = (secret: string | null) => stage.tell('destination.setSecret', { secret });
const own = (id: number, body?: string) =>
  stage.tell('replay.send', { id: 1, webhookIds: [id], ...(body && { body }) });

it('is verified by the request that was accepted, and says how many carried it', async () => {
  await stage.post(ORDER);
  await show();
  const { signature, deliveredJson } = await stage.tell('messages.get', { id: 1 });
  expect(facts('Signature verified')).toEqual([
    grouped(signature!),
    grouped(signature!),
    'HMAC-SHA1, lowercase hex',
    `${deliveredJson!.length}, the body exactly as sent`,
  ]);
  expect(note('Signature verified')).toBe('Sent by attempt 3. All 4 requests carried the same digest.');
  expect(stage.find('link', 'Open the tab')?.getAttribute('href')).toBe('#/live/1/signature/full');
  expect(strip('Verify in your receiver')?.textContent).toContain('createHmac');
});

it('tells the requests with this body from those of edited replays', async () => {
  await stage.post(ORDER);
  await own(1);
  await own(1, '{"edited":true}');
  await stage.pass(2_000);
  await show();
  expect(note('Signature verified')).toBe('Sent by attempt 3. All 5 requests with this body carried the same digest.');
});

it('says that another secret signed it, and counts what carried that digest', async () => {
  await stage.post(ORDER);
  const { signature: first } = await stage.tell('messages.get', { id: 1 });
  await setSecret('a new one');
  await own(1);
  await stage.pass(2_000);
  await show();
  const { signature } = await stage.tell('messages.get', { id: 1 });
  expect(facts('Another signature was sent').slice(0, 2)).toEqual([grouped(first!), grouped(signature!)]);
  expect(note('Another signature was sent')).toBe(
    'Sent by attempt 3. 4 of 5 requests carried this digest. The shared secret has changed since.',
  );
  await setSecret(null);
  await stage.pass(1_000);
  expect(facts('Signature not checked')).toEqual([grouped(first!)]);
  expect(note('Signature not checked')).toContain('Add a shared secret');
});

it('says that no request carried it yet, and that nothing is signed without a secret', async () => {
  await stage.tell('destination.save', { paused: true });
  await stage.post(ORDER);
  await show();
  expect(facts('No request carried the signature')[2]).toMatch(/^\d+, the body exactly as stored$/);
  expect(note('No request carried the signature')).toBe('');
  await setSecret(null);
  await stage.pass(1_000);
  expect(facts('Not signed')).toEqual([]);
  expect(note('Not signed')).toBe('Requests are not signed. Add a shared secret to send X-Signature. ');
});

it('stands only in a window at least 800 high, and below no call that is not sent', async () => {
  await stage.post(ORDER);
  await show();
  expect(strip('Signature verified')).not.toBeNull();
  height = 799;
  await act(async () => {
    for (const listener of heard) listener();
  });
  expect(strip('Signature verified')).toBeNull();
  height = 800;
  await stage.post({ ...ORDER, messageId: 'x', event: 7 });
  await stage.show(<MessageDetail id={2} tab="compare" full onClose={() => {}} />);
  expect(stage.page.textContent).toContain('A rejected call is not normalised');
  expect(strip('Verify in your receiver')).toBeNull();
});
