/** The menu of the workspace: the others, and the ways to open one in the desktop window and in a browser. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { KnownWorkspace } from '../../../src/contract/workspaces.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { WorkspaceMenu } from '../../../src/renderer/frame/workspace-menu.tsx';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { byName, click, connectEngine, disconnect, type Rendered, render, settle, type, until } from './harness.tsx';

const NONE = () => Promise.reject(new ContractError('demo_not_here'));
const workspace = (name: string, more: Partial<KnownWorkspace> = {}): KnownWorkspace => ({
  folder: `/home/ada/${name}`,
  name,
  openedAt: 1,
  isDemo: false,
  isThere: true,
  ...more,
});

let engine: SimEngine;
let shown: Rendered | null = null;
let copied: string[] = [];

async function open(others: readonly KnownWorkspace[] | Error, setup: SimEngineSetup = {}): Promise<void> {
  copied = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  const workspaces = async () => {
    if (others instanceof Error) throw others;
    return others;
  };
  engine = await connectEngine({
    demoShell: { open: NONE, address: NONE, reset: NONE, end: NONE, workspaces },
    ...setup,
  });
  shown = await render(
    <>
      <WorkspaceMenu rail={false} onShortcuts={() => {}} />
      <ToastRegion />
    </>,
  );
  await click(byName('button', /^Workspace .*, menu$/));
  await settle();
}
afterEach(async () => {
  for (const close of document.querySelectorAll<HTMLElement>('[aria-label="Close notice"]')) await click(close);
  shown?.unmount();
  disconnect();
  window.hookbench = undefined;
});

const menu = () => document.querySelector('[role="menu"]')?.textContent ?? '';
const items = () => [...document.querySelectorAll('[role="menuitem"]')].map((item) => item.textContent);
const dialog = () => document.querySelector('[role="dialog"]');

describe('in a browser', () => {
  it('copies the command that opens another workspace, and cannot open a folder', async () => {
    await open([workspace('shop two')]);
    expect(menu()).toContain('Other workspaces: copy the command that opens one');
    expect(items()).toEqual(['shop two', 'New workspace…', expect.stringContaining('Settings'), expect.anything()]);
    await click(byName('[role="menuitem"]', 'shop two'));
    expect(copied).toEqual(['hookbench serve --workspace "/home/ada/shop two"']);
  });

  it('gives the command for a new workspace', async () => {
    await open([]);
    expect(menu()).not.toContain('Other workspaces');
    await click(byName('[role="menuitem"]', 'New workspace…'));
    expect(byName('button', 'Copy the command')).toHaveProperty('disabled', true);
    await type(byName('[role="dialog"] input', 'Name'), "Ada's");
    expect(dialog()?.textContent).toContain('Stop that one first');
    await click(byName('button', 'Copy the command'));
    expect(copied).toEqual([`hookbench serve --workspace "./Ada's"`]);
  });

  it('marks a demo and a missing folder, which cannot be opened, and shows hostile names as text', async () => {
    await open([
      workspace('demo-shop', { isDemo: true }),
      workspace('old', { isThere: false }),
      workspace('a\u202eb<i>'),
    ]);
    expect(items().slice(0, 2)).toEqual(['demo-shopDemo', 'oldFolder is missing']);
    expect(items()[2]).toContain('U+202E');
    expect(byName('[role="menuitem"]', 'oldFolder is missing').getAttribute('aria-disabled')).toBe('true');
    await click(byName('[role="menuitem"]', 'demo-shopDemo'));
    await until(() => document.body.textContent?.includes('Could not open the demo') === true);
    expect(engine.calls.map(({ name }) => name)).toContain('demo.open');
    expect(copied).toEqual([]);
  });

  it('says when the others cannot be read', async () => {
    await open(new ContractError('internal'));
    expect(menu()).toContain('The other workspaces could not be read.');
  });
});

describe('in the desktop window', () => {
  const opened = vi.fn(async (folder: string) => (folder.endsWith('gone') ? 'There is no folder.' : null));
  const chosen = vi.fn();
  const desktop = () => {
    opened.mockClear();
    window.hookbench = { requestPort: () => {}, openWorkspace: opened, chooseWorkspace: chosen };
  };

  it('opens another one after it has said what that means', async () => {
    desktop();
    await open([workspace('other')]);
    await click(byName('[role="menuitem"]', 'other'));
    expect(dialog()?.textContent).toContain('/home/ada/other');
    expect(dialog()?.textContent).toContain('Nothing is received or sent there until you open it again.');
    expect(opened).not.toHaveBeenCalled();
    await click(byName('button', 'Open'));
    expect(opened.mock.calls).toEqual([['/home/ada/other']]);
  });

  it('counts what waits in this one, and says why another cannot be opened', async () => {
    desktop();
    await open([workspace('gone')], {
      config: {
        sources: [{ name: 'shop', writeKey: 'wk', kind: 'server', enabled: true, webhooks: true }],
        webhooks: { paused: true, entries: [{ name: 'CRM', url: 'http://crm.test/', headers: {}, enabled: true }] },
      },
    });
    await engine.post('/v1/track', { event: 'Waits', userId: 'u' }, 'wk');
    await settle();
    await click(byName('[role="menuitem"]', 'gone'));
    expect(dialog()?.textContent).toContain('1 message waits in it.');
    await click(byName('button', 'Open'));
    await until(() => document.body.textContent?.includes('There is no folder.') === true);
    expect(document.body.textContent).toContain('Could not open the workspace');
  });

  it('makes a new one, and shows why a name does not do', async () => {
    desktop();
    chosen.mockResolvedValueOnce({ end: 'refused', problem: 'There is a folder already.' });
    chosen.mockResolvedValueOnce({ end: 'chosen', folder: '/home/ada/.hookbench/Two' });
    await open([]);
    await click(byName('[role="menuitem"]', 'New workspace…'));
    await type(byName('[role="dialog"] input', 'Name'), 'Two');
    await click(byName('button', 'Create'));
    expect(dialog()?.textContent).toContain('There is a folder already.');
    await click(byName('button', 'Create'));
    expect(dialog()?.textContent).toContain('/home/ada/.hookbench/Two');
    await click(byName('button', 'Open'));
    expect(opened.mock.calls).toEqual([['/home/ada/.hookbench/Two']]);
  });
});

it('the demo is marked and leads to no other workspace', async () => {
  await open([workspace('other')], { demo: { seed: 1, rate: 20 } });
  expect(byName('button', /^Workspace .* Demo, menu$/).textContent).toContain('Demo');
  expect(items()).toHaveLength(2);
  expect(menu()).not.toContain('other');
});
