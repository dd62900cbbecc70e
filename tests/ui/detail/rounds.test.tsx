/** The rounds of a message: as chart, table and schedule, and as other delivery rules would have them. */
import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { DEFAULT_RETRY } from '../../../src/core/model/vocabulary.ts';
import { reopen, retryNow, shown, stage, text } from './detail-stage.tsx';
import { answering, answers, CONFIG, ORDER, RETRY, retrying, SOURCES, SPEED, WEBHOOKS } from './histories.ts';

describe('message detail', () => {
  it('lists replays apart from rounds and marks them', async () => {
    await retrying(stage);
    answering(stage, 'a', 'a', '5');
    await stage.tell('replay.send', { id: 1, webhookIds: [1, 2, 3] });
    await stage.show(shown());
    const replays = stage.page.querySelector('[aria-label="Replays"]');
    expect(replays?.textContent).toContain('2 of 3 accepted');
    expect(stage.find('tab', /^Attempts/)?.textContent).toBe('Attempts28');
  });

  it('gives the chart as a sentence and as a table', async () => {
    await retrying(stage);
    await stage.show(shown());
    expect(stage.page.querySelector('[role="img"][aria-label^="Seven rounds"]')?.getAttribute('aria-label')).toBe(
      'Seven rounds of attempts on 4 webhooks over 10 min 30 s; none succeeded. Next round at 21 min 10 s. The message expires at 4 h.',
    );
    await stage.click('button', 'View as table');
    expect(stage.page.querySelectorAll('tbody tr')).toHaveLength(28);
  });

  it("lists the rounds of the engine's schedule, clock time and real time apart", async () => {
    await retrying(stage);
    await stage.show(shown());
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule7 rounds, \d+ more planned$/);
    await stage.click('button', /^Schedule/);
    const rows = [...stage.page.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => cell.textContent),
    );
    expect(rows[0]?.slice(0, 2)).toEqual(['1', 'at once']);
    expect(rows[6]?.slice(0, 2)).toEqual(['7', '+10 min 30 s']);
    expect(rows[7]?.slice(0, 2)).toEqual(['8', '+21 min 10 s']);
    expect(rows[7]?.[2]).toMatch(/^\d\d:\d\d:\d\d, due in 0:1\d/);
    expect(rows.at(-1)?.slice(0, 2)).toEqual(['Window ends', '+4 h']);
  });

  it('says that at least so many rounds are planned where the drawing ends before the window does', async () => {
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, retry: { ...RETRY, baseMs: 60_000, factor: 1 } } });
    answering(stage, 'f', 'f', 'f', 'f');
    await stage.post(ORDER);
    await stage.skip((6 * 60_000) / SPEED);
    await stage.show(shown());
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule7 rounds, at least \d+ more planned$/);
  });

  it('fetches the new schedule when the message moved, and drops planned rounds once it is final', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    const table = () => stage.page.querySelector('[aria-label="Schedule as a table"]')?.textContent ?? '';
    const planned = () =>
      Number(/, (\d+) more planned/.exec(stage.find('button', /^Schedule/)?.textContent ?? '')?.[1]);
    const before = planned();
    await retryNow();
    await stage.pass(300);
    expect(stage.find('button', /^Schedule/)?.textContent).toMatch(/^Schedule8 rounds/);
    expect([before, planned()]).toEqual([11, 11]);
    await stage.tell('messages.stop', { id: 1 });
    await stage.pass(300);
    expect(stage.find('button', /^Schedule/)?.textContent).toBe('Schedule8 rounds');
    expect(table()).not.toContain('due');
    expect(table()).not.toContain('Window ends');
  });

  it('counts nothing down while the clock is paused or delivery is', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    await stage.tell('clock.pause', null);
    expect(text()).toContain('Retrying. Round 8, clock paused');
    expect(text()).toContain('due, clock paused');
    expect(text()).not.toMatch(/due \d|in \d+:\d\d|Infinity|NaN|Invalid/);
    await stage.tell('clock.resume', null);
    await stage.tell('destination.save', { paused: true });
    expect(text()).toContain('due, delivery paused');
    expect(text()).toContain('Retrying. Round 8, delivery paused');
    expect(text()).toContain('Delivery is paused by you. Resume it to go on.');
  });

  it('compares with another profile: verdict, requests, each attempt', async () => {
    const entries = WEBHOOKS.entries!.slice(0, 2);
    await reopen({ sources: SOURCES, webhooks: { ...WEBHOOKS, entries, retry: DEFAULT_RETRY } });
    answering(stage, 'f', 't');
    await stage.post(ORDER);
    await retryNow();
    await stage.show(shown());
    await stage.click('button', /^With other delivery rules/);
    const compared = () =>
      [...stage.page.querySelectorAll('[aria-label="Attempts with other delivery rules"] tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent),
      );
    expect(text()).toContain('Classic as coded: The same: retrying after 2 rounds.');
    expect(text()).toContain('Segment.io/1.0');
    expect(compared()).toEqual([
      ['1', 'CRM sync', 'Failed 503', 'the same'],
      ['1', 'Warehouse loader', 'Timed out', 'the same'],
      ['2', 'CRM sync', 'Failed 503', 'the same'],
      ['2', 'Warehouse loader', 'Timed out', 'the same'],
    ]);
    expect(text()).not.toContain('The histories part');
    const select = stage.page.querySelector('select')!;
    await act(async () => {
      select.value = 'actions';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await stage.pass();
    expect(text()).toContain('Actions as coded: Not known after round 1.');
    expect(compared().slice(0, 2)).toEqual([
      ['1', 'CRM sync', 'Failed 503', 'the same'],
      ['1', 'Warehouse loader', 'Timed out', 'not knownIt would have had 10 s.'],
    ]);
    expect(text()).toContain('The histories part after round 1');
  });

  it('says when profiles could not be compared', async () => {
    await retrying(stage);
    await stage.show(shown());
    stage.engine.failNext('messages.underProfile', new ContractError('internal'));
    await stage.click('button', /^With other delivery rules/);
    expect(text()).toContain('Could not compare.');
    await stage.click('button', 'Try again');
    expect(text()).toContain('Only the times between rounds may differ.');
  });
});

describe('the name at the time', () => {
  it('is that of rounds, chart and table, with a mark where it is another one now', async () => {
    const [crm, loader] = WEBHOOKS.entries!;
    const old = { ...crm!, name: 'Old CRM', url: 'http://old.test/' };
    const gone = { ...crm!, name: 'Gone' };
    await reopen({ sources: SOURCES, webhooks: { ...WEBHOOKS, entries: [old, loader!, gone] } });
    for (const { url } of [old, loader!, gone]) stage.engine.transport.on(url, answers('f'));
    await stage.post(ORDER);
    await stage.tell('webhooks.save', { ...crm!, id: 1, headers: [] });
    await stage.tell('webhooks.save', { ...loader!, id: 2, enabled: false, headers: [] });
    await stage.tell('webhooks.remove', { id: 3 });
    await retryNow();
    await stage.show(shown());
    const lanes = () => [...stage.page.querySelectorAll('[role="img"] [title]')].map((one) => one.textContent);
    expect(lanes().slice(0, 4)).toEqual(['1Old CRM', `1${crm!.name}`, `2${loader!.name}`, '3Gone']);
    const [second, first] = [2, 1].map((round) => stage.find('region', `Round ${round}`)!);
    expect(first!.textContent).not.toContain('Old CRM');
    expect(second!.textContent).toContain(`2${loader!.name}Paused`);
    await stage.click('button', /^Round 1/);
    const titles = [...first!.querySelectorAll('[title]')].map((one) => [one.textContent, one.getAttribute('title')]);
    expect(titles).toContainEqual([
      'Old CRMearlier',
      `http://old.test/\nIt has changed since. It is now ${crm!.name}, ${crm!.url}`,
    ]);
    expect(titles).toContainEqual(['Goneremoved', `${crm!.url}\nThis webhook was removed.`]);
    expect(second!.textContent).not.toContain('earlier');
  });
});
