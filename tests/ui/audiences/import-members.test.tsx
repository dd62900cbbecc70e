/** The import of members on the real engine. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  cellsOf,
  click,
  connectEngine,
  disconnect,
  inputsOf,
  press,
  type Rendered,
  render,
  settle,
  until,
} from '../base/harness.tsx';
import { watchSavedFiles } from '../base/saved-files.ts';

const KEY = 'wk_shop';
let engine: SimEngine;
let shown: Rendered;

async function open(userIds: string[] = []): Promise<void> {
  engine = await connectEngine({
    config: {
      sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      audiences: [{ name: 'Beta Testers', userIds, sync: { when: 'hand' }, track: false }],
    },
  });
  const calls = ['usr_1', 'usr_1', 'usr_2'].map((userId) => ({ type: 'identify', userId }));
  await engine.post('/v1/batch', { batch: calls }, KEY);
  navigate({ screen: 'audiences', audienceId: 1, tab: 'members', page: 'import' });
  shown = await render(
    <>
      <AudiencesScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

const text = () => document.body.textContent ?? '';
const rows = () => cellsOf('Rows of the file');
const panel = () => byName('aside', 'What the import does').textContent ?? '';

/** A text pasted anywhere on the page. */
async function paste(pasted: string, target: EventTarget = document.body): Promise<void> {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => pasted } });
  await act(async () => void target.dispatchEvent(event));
  await settle();
}
async function dropFile(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const event = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { files: [new File([content], name)] } });
  await act(async () => void byName('section', 'Beta Testers').dispatchEvent(event));
}

const CSV = [
  'customer_id,email,signed_up',
  'usr_1,one@example.org,2026-10-02',
  ' usr_2,two@example.org,2026-10-03',
  'usr_1,again@example.org,2026-10-04',
  ',nobody@example.org,2026-10-05',
  'usr_3,short',
  'usr_4,four@example.org,2026-10-06',
].join('\n');

describe('a file', () => {
  it('is shown row by row before anything changes, and good + duplicates + bad = rows', async () => {
    await open(['usr_4', 'usr_9']);
    expect(text()).toContain('Paste ids, or drop a CSV or NDJSON file.');
    await dropFile('beta-testers.csv', CSV);
    await until(() => text().includes('6 rows'));
    expect(text()).toContain('206 B, 6 rows, UTF-8, comma');
    await until(() => rows().some((row) => row[3] === 'never seen by a source'));
    expect(rows()).toEqual([
      ['5', 'nothing', 'nobody@example.org', 'customer_id is empty'],
      ['6', 'usr_3', 'short', '2 columns, 3 expected'],
      ['4', 'usr_1', 'again@example.org', 'same as line 2, kept once'],
      ['2', 'usr_1', 'one@example.org', '2 calls'],
      ['3', '\u00b7usr_2', 'two@example.org', 'begins with a space, kept as found'],
      ['7', 'usr_4', 'four@example.org', 'never seen by a source'],
    ]);
    expect(panel()).toContain('6 rowsGood3Duplicates kept once1Bad left out2');
    await until(() => panel().includes('Known to a source1Never seen synced all the same2'));
    expect(panel()).toContain('1 id begins or ends with a space.');
    expect(panel()).toContain('24+2');
    expect(panel()).toContain('hookbench audiences members "Beta Testers" --file beta-testers.csv');
    expect(inputsOf('audiences.importRun')).toEqual([]);
  });

  it('replaces the members after showing who comes and goes', async () => {
    await open(['usr_4', 'usr_9']);
    await dropFile('beta-testers.csv', CSV);
    await until(() => text().includes('Import 3 members'));
    await click(byName('[role="radio"]', 'Replace'));
    expect(panel()).toContain('23+2\u22121');
    await click(byName('button', /^Replace by 3 members/));
    await until(() => text().includes('2 members added'));
    expect(text()).toContain('1 removed');
    await until(() => document.querySelector('[role="table"][aria-label="Members"]') !== null);
    const members = [...byName('[role="table"]', 'Members').querySelectorAll('[role="row"]')].slice(1);
    expect(members.map((row) => row.querySelector('[role="cell"]')!.textContent)).toEqual([
      '\u00b7usr_2',
      'usr_1',
      'usr_4',
    ]);
  });

  it('is read with another column', async () => {
    await open();
    await dropFile('a.csv', 'customer_id,email,handle\nusr_1,a@b.c,one\nusr_2,b@b.c,two');
    await until(() => text().includes('Import 2 members'));
    await act(async () => {
      const select = byName('select', 'Use handle as') as HTMLSelectElement;
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, 'userId');
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await until(() => rows()[0]?.[1] === 'one');
    expect(inputsOf('audiences.importColumns')).toMatchObject([{ userId: 2, label: 1 }]);
  });

  it('without a column of ids wants one chosen', async () => {
    await open();
    await dropFile('a.csv', 'colour,shape\nred,round\nblue,square');
    await until(() => text().includes('No column looks like a user id. Choose one.'));
    expect((byName('button', /^Import/) as HTMLButtonElement).disabled).toBe(true);
    await act(async () => {
      const select = byName('select', 'Use shape as') as HTMLSelectElement;
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, 'userId');
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await until(() => text().includes('Import 2 members'));
  });

  it('that is not UTF-8 or too large is refused with the reason', async () => {
    await open();
    await dropFile('latin1.csv', new Uint8Array([0x69, 0x64, 0x0a, 0xe9]));
    await until(() => text().includes('The file is not UTF-8.'));
    engine.failNext('audiences.importText', new ContractError('import_too_large'));
    await dropFile('large.csv', 'id\na');
    await until(
      () =>
        document.querySelector('[role="alert"]')?.textContent !==
        'The file is not UTF-8. Save it as UTF-8 and try again.',
    );
    expect(document.querySelector('[role="alert"]')!.textContent).not.toBe('');
  });

  it('gives its bad rows as a file that can be mended', async () => {
    await open();
    await dropFile('beta-testers.csv', CSV);
    const saved = watchSavedFiles();
    await click(await appears('Save the 2 bad rows'));
    await until(() => saved.length === 1);
    expect(saved[0]!.name).toBe('beta-testers.bad.csv');
    expect(await saved[0]!.blob.text()).toBe(
      'customer_id,email,signed_up\n,nobody@example.org,2026-10-05\nusr_3,short\n',
    );
  });
});

async function appears(button: string): Promise<HTMLElement> {
  await until(() => text().includes(button));
  return byName('button', button);
}

describe('a pasted text', () => {
  it('of 10,000 ids is imported by the keyboard, with few rows drawn', async () => {
    await open();
    const ids = Array.from({ length: 10_000 }, (_, i) => `u${String(i).padStart(6, '0')}`);
    await paste([...ids, 'u000000', ' '].join('\n'));
    await until(() => text().includes('Import 10,000 members'));
    expect(panel()).toContain('10,002 rowsGood10,000Duplicates kept once1Bad left out1');
    await until(() => rows()[0]?.[3] !== '');
    expect(byName('[role="table"]', 'Rows of the file').getAttribute('aria-rowcount')).toBe('10003');
    expect(document.querySelectorAll('[role="row"]').length).toBeLessThan(100);
    await press(document.body, 'Enter', { ctrlKey: true });
    await press(document.body, 'Enter', { ctrlKey: true });
    await until(() => text().includes('10,000 members added'));
    expect(inputsOf('audiences.importRun')).toHaveLength(1);
  });

  it('of bad rows only cannot be imported', async () => {
    await open();
    await paste('{"id":1.5}\n{"id":null}\n');
    await until(() => text().includes('2 rows'));
    expect((byName('button', /^Import/) as HTMLButtonElement).disabled).toBe(true);
  });

  it('is forgotten by the engine when the page is left', async () => {
    await open();
    await paste('a\nb');
    await until(() => text().includes('Import 2 members'));
    await click(byName('button', 'Cancel'));
    await until(() => inputsOf('audiences.importClose').length === 1);
    expect(text()).toContain('No member yet.');
  });
});
