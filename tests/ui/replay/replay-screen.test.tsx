import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ReplayScreen } from '../../../src/renderer/screens/replay/replay-screen.tsx';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import { NOW, openStage, type Stage } from '../detail/mount.tsx';
import { attempt, detailOf, hooks, message, replayOf, retrying } from '../detail/scenes.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const text = () => stage.page.textContent ?? '';
const send = () => stage.find('button', /^Send/) as HTMLButtonElement;
const results = () =>
  [...stage.page.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  );

/** Makes the engine answer a send with these letters, and tell of it from then on. */
function answerWith(letters: string) {
  const handlers = stage.engine.handlers as unknown as Record<
    string,
    (input: { id: number; webhookIds: number[] }) => unknown
  >;
  const usual = handlers['replay.send']!;
  handlers['replay.send'] = (input) => {
    usual(input);
    const made = replayOf(50, NOW, letters);
    return {
      ...made,
      webhookIds: input.webhookIds,
      attempts: made.attempts.filter((one) => input.webhookIds.includes(one.webhookId)),
    };
  };
}

describe('replay', () => {
  it('offers all five webhooks, those that are on and were not refused chosen', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    const boxes = [...stage.page.querySelectorAll('[role="checkbox"]')];
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
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.click('checkbox', /^CRM sync/);
    await stage.click('checkbox', /^Flaky/);
    await stage.click('checkbox', /paused$/);
    await stage.click('button', /^Send/);
    expect(stage.calls('replay.send')).toEqual([{ id: 1, webhookIds: [12, 15] }]);
  });

  it('sends on Ctrl Enter and on Command Enter, once each', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.press('Enter', { ctrlKey: true });
    await stage.press('Enter', { metaKey: true });
    await stage.press('Enter');
    expect(stage.calls('replay.send')).toHaveLength(2);
  });

  it('sends nothing without a webhook and says what to do', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    for (const name of [/^CRM/, /^Warehouse/, /^Flaky/]) await stage.click('checkbox', name);
    expect(send().disabled).toBe(true);
    expect(text()).toContain('Choose at least one webhook.');
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toEqual([]);
    expect(stage.page.querySelector('[role="alert"]')).toBeNull();
  });

  it('says why nothing can be sent while the secret cannot be read', async () => {
    await stage.put(retrying(NOW));
    stage.engine.setSecret({ state: 'unreadable' });
    await stage.show(<ReplayScreen messageId={1} />);
    expect(send().disabled).toBe(true);
    expect(text()).toContain('The shared secret cannot be read, so nothing is sent.');
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toEqual([]);
  });

  it('still sends while a person holds delivery: a replay is an act of their own', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.engine.handlers['destination.save']({ paused: true });
    await stage.pass();
    expect(text()).toContain('Delivery is paused.');
    expect(send().disabled).toBe(false);
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toHaveLength(1);
  });

  it('shows the reason of a refusal beside the button', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    stage.engine.failNext('replay.send', new ContractError('webhook_not_found'));
    await stage.click('button', /^Send/);
    expect(stage.page.querySelector('[role="alert"]')?.textContent).toContain('There is no such webhook.');
    expect(send().disabled).toBe(false);
  });

  it('shows open requests and then what changed', async () => {
    const detail = retrying(NOW);
    await stage.put(detail);
    await stage.show(<ReplayScreen messageId={1} />);
    answerWith('sss');
    await stage.click('button', /^Send/);
    expect(results().map((row) => row.at(-1))).toEqual(['Sending', 'Sending', 'Sending']);
    const done = replayOf(50, NOW, 'aa5');
    await stage.put({ ...detail, message: { ...detail.message, replays: 1 }, replays: [done] });
    await stage.pass(600);
    expect(results().map((row) => [row[1], row[2], row[4], row.at(-1)])).toEqual([
      ['CRM sync', '503 184 ms', '200 162 ms', 'Now accepted'],
      ['Warehouse loader', 'Timed out 5.00 s', '200 162 ms', 'Now accepted'],
      ['Flaky receiver', '500 41 ms', '500 41 ms', 'Same result'],
    ]);
    expect(stage.page.querySelector('p[role="status"]')?.textContent).toBe('Replayed to 3 webhooks');
  });

  it('leads back to earlier replays', async () => {
    await stage.put({
      ...retrying(NOW),
      replays: [replayOf(1, NOW - 9000, 'ff5'), replayOf(2, NOW - 6000, 'at5'), replayOf(3, NOW - 3000, 'aa5')],
    });
    await stage.show(<ReplayScreen messageId={1} />);
    expect(text()).toContain('Result of replay 3');
    await stage.click('button', /^Replay 3 of 3/);
    await stage.click('menuitemradio', /^Replay 1,/);
    expect(text()).toContain('Result of replay 1');
    expect(results()[0]?.at(-1)).toBe('Same result');
  });

  it('compares the responses line by line', async () => {
    await stage.close();
    const detail = retrying(NOW);
    const replay = replayOf(3, NOW - 3000, 'a');
    const original = detail.attempts.findLast((one) => one.webhookId === 11)!;
    stage = await openStage({
      [original.id]: '{"error":"upstream unavailable"}',
      [replay.attempts[0]!.id]: '{"accepted":true}',
    });
    await stage.put({ ...detail, replays: [replay] });
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass(10);
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
    await stage.close();
    const detail = retrying(NOW);
    const replay = replayOf(3, NOW - 3000, 'a');
    stage = await openStage({ [replay.attempts[0]!.id]: HOSTILE_NAMES[0]! });
    await stage.put({ ...detail, replays: [replay] });
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass(10);
    expect(stage.page.querySelector('script, img')).toBeNull();
    expect(text()).toContain(HOSTILE_NAMES[0]);
  });

  it('has nothing editable', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={1} />);
    expect(stage.page.querySelector('textarea')).toBeNull();
    expect(stage.page.querySelector('.cm-content')?.getAttribute('aria-readonly')).toBe('true');
  });

  it('says that a rejected message has nothing to resend', async () => {
    await stage.put(detailOf(message({ receivedAt: NOW, state: 'rejected', reason: 'no_user_anon_id' })));
    await stage.show(<ReplayScreen messageId={1} />);
    expect(text()).toContain('There is nothing to resend.');
    expect(stage.find('button', /^Send/)).toBeUndefined();
  });

  it('says when the message was removed, and when there has been none', async () => {
    await stage.show(<ReplayScreen messageId={9999} />);
    expect(text()).toContain('There has been no message with this id.');
    stage.engine.remove([3]);
    await stage.show(<ReplayScreen messageId={3} />);
    expect(text()).toContain('This message was removed, by the storage limits or by hand.');
  });

  it('marks a webhook that was not tried before', async () => {
    await stage.put(
      detailOf(message({ receivedAt: NOW, state: 'not_selected', reason: 'integrations_off' }), [], {
        replays: [replayOf(1, NOW, 'a')],
      }),
    );
    await stage.show(<ReplayScreen messageId={1} />);
    expect(results()[0]).toEqual(['1', 'CRM sync', 'Not tried', '', '200 162 ms', 'Not tried before']);
  });
});

describe('the name at the time', () => {
  it('is that of the replay, and marks where the original webhook has changed since', async () => {
    const original = attempt('f', hooks[0]!, { webhookName: 'Old CRM', url: 'http://old.test/' });
    const replay = replayOf(1, NOW, 'aa');
    replay.attempts[1]!.webhookName = 'Old loader';
    const row = message({ receivedAt: NOW, state: 'failed', round: 1 });
    await stage.put(detailOf(row, [original], { replays: [replay] }));
    await stage.show(<ReplayScreen messageId={1} />);
    expect(results().map((cells) => cells.slice(1, 3))).toEqual([
      ['CRM sync', '503 184 msearlier'],
      ['Old loaderearlier', 'Not tried'],
    ]);
    expect(stage.page.querySelector('label')?.textContent).toContain('503earlier');
  });
});

describe('the comparison of responses', () => {
  it('leads from a text that is cut to all of it', async () => {
    await stage.close();
    const body = JSON.stringify({ ['k'.repeat(2_048)]: 1 });
    stage = await openStage({ 7: body, 8: body });
    const replay = replayOf(1, NOW, 'a');
    const responseBytes = body.length;
    replay.attempts[0] = { ...replay.attempts[0]!, id: 8, responseBytes };
    const original = attempt('f', hooks[0]!, { id: 7, responseBytes });
    const row = message({ receivedAt: NOW, state: 'failed', round: 1 });
    await stage.put(detailOf(row, [original], { replays: [replay] }));
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass();
    expect(stage.find('button', '\u2026 2 KB more')).toBeDefined();
    await stage.clickFirst('button[title="Show all of this response"]');
    expect(stage.find('radio', 'Original')?.getAttribute('aria-checked')).toBe('true');
  });
});

describe('the focus', () => {
  it('goes to a screen that another one led to, when nothing else has it', async () => {
    await stage.put(retrying(NOW));
    await stage.show(<ReplayScreen messageId={null} key="before" />);
    await stage.show(<ReplayScreen messageId={1} key="after" />);
    expect(document.activeElement?.id).toBe('main');
  });

  it('stays where it is when something has it', async () => {
    await stage.put(retrying(NOW));
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
    await stage.show(<ReplayScreen messageId={null} />);
    expect(text()).toContain('Pick a message to replay.');
    expect(stage.page.querySelectorAll('main li')).toHaveLength(5);
    expect(stage.calls('messages.list')).toEqual([{ filter: {}, limit: 5 }]);
    const links = [...stage.page.querySelectorAll<HTMLAnchorElement>('main li a')];
    expect(links[0]?.getAttribute('href')).toBe('#/replay/20');
  });

  it('leads to the live stream while there is none', async () => {
    stage.engine.remove(Array.from({ length: 20 }, (_, n) => n + 1));
    await stage.show(<ReplayScreen messageId={null} />);
    expect(text()).toContain('No message has arrived yet.');
    await stage.click('button', 'Open the live stream');
    expect(useRouteStore.getState().route.screen).toBe('live');
  });
});

describe('original results', () => {
  it('count only finished attempts of the engine', async () => {
    const detail = retrying(NOW);
    await stage.put({ ...detail, attempts: [attempt('s', hooks[0]!, { round: 8 }), ...detail.attempts] });
    await stage.show(<ReplayScreen messageId={1} />);
    expect(stage.page.querySelector('label')?.textContent).toContain('503');
  });
});
