/** How the desktop shell ends. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { processesWith } from '../../helpers/processes.ts';
import { type Answer, type Receiver, startReceiver } from '../../helpers/receivers.ts';
import { type LaunchedDesktop, type Shell, test } from '../launch.ts';
import { isConnected, opener, post } from './open.ts';

const { launch, folder, closeAll } = opener();
test.afterEach(closeAll);

test.describe('quitting', () => {
  for (const way of ['the window', 'SIGTERM'] as const)
    test(`by ${way} ends in order and leaves no process`, async ({ shell }) => {
      test.skip(process.platform !== 'linux', 'reads /proc');
      const own = folder();
      const { app, page, workspace } = await launch(shell, { userData: own, workspace: join(own, 'workspace') });
      await isConnected(page);
      const child = app.process();
      const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve([child.exitCode]);
      if (way === 'SIGTERM') child.kill('SIGTERM');
      else await app.evaluate(({ BrowserWindow }) => setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 0));
      expect((await exited)[0]).toBe(0);
      expect(existsSync(join(workspace, 'control.sock'))).toBe(false);
      await expect.poll(() => processesWith(own)).toEqual([]);
    });
});

test.describe('quitting with an attempt on the wire', () => {
  let receiver: Receiver | undefined;
  test.afterEach(() => receiver?.close());

  /** An app whose webhook has one request that it has not answered. */
  async function withOpenAttempt(shell: Shell, answer: Answer | (() => Promise<Answer>), timeoutMs: number) {
    const started = await startReceiver(answer);
    receiver = started;
    const own = folder();
    const options = { userData: join(own, 'user-data'), workspace: join(own, 'workspace') };
    const entries = [{ name: 'CRM', url: started.url, headers: {}, enabled: true }];
    const desktop = await launch(shell, { ...options, config: { webhooks: { timeoutMs, entries } } });
    await isConnected(desktop.page);
    let said = '';
    desktop.app.process().stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await post(desktop, 'On the wire');
    await started.waitFor(1);
    return { desktop, options, said: () => said };
  }
  const exitOf = async ({ app }: LaunchedDesktop): Promise<number> => (await once(app.process(), 'exit'))[0];
  const isListed = async (shell: Shell, options: object, word: string) => {
    const { page } = await launch(shell, options);
    await expect(page.getByRole('row').filter({ hasText: 'On the wire' })).toContainText(word);
  };

  test('waits for its answer, says so, and sends nothing twice', async ({ shell }) => {
    const answered = Promise.withResolvers<Answer>();
    const { desktop, options, said } = await withOpenAttempt(shell, () => answered.promise, 30_000);
    const exited = exitOf(desktop);
    desktop.app.process().kill('SIGTERM');
    await expect.poll(said).toContain('quitting: waits for 1 open attempt, at most 31 s.');
    answered.resolve({ status: 200 });
    expect(await exited).toBe(0);
    await isListed(shell, options, 'Delivered');
    expect(receiver?.requests).toHaveLength(1);
  });

  test('and once more ends at once; the attempt is made again at the next start', async ({ shell }) => {
    const { desktop, options, said } = await withOpenAttempt(shell, 'hang', 30_000);
    const child = desktop.app.process();
    const exited = exitOf(desktop);
    child.kill('SIGTERM');
    await expect.poll(said).toContain('waits for 1 open attempt');
    const again = () => (child.exitCode === null ? child.kill('SIGTERM') : false);
    await expect.poll(again, { timeout: 20_000 }).toBe(false);
    expect(await exited).toBe(1);
    receiver?.setAnswer({ status: 200 });
    await isListed(shell, options, 'Delivered');
    expect(receiver?.requests).toHaveLength(2);
  });
});
