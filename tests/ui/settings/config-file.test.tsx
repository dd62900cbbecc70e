import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import SettingsScreen from '../../../src/renderer/screens/settings/settings-screen.tsx';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { byName, click, connectEngine, disconnect, type Rendered, render, settle } from '../base/harness.tsx';
import { type Saved, watchSavedFiles } from '../base/saved-files.ts';

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
let saved: readonly Saved[] = [];

beforeEach(async () => {
  saved = watchSavedFiles();
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
});

const text = () => document.body.textContent ?? '';

describe('the config file', () => {
  it('is saved as the engine exports it, without the secret, and names what to set for it', async () => {
    expect(text()).toContain('Secrets are not in the file');
    await click(byName('button', 'Save as hookbench.json'));
    expect(saved.map(({ name }) => name)).toEqual(['hookbench.json']);
    const file = await saved[0]!.blob.text();
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
