import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import SettingsScreen from '../../../src/renderer/screens/settings/settings-screen.tsx';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { byName, click, connectEngine, disconnect, type Rendered, render, settle } from '../base/harness.tsx';

const SECRET = 'a secret of the workspace';
const config = {
  sources: [{ name: 'checkout', writeKey: 'wk_1', kind: 'server' as const, enabled: true, webhooks: true }],
  webhooks: {
    sharedSecret: SECRET,
    entries: [{ name: 'CRM', url: 'http://crm.test/hook', headers: {}, enabled: true }],
  },
};

let engine: SimEngine;
let shown: Rendered;
let saved: { name: string; blob: Blob }[] = [];

beforeEach(async () => {
  saved = [];
  let last: Blob | undefined;
  URL.createObjectURL = (blob) => {
    last = blob as Blob;
    return 'blob:config';
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (last !== undefined) saved.push({ name: this.download, blob: last });
  });
  engine = await connectEngine({ config });
  navigate({ screen: 'settings', section: 'about' });
  shown = await render(
    <>
      <SettingsScreen />
      <ToastRegion />
    </>,
  );
});
afterEach(() => {
  shown.unmount();
  disconnect();
  vi.restoreAllMocks();
});

const text = () => document.body.textContent ?? '';

describe('the config file', () => {
  it('is saved as the engine exports it, without the secret, and names what to set for it', async () => {
    expect(text()).toContain('Secrets are not in the file');
    await click(byName('button', 'Save as hookbench.json'));
    expect(saved.map(({ name }) => name)).toEqual(['hookbench.json']);
    const file = await textOf(saved[0]!.blob);
    expect(JSON.parse(file)).toMatchObject({
      sources: [{ name: 'checkout', writeKey: 'wk_1' }],
      webhooks: { sharedSecret: { env: expect.any(String) }, entries: [{ name: 'CRM' }] },
    });
    expect(file).not.toContain(SECRET);
    expect(text()).toContain(JSON.parse(file).webhooks.sharedSecret.env);
  });

  it('that cannot be made shows the error', async () => {
    engine.failNext('config.export', new ContractError('stopped'));
    await click(byName('button', 'Save as hookbench.json'));
    await settle();
    expect(saved).toEqual([]);
    expect(text()).toContain('Could not save the config file');
  });
});

const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });
