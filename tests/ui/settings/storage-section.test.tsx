import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { formatSize } from '../../../src/renderer/lib/format.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { blur, byName, click, press, settle, settled, type as typeText } from '../base/harness.tsx';
import { about, calls, dialog, engine, enter, field, main, open, receive, text } from './world.tsx';

describe('storage', () => {
  const meter = (name: string) => byName('[role="meter"]', name);

  it('shows how much of each limit is in use', async () => {
    await open('storage', { delivered: 200, config: { storage: { maxMessages: 250 } } });
    expect(meter('Messages').getAttribute('aria-valuetext')).toBe('200 of 250 messages');
    expect(meter('Size').getAttribute('aria-valuetext')).toBe(
      `${formatSize(useRecords.getState().status!.storeBytes)} of 1 GB`,
    );
    await settled(receive(engine, 30));
    expect(meter('Messages').getAttribute('aria-valuenow')).toBe('230');
    expect(meter('Messages').children).toHaveLength(1);
    expect(text()).toContain('92%');
  });

  it('draws no bar for nothing', async () => {
    await open('storage');
    expect(meter('Messages').getAttribute('aria-valuenow')).toBe('0');
    expect(meter('Messages').children).toHaveLength(0);
  });

  it('raises a limit at once', async () => {
    await open('storage');
    await enter('Messages', '200,000');
    await enter('Size', '2 GB');
    await enter('Age', '60');
    expect(calls('storage.save')).toEqual([{ maxMessages: 200_000 }, { maxBytes: 2 * 1024 ** 3 }, { maxAgeDays: 60 }]);
    expect(field('Messages').value).toBe('200,000');
    expect(field('Size').value).toBe('2 GB');
    expect(field('Age').value).toBe('60 days');
  });

  it('asks before a lower limit deletes anything, and keeps the old one when the answer is no', async () => {
    await open('storage', { delivered: 200 });
    await enter('Messages', '100');
    expect(dialog()?.textContent).toContain('The oldest 100 finished messages will be deleted');
    await click(byName('button', 'Cancel'));
    expect(calls('storage.save')).toEqual([]);
    expect(field('Messages').value).toBe('100,000');
    await enter('Messages', '100');
    await click(byName('button', 'Lower and delete'));
    expect(calls('storage.save')).toEqual([{ maxMessages: 100 }]);
    await enter('Age', '7');
    expect(dialog()?.textContent).toContain('Finished messages older than 7 days');
    await press(dialog()!, 'Escape');
    expect(calls('storage.save')).toHaveLength(1);
    expect(field('Age').value).toBe('30 days');
  });

  it('says that a limit would fill the store, and raises one of a full store without a question', async () => {
    await open('storage', { waiting: 151, config: { storage: { maxMessages: 150 } } });
    expect(useRecords.getState().status?.storage.full).toBe(true);
    await enter('Messages', '120');
    expect(dialog()?.textContent).toContain('151 messages wait for delivery, so the store will be full');
    await click(byName('button', 'Cancel'));
    await enter('Messages', '180');
    expect(dialog()).toBeNull();
    expect(calls('storage.save')).toEqual([{ maxMessages: 180 }]);
  });

  it('lowers a limit that nothing reaches without a question', async () => {
    await open('storage', { delivered: 200 });
    await enter('Messages', '5000');
    expect(dialog()).toBeNull();
    expect(calls('storage.save')).toEqual([{ maxMessages: 5_000 }]);
  });

  it('refuses a limit under its field, with the old one in force', async () => {
    await open('storage');
    for (const [name, wrong, message] of [
      ['Messages', '12', 'Enter a number from 100'],
      ['Size', 'big', '"big" is not a size.'],
      ['Age', '0', 'Enter a time from'],
    ] as const) {
      await typeText(field(name), wrong);
      await blur(field(name));
      expect(about(name)).toContain(message);
    }
    expect(calls('storage.save')).toEqual([]);
  });

  it('deletes what is finished after a question that counts, and tells how many went', async () => {
    await open('storage', { delivered: 120, waiting: 40 });
    await click(byName('button', 'Delete'));
    expect(dialog()?.textContent).toContain('Delete 120 finished messages');
    expect(dialog()?.textContent).toContain('40 messages wait for delivery and stay.');
    await click(byName('button', 'Cancel'));
    expect(calls('storage.clear')).toEqual([]);
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    await settle(60);
    expect(calls('storage.clear')).toEqual([{}]);
    expect(useRecords.getState().status?.total).toBe(40);
    expect(text()).toContain('Deleted 120 messages');
  });

  it('asks on until all are gone, shows how far it is, and can be stopped', async () => {
    await open('storage', { delivered: 400 });
    const answers: Array<(value: unknown) => void> = [];
    engine.answer('storage.clear', () => new Promise((resolve) => answers.push(resolve)));
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    const bar = () => byName('[role="progressbar"]', 'Deleting finished messages').getAttribute('aria-valuetext');
    expect(bar()).toMatch(/^0 of \d+ deleted$/);
    answers[0]?.({ removed: 120, next: { after: 120, upTo: 400 } });
    await settle(60);
    expect(bar()).toMatch(/^120 of \d+ deleted$/);
    expect(calls('storage.clear')).toEqual([{}, { after: 120, upTo: 400 }]);
    await click(byName('button', 'Stop'));
    answers[1]?.({ removed: 30, next: { after: 150, upTo: 400 } });
    await settle(60);
    expect(calls('storage.clear')).toHaveLength(2);
    expect(text()).toContain('Stopped after 150 messages');
    expect(document.querySelector('[role="progressbar"]')).toBeNull();
  });

  it('says what was deleted before it failed', async () => {
    await open('storage', { delivered: 200 });
    engine.failNext('storage.clear', new ContractError('store_not_writable'));
    await click(byName('button', 'Delete'));
    await click(byName('button', 'Delete', dialog()!));
    await settle(60);
    expect(text()).toContain('Could not delete the messages');
    expect(byName('button', 'Delete')).toBeTruthy();
  });
});

describe('a full store', () => {
  it('is shown on every screen with a link to the limits, and disappears once there is room', async () => {
    await open('ingest', { waiting: 101, config: { storage: { maxMessages: 100 } } });
    for (const screen of ['sources', 'settings'] as const) {
      act(() => navigate(screen === 'sources' ? { screen } : { screen, section: 'about' }));
      await settle();
      expect(main().textContent).toContain('The store is full: 101 messages wait to be delivered.');
      expect(document.querySelector('[role="alert"]')?.textContent).toContain('The store is full.');
    }
    await click(byName('button', 'Open Storage'));
    expect(location.hash).toBe('#/settings/storage');
    expect(main().textContent).toContain('Four ways to make room');
    expect([...document.querySelectorAll('button')].some((b) => b.textContent === 'Open Storage')).toBe(false);
    await settled(call('storage.save', { maxMessages: 500 }));
    expect(main().textContent).not.toContain('The store is full');
  });

  it('or any other opens from the status bar', async () => {
    await open('ingest', { delivered: 200 });
    const link = byName('footer a', /^200 messages/);
    expect(link.getAttribute('href')).toBe('#/settings/storage');
  });
});
