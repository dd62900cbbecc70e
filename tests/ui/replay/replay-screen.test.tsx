import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { ReplayScreen } from '../../../src/renderer/screens/replay/replay-screen.tsx';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import { memoryFolder } from '../../helpers/memory-folder.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';
import { answering, answers, CONFIG, ONE_WEBHOOK, ORDER, retrying, WEBHOOKS } from '../detail/histories.ts';
import { openStage, type Stage } from '../detail/mount.tsx';
import { hooks } from '../detail/scenes.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const text = () => document.body.textContent ?? '';
const send = () => stage.find('button', /^Send/) as HTMLButtonElement;
const results = () =>
  [...stage.page.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  );

const [CRM, LOADER] = hooks.map(({ url }) => url) as [string, string];
const replay = (...webhookIds: number[]) => stage.tell('replay.send', { id: 1, webhookIds });
/** Starts anew with another config. */
const reopen = async (config: Config) => {
  await stage.close();
  stage = await openStage({ config });
};

describe('replay', () => {
  it('offers all five webhooks, those that are on and were not refused chosen', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    const boxes = [...stage.page.querySelectorAll('[aria-label="Send to"] [role="checkbox"]')];
    expect(boxes.map((box) => [box.getAttribute('aria-label'), box.getAttribute('aria-checked')])).toEqual([
      ['CRM sync, https://crm.acme.test/hooks/segment', 'true'],
      ['Warehouse loader, http://localhost:4010/ingest', 'true'],
      ['Flaky receiver, http://localhost:8766/r/flaky', 'true'],
      ['Legacy ERP, https://erp.acme.test:8443/webhooks', 'false'],
      ['Archive, http://localhost:8766/r/slow, paused', 'false'],
    ]);
    expect(send().textContent).toContain('Send to 3 webhooks');
  });

  it('sends to what is chosen, a paused webhook too', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.click('checkbox', /^CRM sync/);
    await stage.click('checkbox', /^Flaky/);
    await stage.click('checkbox', /paused$/);
    await stage.click('button', /^Send/);
    expect(stage.calls('replay.send')).toEqual([{ id: 1, webhookIds: [2, 5] }]);
  });

  it('sends on Ctrl Enter and on Command Enter, once each', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.press('Enter', { ctrlKey: true });
    await stage.press('Enter', { metaKey: true });
    await stage.press('Enter');
    expect(stage.calls('replay.send')).toHaveLength(2);
  });

  it('sends nothing without a webhook and says what to do', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    for (const name of [/^CRM/, /^Warehouse/, /^Flaky/]) await stage.click('checkbox', name);
    expect(send().disabled).toBe(true);
    expect(text()).toContain('Choose at least one webhook.');
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toEqual([]);
    expect(stage.page.querySelector('[role="alert"]')).toBeNull();
  });

  it('still sends while a person holds delivery: a replay is an act of their own', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.tell('destination.save', { paused: true });
    expect(text()).toContain('Delivery is paused.');
    expect(send().disabled).toBe(false);
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toHaveLength(1);
  });

  it('shows the reason of a refusal beside the button', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    stage.engine.failNext('replay.send', new ContractError('webhook_not_found'));
    await stage.click('button', /^Send/);
    expect(stage.page.querySelector('[role="alert"]')?.textContent).toContain('There is no such webhook.');
    expect(send().disabled).toBe(false);
  });

  it('shows open requests and then what changed', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={1} />);
    for (const [slot, letter] of ['a', 'a', '5'].entries())
      stage.engine.transport.on(hooks[slot]!.url, answers(letter, { afterMs: 500 }));
    await stage.click('button', /^Send/);
    expect(results().map((row) => row.at(-1))).toEqual(['Sending', 'Sending', 'Sending']);
    await stage.pass(1_000);
    expect(results().map((row) => [row[1], row[2], row[4], row.at(-1)])).toEqual([
      ['CRM sync', '503 184 ms', '200 162 ms', 'Now accepted'],
      ['Warehouse loader', 'Timed out 5.00 s', '200 162 ms', 'Now accepted'],
      ['Flaky receiver', '500 41 ms', '500 41 ms', 'Same result'],
    ]);
    expect(stage.page.querySelector('p[role="status"]')?.textContent).toBe('Replayed to 3 webhooks');
  });

  it('leads back to earlier replays', async () => {
    await retrying(stage);
    for (const letters of ['ff5', 'at5', 'aa5']) {
      answering(stage, ...letters);
      await replay(1, 2, 3);
    }
    await stage.show(<ReplayScreen messageId={1} />);
    expect(text()).toContain('Result of replay 3');
    await stage.click('button', /^Replay 3 of 3/);
    await stage.click('menuitemradio', /^Replay 1,/);
    expect(text()).toContain('Result of replay 1');
    expect(results()[0]?.at(-1)).toBe('Same result');
  });

  it('compares the responses line by line', async () => {
    await reopen(ONE_WEBHOOK);
    stage.engine.transport.on(CRM, answers('d', { body: '{"error":"upstream unavailable"}' }));
    await stage.post(ORDER);
    stage.engine.transport.on(CRM, answers('a', { body: '{"accepted":true}' }));
    await replay(1);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass();
    const lines = [...stage.page.querySelectorAll('i[aria-hidden="true"]')].map(
      ({ parentElement: line }) =>
        `${line?.querySelector('b span')?.textContent ?? 'same'}|${line?.querySelector(':scope > span')?.textContent}`,
    );
    expect(lines).toEqual([
      'same|{',
      'removed|  "error": "upstream unavailable"',
      'same|}',
      'same|{',
      'added|  "accepted": true',
      'same|}',
    ]);
  });

  it('shows hostile responses as text', async () => {
    await retrying(stage);
    stage.engine.transport.on(CRM, answers('a', { body: HOSTILE_NAMES[0] }));
    await replay(1);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass();
    expect(stage.page.querySelector('script, img')).toBeNull();
    expect(text()).toContain(HOSTILE_NAMES[0]);
  });

  it('says when the message was removed, and when there has been none', async () => {
    await stage.show(<ReplayScreen messageId={9999} />);
    expect(text()).toContain('There has been no message with this id.');
    await stage.post(ORDER);
    await stage.post({ ...ORDER, messageId: 'the newest' });
    await stage.tell('storage.clear', {});
    await stage.show(<ReplayScreen messageId={1} />);
    expect(text()).toContain('This message was removed, by the storage limits or by hand.');
  });

  it('marks a webhook that was not tried before', async () => {
    await stage.post({ ...ORDER, integrations: { All: false } });
    answering(stage, 'a');
    await replay(1);
    await stage.show(<ReplayScreen messageId={1} />);
    expect(results()[0]).toEqual(['1', 'CRM sync', 'Not tried', '', '200 162 ms', 'Not tried before']);
  });
});

describe('the name at the time', () => {
  it('is that of the replay, and marks where the original webhook has changed since', async () => {
    const old = { name: 'Old CRM', url: 'http://old.test/', enabled: true, headers: {} };
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, retryOn: [], entries: [old] } });
    stage.engine.transport.on('http://old.test/', answers('f'));
    await stage.post(ORDER);
    await stage.tell('webhooks.save', { id: 1, name: 'CRM sync', url: CRM, enabled: true, headers: [] });
    const loader = { name: 'Old loader', url: LOADER, enabled: true, headers: [] };
    const { id } = await stage.tell('webhooks.save', loader);
    answering(stage, 'a', 'a');
    await replay(1, id);
    await stage.tell('webhooks.save', { ...loader, id, name: 'Warehouse loader' });
    await stage.show(<ReplayScreen messageId={1} />);
    expect(results().map((cells) => cells.slice(1, 3))).toEqual([
      ['CRM sync', '503 184 msearlier'],
      ['Old loaderearlier', 'Not tried'],
    ]);
    expect(stage.page.querySelector('[aria-label="Send to"] label')?.textContent).toContain('503earlier');
  });
});

describe('the comparison of responses', () => {
  it('leads from a text that is cut to all of it', async () => {
    await reopen(ONE_WEBHOOK);
    const body = JSON.stringify({ ['k'.repeat(2_048)]: 1 });
    stage.engine.transport.on(CRM, answers('da', { body }));
    await stage.post(ORDER);
    await replay(1);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass();
    expect(stage.find('button', '\u2026 2 KB more')).toBeDefined();
    await stage.clickFirst('button[title="Show all of this response"]');
    expect(stage.find('radio', 'Original')?.getAttribute('aria-checked')).toBe('true');
  });
});

describe('the focus', () => {
  it('goes to a screen that another one led to, when nothing else has it', async () => {
    await retrying(stage);
    await stage.show(<ReplayScreen messageId={null} key="before" />);
    await stage.show(<ReplayScreen messageId={1} key="after" />);
    expect(document.activeElement?.id).toBe('main');
  });

  it('stays where it is when something has it', async () => {
    await retrying(stage);
    const field = document.createElement('input');
    stage.page.append(field);
    field.focus();
    await stage.show(<ReplayScreen messageId={1} />);
    expect(document.activeElement).toBe(field);
    field.remove();
  });
});

describe('without a message', () => {
  it('lists the five newest, and opens one', async () => {
    const batch = Array.from({ length: 20 }, () => ({ type: 'track', userId: 'u', event: 'Signed Up' }));
    await stage.post({ batch }, '/v1/batch');
    await stage.show(<ReplayScreen messageId={null} />);
    expect(text()).toContain('Pick a message to replay.');
    expect(stage.page.querySelectorAll('main li')).toHaveLength(5);
    expect(stage.calls('messages.list')).toEqual([{ filter: {}, limit: 5 }]);
    const links = [...stage.page.querySelectorAll<HTMLAnchorElement>('main li a')];
    expect(links[0]?.getAttribute('href')).toBe('#/replay/20');
  });

  it('leads to the live stream while there is none', async () => {
    await stage.show(<ReplayScreen messageId={null} />);
    expect(text()).toContain('No message has arrived yet.');
    await stage.click('button', 'Open the live stream');
    expect(useRouteStore.getState().route.screen).toBe('live');
  });
});

describe('original results', () => {
  it('count only finished attempts of the engine', async () => {
    await retrying(stage);
    answering(stage, 's');
    await stage.tell('messages.retryNow', { id: 1 });
    await stage.show(<ReplayScreen messageId={1} />);
    expect(stage.page.querySelector('[aria-label="Send to"] label')?.textContent).toContain('503');
  });
});

describe('an unreadable secret', () => {
  it('is the reason why nothing can be sent', async () => {
    await stage.close();
    const folder = tempWorkspace(memoryFolder());
    stage = await openStage({ folder });
    await retrying(stage);
    await stage.engine.stop();
    await stage.close();
    stage = await openStage({ folder, config: undefined });
    await stage.show(<ReplayScreen messageId={1} />);
    expect(send().disabled).toBe(true);
    expect(stage.page.querySelector('#replay-note')?.textContent).toBe(
      'The shared secret cannot be read, so nothing is sent.',
    );
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toEqual([]);
  });
});
