/** The form of a new deletion request on the real engine. */
import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { byName, click, inputsOf, press, settle, settled, until } from '../base/harness.tsx';
import { watchSavedFiles } from '../base/saved-files.ts';
import { cells, closeDeletions, isOver, KNOWN, openDeletions, text, track, type World, write } from './world.tsx';

let world: World;
const open = async (calls = KNOWN): Promise<void> => {
  world = await openDeletions(calls, { page: 'new' });
};
afterEach(() => {
  closeDeletions(world);
  vi.restoreAllMocks();
});

const marks = () => [...document.querySelectorAll('[data-line]')].map((line) => line.lastElementChild?.textContent);
const looked = (sum: string) => until(() => text().includes(sum));
const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]');
const MIXED = 'usr_5d10\nusr_2b9d\nUSR_41C0\nusr_9f00\nusr_2b9d\n usr_5d10';
const MIXED_SUM = '6 lines, 5 different ids: 2 known, 1 unknown, 2 differ only in spaces or case';

describe('the ids', () => {
  it('are marked line by line, exactly as written', async () => {
    await open();
    expect(text()).toContain('Paste one or more user ids.');
    await write(MIXED);
    await looked(MIXED_SUM);
    expect(marks()).toEqual([
      'Line 1: 11 calls',
      'Line 2: 8 calls',
      'Line 3: no calls; usr_41c0 has 4',
      'Line 4: no source knows it',
      'Line 5: same as line 2',
      'Line 6: no calls; usr_5d10 has 11; begins with a space, kept as found',
    ]);
    expect(document.querySelector('[data-line="6"]')?.textContent).toContain('\u00b7usr_5d10');
  });

  it('count empty lines in the numbers, and send none of them', async () => {
    await open();
    await write('\nusr_5d10\n\nusr_5d10');
    await looked('2 lines, 1 id: 1 known');
    expect(marks()).toEqual(['', 'Line 2: 11 calls', '', 'Line 4: same as line 2']);
    expect(inputsOf('deletions.preview')).toEqual([{ userIds: ['usr_5d10', 'usr_5d10'] }]);
  });

  it('with hidden characters say so', async () => {
    await open([['wk_web', 'u\u202Egnp', 1]]);
    await write('u\u202Egnp');
    await looked('1 line, 1 id: 1 known');
    expect(marks()).toEqual(['Line 1: 1 call; has U+202E, kept as found']);
  });

  it('that are pasted in great number are put in at once, in place of what is selected', async () => {
    await open();
    await write('first\nold\nlast');
    const area = document.querySelector('textarea')!;
    area.setSelectionRange(6, 9);
    const many = Array.from({ length: 5_000 }, (_, i) => `u${i}`);
    const paste = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(paste, { clipboardData: { getData: () => many.join('\r\n') } });
    await act(async () => area.dispatchEvent(paste));
    expect(paste.defaultPrevented).toBe(true);
    expect(area.value).toBe(['first', ...many, 'last'].join('\n'));
  });

  it('that are near are added by a button, nothing is guessed', async () => {
    await open();
    await write('USR_41C0');
    await looked('1 line, 1 id: 0 known, 1 differs only in case');
    await click(byName('button', 'Add usr_41c0'));
    await looked('2 lines, 2 different ids: 1 known, 1 differs only in case');
    expect(document.querySelector('textarea')?.value).toBe('USR_41C0\nusr_41c0');
    expect([...document.querySelectorAll('button')].some(({ textContent }) => textContent?.startsWith('Add '))).toBe(
      false,
    );
  });

  it('come from a file, below those that are there', async () => {
    await open();
    await write('usr_5d10');
    const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
    Object.defineProperty(input, 'files', { value: [new File(['\uFEFFusr_2b9d\r\nusr_41c0\r\n'], 'ids.txt')] });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await looked('3 lines, 3 different ids: 3 known');
    expect(document.querySelector('textarea')?.value).toBe('usr_5d10\nusr_2b9d\nusr_41c0');
  });

  it('of more than 10,000 lines are not looked up, and 10,000 draw few lines', async () => {
    await open();
    const many = (n: number) => Array.from({ length: n }, (_, i) => `u${i}`).join('\n');
    await write(many(10_001));
    await settle();
    expect(text()).toContain('A request takes at most 10,000 lines. These are 10,001.');
    expect(inputsOf('deletions.preview')).toEqual([]);
    await write(`${many(9_999)}\nusr_5d10`);
    await looked('10,000 lines, 10,000 different ids: 1 known, 9,999 unknown');
    expect(document.querySelectorAll('[data-line]').length).toBeLessThan(60);
    expect(text()).toContain('200 of 10,000 ids, those without calls first. The sums count all.');
    expect(cells('Preview by user and source')).toHaveLength(202);
    expect(cells('Preview by user and source').at(-1)).toEqual([
      'Calls known',
      '6 calls1 notice',
      '5 calls1 notice',
      '0 calls0 notices',
      '2',
    ]);
  });
});

describe('the preview', () => {
  it('has users by sources, reasons where no notice goes, and sums that add up', async () => {
    await open();
    await write(MIXED);
    await looked(MIXED_SUM);
    expect(cells('Preview by user and source')).toEqual([
      ['User', 'webdestination on', 'apidestination on', 'appdestination off', 'Notices'],
      ['usr_5d10', '6 calls1 notice', '5 calls1 notice', 'does not know it', '2'],
      ['usr_2b9d', '3 calls1 notice', 'does not know it', '5 callsno notice, off', '1'],
      ['USR_41C0differs only in case from usr_41c0', ...Array(3).fill('does not know it'), '0'],
      ['usr_9f00never seen', ...Array(3).fill('does not know it'), '0'],
      ['\u00b7usr_5d10differs only in spaces from usr_5d10', ...Array(3).fill('does not know it'), '0'],
      ['Calls known', '9 calls2 notices', '5 calls1 notice', '5 calls0 notices', '3'],
    ]);
    expect(text()).toContain('19 calls: 14 where the destination is on, 5 in app, which gets no notice.');
  });

  it('says when nothing is sent; to suppress stays possible', async () => {
    await open();
    await write('x\ny');
    await looked('None of these 2 ids is known to a source, so nothing is sent.');
    expect((byName('button', 'Nothing to send') as HTMLButtonElement).disabled).toBe(true);
    await click(byName('[role="checkbox"]', 'Suppress from now on'));
    await click(byName('button', /^Suppress 2 users/));
    expect(dialog()?.textContent).toContain('Suppress 2 users?');
    await click(byName('[role="dialog"] footer button', 'Suppress 2 users'));
    await isOver();
    expect(inputsOf('deletions.create')).toEqual([
      { userIds: ['x', 'y'], erase: false, suppress: true, forget: false },
    ]);
  });

  it('that cannot be made can be tried again', async () => {
    await open();
    world.engine.failNext('deletions.preview', new ContractError('stopped'));
    await write('usr_5d10');
    await looked('Could not look through the messages.');
    await click(byName('button', 'Try again'));
    await looked('1 line, 1 id: 1 known');
  });

  it('of earlier lines says so when the newer ones cannot be looked up, and is tried again', async () => {
    await open();
    await write('usr_5d10');
    await looked('1 line, 1 id: 1 known');
    const pane = () => byName('section', 'Preview');
    world.engine.failNext('deletions.preview', new ContractError('stopped'));
    await write('usr_5d10\nusr_2b9d');
    expect(pane().getAttribute('aria-busy')).toBe('true');
    await looked('This preview is of earlier lines.');
    expect(pane().getAttribute('aria-busy')).toBe('false');
    expect((byName('button', 'Send 2 notices') as HTMLButtonElement).disabled).toBe(true);
    await click(byName('button', 'Try again'));
    await looked('2 lines, 2 different ids: 2 known');
    expect(text()).not.toContain('earlier lines');
  });

  it('of earlier lines no longer says that it failed once other lines are looked up', async () => {
    await open();
    await write('usr_5d10');
    await looked('1 line, 1 id: 1 known');
    world.engine.failNext('deletions.preview', new ContractError('stopped'));
    await write('usr_5d10\nusr_2b9d');
    await looked('This preview is of earlier lines.');
    await write('usr_5d10\nusr_2b9d\nusr_41c0');
    expect([byName('section', 'Preview').getAttribute('aria-busy'), text().includes('Could not look')]).toEqual([
      'true',
      false,
    ]);
    await looked('3 lines, 3 different ids: 3 known');
  });

  it('says that it misses what changed since when it cannot be made anew', async () => {
    await open();
    await write('usr_5d10');
    await looked('11 calls: 11 where the destination is on.');
    world.engine.failNext('deletions.preview', new ContractError('stopped'));
    await track(world.engine, ['wk_web', 'usr_5d10', 1]);
    await looked('What changed since is not in this preview.');
    await click(byName('button', 'Try again'));
    await looked('12 calls: 12 where the destination is on.');
    expect(text()).not.toContain('What changed since');
  });

  it('comes while calls arrive without a pause', async () => {
    await open();
    await write('usr_5d10');
    const end = performance.now() + 120_000;
    while (!text().includes('11 calls: 11 where the destination is on.')) {
      if (performance.now() > end)
        throw new Error(`No preview: ${byName('section', 'New deletion request').textContent}`);
      await track(world.engine, ['wk_web', 'usr_other', 1]);
    }
  });

  it('follows calls that come in', async () => {
    await open();
    await write('usr_5d10');
    await looked('11 calls: 11 where the destination is on.');
    await track(world.engine, ['wk_web', 'usr_5d10', 1]);
    await looked('12 calls: 12 where the destination is on.');
  });
});

describe('the dry run', () => {
  it('shows each notice as it would be sent, and [ and ] go through them', async () => {
    await open();
    await write('usr_5d10\nusr_2b9d');
    await looked('notice 1 of 3, web');
    const body = () => byName('section', 'Body').textContent ?? '';
    expect(body()).toMatch(/^1\{2 {2}"type": "delete",3 {2}"userId": "usr_5d10",4 {2}"timestamp": "[^"]+"5\}$/);
    await press(document.body, ']');
    expect(text()).toContain('notice 2 of 3, api');
    await press(document.body, ']');
    await press(document.body, ']');
    expect(text()).toContain('notice 3 of 3, web');
    expect(body()).toContain('"userId": "usr_2b9d"');
    await press(document.body, '[');
    expect(text()).toContain('notice 2 of 3, api');
    expect(world.engine.transport.sent.filter(({ body: sent }) => String(sent).includes('delete'))).toEqual([]);
  });

  it('is saved as the JSON that the command prints, and named as a command', async () => {
    const saved = watchSavedFiles();
    await open();
    await write('usr_5d10\na $b');
    await looked('2 lines, 2 different ids');
    await click(byName('[role="checkbox"]', 'Erase stored messages'));
    expect(byName('section', 'The same by command').textContent).toContain(
      `$ hookbench deletions add \\\n  --user=usr_5d10 \\\n  --user='a $b' \\\n  --erase \\\n  --dry-run`,
    );
    await click(byName('button', 'Save the dry run as JSON'));
    await until(() => saved.length === 1);
    const dryRun = JSON.parse(await saved[0]!.blob.text()) as {
      preview: { notices: number };
      notices: { body: string }[];
    };
    expect(dryRun.preview.notices).toBe(2);
    expect(dryRun.notices.map(({ body }) => JSON.parse(body).userId)).toEqual(['usr_5d10', 'usr_5d10']);
    await write('a\nb\nc\nd');
    expect(byName('section', 'The same by command').textContent).toContain('--file ids.txt');
  });
});

describe('what an erase takes', () => {
  const also = () => byName('section', 'Also').textContent;

  it('is said in general while no id is written', async () => {
    await open();
    expect(also()).toContain('Removes the messages of these users with their bodies');
    expect(also()).not.toMatch(/\b0 (messages|users)/);
  });

  it('is nothing of users who are not known', async () => {
    await open();
    await write('usr_9f00');
    await until(() => also()!.includes('Nothing of this user is stored, so nothing is erased.'));
    await write('usr_9f00\nusr_9f01');
    await until(() => also()!.includes('Nothing of these 2 users is stored, so nothing is erased.'));
    expect(also()).not.toContain('cannot be undone');
  });

  it('is a membership of a user without a message', async () => {
    await open();
    await settled(call('audiences.save', { name: 'A' }));
    await settled(call('audiences.editMembers', { id: 1, add: ['usr_9f00'] }));
    await write('usr_9f00');
    await until(() =>
      also()!.includes('No message of this user is stored. Removes 1 membership. It cannot be undone.'),
    );
  });
});

describe('sending', () => {
  it('asks with the count, sends the notices first, erases and suppresses', async () => {
    await open();
    await write('usr_5d10\nusr_2b9d');
    await looked('2 lines, 2 different ids: 2 known');
    await click(byName('[role="checkbox"]', 'Erase stored messages'));
    await click(byName('[role="checkbox"]', 'Suppress from now on'));
    expect((byName('[role="checkbox"]', 'Forget the ids afterwards') as HTMLButtonElement).ariaDisabled).not.toBe(
      'false',
    );
    expect(byName('section', 'Also').textContent).toContain('Removes 19 messages of 2 users');
    expect(byName('section', 'Also').textContent).toContain('Kept: this request and its 3 notices, as proof.');
    await press(document.querySelector('textarea')!, 'Enter', { ctrlKey: true });
    expect(inputsOf('deletions.create')).toEqual([]);
    expect(dialog()?.textContent).toContain('Erase 19 messages of 2 users?');
    expect(dialog()?.textContent).toContain('It cannot be undone. 3 notices are sent first.');
    await click(byName('[role="dialog"] footer button', 'Send 3 notices, erase 19'));
    await isOver();
    expect(inputsOf('deletions.create')).toEqual([
      { userIds: ['usr_5d10', 'usr_2b9d'], erase: true, suppress: true, forget: false },
    ]);
    await until(() => text().includes('2 of 2'));
    expect(world.engine.transport.sent.filter(({ body }) => String(body).includes('"delete"'))).toHaveLength(3);
  });

  it('is not possible with a preview of other lines, nor twice by the keys', async () => {
    await open();
    await write('usr_5d10');
    await looked('1 line, 1 id: 1 known');
    await write('usr_2b9d');
    await press(document.body, 'Enter', { ctrlKey: true });
    expect(dialog()).toBeNull();
    await looked('1 line, 1 id: 1 known');
    await until(() => text().includes('notice 1 of 1'));
    await press(document.body, 'Enter', { ctrlKey: true });
    await press(document.body, 'Enter', { ctrlKey: true });
    expect(document.querySelectorAll('[role="dialog"]')).toHaveLength(1);
  });

  it('keeps the draft while another page is shown, and Cancel has Undo', async () => {
    await open();
    await write('usr_5d10');
    await click(byName('button', 'Cancel'));
    expect(document.querySelector('textarea')).toBeNull();
    await click(byName('button', 'Undo'));
    expect(document.querySelector('textarea')?.value).toBe('usr_5d10');
  });

  it('goes to the dry run by Ctrl Shift Enter', async () => {
    await open();
    await write('usr_5d10');
    await looked('notice 1 of 2');
    await press(document.querySelector('textarea')!, 'Enter', { ctrlKey: true, shiftKey: true });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Dry run');
    expect(dialog()).toBeNull();
  });
});
