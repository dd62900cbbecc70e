/** The deletions screen on the real engine with simulated webhooks and time. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOOK } from '../../helpers/deletion-world.ts';
import { rawRequest, sendRaw } from '../../helpers/raw-http.ts';
import { answer } from '../../helpers/sim-transport.ts';
import { byName, click, inputsOf, press, settle, settled, type as typeText, until } from '../base/harness.tsx';
import { cells, closeDeletions, isOver, KNOWN, openDeletions, text, track, type World } from './world.tsx';

const SECRET = 'a secret that ends in 12';
const SOURCE = { name: 'web', writeKey: 'wk_web', kind: 'web', enabled: true, webhooks: true } as const;

let world: World;
const open = async (...given: Parameters<typeof openDeletions>): Promise<void> => {
  world = await openDeletions(...given);
};
afterEach(() => closeDeletions(world));

const request = (row: RegExp) => byName('[role="grid"] [role="row"][data-request]', row);
const make = async (userIds: string[], options: { erase?: boolean; suppress?: boolean } = {}): Promise<void> => {
  await settled(call('deletions.create', { userIds, ...options }));
  await settle();
  await isOver();
};

describe('the short form', () => {
  it('makes a request for one user, whose notices are sent and shown', async () => {
    await open();
    expect(text()).toContain('No deletion request yet.');
    await typeText(byName('input', 'Delete one user'), 'usr_5d10');
    await click(byName('button', 'Create request'));
    await isOver();
    expect(inputsOf('deletions.create')).toEqual([{ userIds: ['usr_5d10'] }]);
    expect(world.engine.transport.sent.filter(({ body }) => String(body).includes('delete'))).toHaveLength(2);
    expect(request(/usr_5d10/).textContent).toContain('2 of 2 sent');
    expect(useRouteStore.getState().route).toMatchObject({ requestId: 1 });
  });

  it.each([
    ['usr_9f00', 'No source knows this user, so nothing is sent.'],
    ['USR_41C0', 'No source knows this user, so nothing is sent; usr_41c0 has 4 calls.'],
  ])('of %s makes none and says why', async (userId, why) => {
    await open();
    await typeText(byName('input', 'Delete one user'), userId);
    await click(byName('button', 'Create request'));
    await until(() => text().includes(why));
    expect(inputsOf('deletions.create')).toEqual([]);
    await click(byName('button', 'Erase or suppress it'));
    expect(document.querySelector('textarea')?.value).toBe(userId);
  });

  it('of a user whose sources have the destination off makes none', async () => {
    await open([['wk_app', 'usr_1', 1]]);
    await typeText(byName('input', 'Delete one user'), 'usr_1');
    await click(byName('button', 'Create request'));
    await until(() => text().includes('The sources that know this user have the destination off, so nothing is sent.'));
    expect(inputsOf('deletions.create')).toEqual([]);
  });
});

describe('a request', () => {
  it('has one mark for each user and source, a link to each notice, and sums that add up', async () => {
    await open();
    await make(['usr_5d10', 'usr_2b9d', 'usr_9f00']);
    await until(() => text().includes('3 ids'));
    expect(cells('Notices by user and source')).toEqual([
      ['User', 'web', 'api', 'app'],
      ['usr_5d10', 'Delivered', 'Delivered', 'Nonedoes not know it'],
      ['usr_2b9d', 'Delivered', 'Nonedoes not know it', 'Nonedestination off'],
      ['usr_9f00never seen', 'Nonedoes not know it', 'Nonedoes not know it', 'Nonedoes not know it'],
      ['3 ids', '2 delivered', '1 delivered', '0 notices'],
    ]);
    expect(document.querySelectorAll('td a[href^="#/live/"]')).toHaveLength(3);
    expect(text()).toContain('3: 3 delivered');
    expect(byName('section', 'Erased').textContent).toContain('Nothing was erased');
  });

  it('that failed in part says so; its failed notice is sent again, and stays failed', async () => {
    await open();
    world.engine.transport.on(HOOK, ({ body }) => answer(Buffer.from(body).includes('usr_2b9d') ? 400 : 200));
    await make(['usr_5d10', 'usr_2b9d']);
    await until(() => text().includes('2 ids'));
    expect(request(/usr_5d10/).textContent).toContain('Partly failed');
    expect(cells('Notices by user and source').at(-1)).toEqual([
      '2 ids',
      '1 delivered, 1 failed',
      '1 delivered',
      '0 notices',
    ]);
    const sent = world.engine.transport.sent.length;
    await click(byName('button', 'Send the failed notice again'));
    await until(() => text().includes('Replayed 1 notice to 1 webhook'));
    await until(() => world.engine.transport.sent.length === sent + 1);
    expect(request(/usr_5d10/).textContent).toContain('Partly failed');
  });

  it('sends only the failed notices of a user again', async () => {
    await open();
    let notices = 0;
    world.engine.transport.on(HOOK, ({ body }) => {
      if (!Buffer.from(body).includes('"delete"')) return answer(200);
      notices += 1;
      return answer(notices === 1 ? 400 : 200);
    });
    await make(['usr_5d10']);
    await until(() => text().includes('1 id'));
    expect(text()).toContain('2: 1 delivered, 1 failed');
    await click(byName('button', 'Send the failed notice again'));
    await until(() => text().includes('Replayed 1 notice to 1 webhook'));
    await until(() => notices === 3);
    await settle();
    expect(notices).toBe(3);
  });

  it('that waits shows its countdown, and the list too', async () => {
    await open();
    world.engine.transport.on(HOOK, () => answer(503));
    await settled(call('deletions.create', { userIds: ['usr_41c0'] }));
    await until(() => request(/usr_41c0/).textContent?.includes('Retrying') ?? false);
    await until(() => /Retrying.*next round at/.test(byName('section', 'Deletion request 1').textContent ?? ''));
    expect(cells('Notices by user and source').at(-1)).toEqual(['1 id', '1 waiting', '0 notices', '0 notices']);
  });

  it('that erased shows what is gone and what a search has shown', async () => {
    await open();
    await make(['usr_5d10', 'usr_2b9d'], { erase: true });
    await until(() => text().includes('Looked through'));
    const block = byName('section', 'Erased').textContent ?? '';
    expect(block).toContain('Messages19');
    expect(block).toContain('Attempts14');
    expect(block).toMatch(/Looked through .* afterwards: the ids are only in this request and its 3 notices\./);
    expect(cells('Notices by user and source').map((row) => row.at(-1))).toEqual(['Erased', '11', '8', '19']);
    const { total } = await settled(call('deletions.dryRun', { userIds: ['usr_5d10', 'usr_2b9d'], from: 1, count: 1 }));
    expect(total).toBe(0);
  });

  it('that only sent notices shows the body of one, byte for byte', async () => {
    await open();
    await make(['usr_41c0']);
    await until(() => text().includes('Body sent'));
    const sent = String(world.engine.transport.sent.at(-1)!.body);
    const lines = [...byName('section', 'Body').children].map((line) => line.lastElementChild?.textContent);
    expect(JSON.stringify(JSON.parse(lines.join('')))).toBe(sent);
    expect(byName('section', 'Body sent').textContent).toContain(`${sent.length} B`);
  });

  it('says that the signature is verified only once a test receiver has checked these bytes', async () => {
    await open([], {
      config: { sources: [SOURCE], webhooks: { sharedSecret: SECRET, entries: [] } },
      receivers: true,
    });
    const receivers = world.engine.engine.parts.receivers;
    await until(() => receivers.view().http.state === 'listening');
    await settled(call('receivers.useAsWebhook', { id: 'ok' }));
    await track(world.engine, ['wk_web', 'usr_41c0', 1]);
    await make(['usr_41c0']);
    await until(() => text().includes('Body sent'));
    // The transport is simulated, so the receiver gets the bytes by hand: first with a wrong signature.
    const { body } = world.engine.transport.sent.at(-1)!;
    const post = async (secret: string): Promise<void> => {
      const head = rawRequest('POST', '/r/ok', [
        ['Host', `localhost:${receivers.view().http.port}`],
        ['X-Signature', signatureOf(secret, Buffer.from(String(body)))],
        ['Content-Length', String(Buffer.byteLength(String(body)))],
      ]);
      await act(() => sendRaw(receivers.view().http.port, head + String(body)));
      await act(async () => navigate({ screen: 'deletions', requestId: null, view: 'suppressed' }));
      await act(async () => navigate({ screen: 'deletions', requestId: 1 }));
      await until(() => text().includes('Body sent'));
    };
    await post('another secret');
    expect(text()).not.toContain('Signature verified');
    await post(SECRET);
    await until(() => text().includes('Signature verified'));
    const digest = signatureOf(SECRET, Buffer.from(String(body)));
    expect(byName('section', 'Signature verified').textContent?.replaceAll(' ', '')).toContain(digest);
    expect(byName('section', 'Signature verified').textContent).toContain('The receiver Always 200 got the body');
  });

  it('of many users shows those with a failed notice first; the others follow when they are asked for', async () => {
    const ids = Array.from({ length: 450 }, (_, i) => `u${String(i).padStart(3, '0')}`);
    await open([
      ['wk_web', 'u449', 1],
      ['wk_web', 'u000', 1],
    ]);
    world.engine.transport.on(HOOK, ({ body }) => answer(Buffer.from(body).includes('u449') ? 400 : 200));
    await make(ids);
    const first = () => cells('Notices by user and source').map((row) => row[0]);
    await until(() => text().includes('200 of 450 ids, those with a failed notice first.'));
    expect(first().slice(1, 4)).toEqual(['u449', 'u000', 'u001never seen']);
    expect(first()).toHaveLength(202);
    await click(byName('button', 'Show more'));
    await until(() => text().includes('400 of 450 ids'));
    await click(byName('button', 'Show more'));
    await until(() => first().length === 452);
    expect(new Set(first()).size).toBe(452);
    expect(text()).not.toContain('of 450 ids, those');
  });

  it('shows messages that came afterwards', async () => {
    await open();
    await make(['usr_5d10']);
    await until(() => text().includes('None so far.'));
    await track(world.engine, ['wk_web', 'usr_5d10', 2]);
    const after = byName('section', 'Messages after the request');
    await until(() => after.querySelectorAll('li').length === 2);
    expect(after.textContent).toContain('A receiver that honours deletions should now treat this user as a new user.');
  });

  it('forgets its ids only after asking, once it is over', async () => {
    await open();
    await make(['usr_5d10']);
    await until(() => text().includes('1 id'));
    await click(byName('button', 'More for request 1'));
    await click(byName('[role="menuitem"]', 'Forget the ids'));
    expect(inputsOf('deletions.forget')).toEqual([]);
    await click(byName('[role="dialog"] footer button', 'Forget the ids'));
    await until(() => text().includes('Delete 1 forgotten user'));
    expect(byName('[role="grid"]', 'All requests').textContent).not.toContain('usr_5d10');
  });

  it('that is not there says so, and one that cannot be read is read again', async () => {
    await open(KNOWN, { page: 7 });
    await until(() => text().includes('There is no deletion request 7.'));
    await make(['usr_5d10']);
    world.engine.failNext('deletions.get', new ContractError('stopped'));
    await act(async () => navigate({ screen: 'deletions', requestId: 1 }));
    await until(() => text().includes('Could not read the request.'));
    await click(byName('button', 'Try again'));
    await until(() => text().includes('1 id'));
  });
});

describe('suppressed users', () => {
  it('are rejected in the drill until they are lifted; Undo suppresses again', async () => {
    await open();
    await make(['usr_5d10', 'usr_9f00'], { suppress: true });
    await until(() => text().includes('2 of 2'));
    await click(byName('button', 'Send'));
    await until(() => text().includes('Rejected: usr_5d10 is suppressed.'));
    expect(text()).toContain('No webhook was called.');
    expect(text()).toContain('After Lift the same call is delivered.');
    expect(byName('section', 'Suppressed users').textContent).toContain('2 by this request. Their calls are rejected');
    await until(() => byName('section', 'Suppressed users').textContent?.includes(': 1 since then.') ?? false);
    await click(byName('button', 'Lift usr_5d10'));
    await until(() => text().includes('1 of 2'));
    await click(byName('button', 'Send'));
    await until(() => text().includes('Accepted: the call of usr_5d10.'));
    await click(byName('button', 'Undo'));
    await until(() => text().includes('2 of 2'));
    await click(byName('button', 'Send'));
    await until(() => text().includes('Rejected: usr_5d10 is suppressed.'));
  });

  it('are listed with their requests and hits, found, and lifted', async () => {
    await open();
    await make(['anna', 'bert', ' hannah'], { suppress: true });
    await track(world.engine, ['wk_web', 'anna', 3]);
    await click(byName('button', 'Show all'));
    const rows = () =>
      [...document.querySelectorAll('[role="table"] [role="row"]')]
        .slice(1)
        .map((row) => [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent));
    await until(() => rows().length === 3 && rows().some((row) => row[3] === '3'));
    expect(rows().map((row) => [row[0], row[2], row[3]])).toEqual([
      ['\u00b7hannah', 'request 1', '0'],
      ['anna', 'request 1', '3'],
      ['bert', 'request 1', '0'],
    ]);
    await typeText(byName('input', 'Find a suppressed user'), 'anna');
    await until(() => rows().length === 2);
    await click(byName('button', 'Lift anna'));
    await until(() => rows().length === 1);
    await click(byName('button', 'Undo'));
    await until(() => rows().length === 2);
  });
});

describe('the list', () => {
  it('has the newest 100 requests, and older ones when they are asked for', async () => {
    await open();
    // All at once, because drawing the list after each of them takes most of the time of this test.
    await settled(Promise.all(Array.from({ length: 103 }, (_, i) => call('deletions.create', { userIds: [`u${i}`] }))));
    const rows = () => document.querySelectorAll('[data-request]').length;
    await until(() => rows() === 100 && text().includes('103 requests'));
    await click(byName('button', 'Show 3 older'));
    await until(() => rows() === 103);
    expect([...document.querySelectorAll('[data-request]')].at(-1)?.textContent).toContain('u0');
    expect(text()).not.toContain('older');
    await settled(call('deletions.create', { userIds: ['one more'] }));
    await until(() => text().includes('104 requests'));
    const ids = [...document.querySelectorAll<HTMLElement>('[data-request]')].map(({ dataset }) =>
      Number(dataset.request),
    );
    expect(ids).toEqual(Array.from({ length: 104 }, (_, i) => 104 - i));
  });

  it('is moved through with the arrows; N begins a request', async () => {
    await open();
    await make(['usr_5d10']);
    await make(['usr_2b9d']);
    request(/usr_2b9d/).focus();
    await press(request(/usr_2b9d/), 'ArrowDown');
    expect(useRouteStore.getState().route).toMatchObject({ requestId: 1 });
    expect(document.activeElement?.textContent).toContain('usr_5d10');
    await press(request(/usr_5d10/), 'Enter');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Deletion request 1');
    await press(document.body, 'n');
    expect(useRouteStore.getState().route).toMatchObject({ view: 'new' });
  });
});
