/** The headless shell in the system's Chromium: the token, the policy, and what a hostile page can reach. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { TOKEN_FILE } from '../../src/headless/kept-token.ts';
import { type HeadlessServer, type LaunchedHeadless, launchHeadless, startServer, test } from './launch.ts';

let headless: LaunchedHeadless | null = null;
test.afterEach(async () => {
  await headless?.stop();
  headless = null;
});
const launch = async (): Promise<LaunchedHeadless> => {
  headless = await launchHeadless();
  return headless;
};
const isConnected = (page: Page) => expect(page.getByText(/^Listening/).first()).toBeVisible();

test('the page opens, reaches the engine, and complains of nothing', async () => {
  const { page, problems, errors } = await launch();
  await isConnected(page);
  expect(problems).toEqual([]);
  expect(errors()).not.toContain('error');
});

test('opened again, the browser has every script and style sheet already', async () => {
  const { page, uiUrl } = await launch();
  const code = async () => {
    await isConnected(page);
    await page.waitForLoadState('networkidle');
    const seen = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .map((entry) => ({ name: entry.name, bytes: (entry as PerformanceResourceTiming).transferSize })),
    );
    expect(seen.length).toBeGreaterThan(1);
    return seen;
  };
  const before = await code();
  for (const { name, bytes } of before) expect([name, bytes > 0]).toEqual([name, true]);
  await page.goto('about:blank');
  await page.goto(uiUrl);
  // What loads when the page is idle may be asked for only now.
  const again = (await code()).filter(({ name }) => before.some((one) => one.name === name));
  expect(again.length).toBeGreaterThan(1);
  for (const { name, bytes } of again) expect([name, bytes]).toEqual([name, 0]);
});

test('the first screen brings no zod: the engine checks arguments, not the page', async () => {
  const { page } = await launch();
  await isConnected(page);
  const texts = await page.evaluate(() =>
    Promise.all(
      [...document.scripts].filter(({ src }) => src !== '').map(async ({ src }) => (await fetch(src)).text()),
    ),
  );
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect([text.includes('createRoot'), text.includes('ZodType')]).toEqual([true, false]);
});

test('the token leaves the address bar at once and stays with the tab over a reload', async () => {
  const { page, uiUrl } = await launch();
  await isConnected(page);
  expect(page.url()).toBe(new URL('/', uiUrl).href);
  await page.reload();
  await isConnected(page);
});

test.describe('after a restart on the same port', () => {
  const restart = async (before: LaunchedHeadless, forget: boolean): Promise<HeadlessServer> => {
    await before.page.waitForLoadState('networkidle');
    const exited = once(before.child, 'exit');
    before.child.kill('SIGTERM');
    await exited;
    if (forget) rmSync(join(before.workspace, TOKEN_FILE));
    const server = await startServer({
      workspace: before.workspace,
      arguments: ['--ui-port', new URL(before.uiUrl).port],
    });
    servers.push(server);
    return server;
  };
  const servers: HeadlessServer[] = [];
  test.afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  test('the open tab finds its way back, and a reload works', async () => {
    const launched = await launch();
    await isConnected(launched.page);
    await restart(launched, false);
    await expect(launched.page.getByText('The engine is out of reach.')).toHaveCount(0);
    await launched.page.reload();
    await isConnected(launched.page);
  });

  test('with another token the tab says so and takes the new address', async () => {
    const launched = await launch();
    const { page } = launched;
    await isConnected(page);
    const server = await restart(launched, true);
    await expect(page.getByText('Hookbench was started again.')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Hookbench was started again.')).toBeVisible();
    await page.goto(server.uiUrl);
    await isConnected(page);
    expect(page.url()).toBe(new URL('/', server.uiUrl).href);
  });
});

test('without the token the page shows nothing of the workspace', async () => {
  const { browser, uiUrl, workspace } = await launch();
  const page = await browser.newPage();
  await page.goto(new URL('/', uiUrl).href);
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => document.body.innerText)).not.toContain(workspace);
  await expect(page.getByText(/^Listening/)).toHaveCount(0);
});

test('the policy refuses what is not our own script and style', async () => {
  const { page } = await launch();
  await isConnected(page);
  const outcome = await page.evaluate(async () => {
    const refused: string[] = [];
    const violated = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        refused.push(effectiveDirective);
        if (effectiveDirective === 'style-src-elem') resolve();
      });
    });
    const attempt = (run: () => void): void => {
      try {
        run();
      } catch {
        // Trusted types throw; the violation is reported as well.
      }
    };
    const marks = 'window.injected = true';
    attempt(() => {
      const script = document.createElement('script');
      script.textContent = marks;
      document.body.append(script);
    });
    attempt(() => {
      document.body.insertAdjacentHTML('beforeend', `<img src="x:" onerror="${marks}">`);
    });
    attempt(() => void setTimeout(marks as unknown as () => void, 0));
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.body.append(style);
    await violated;
    return {
      injected: 'injected' in window,
      display: getComputedStyle(document.body).display,
      refused: new Set(refused).size,
    };
  });
  expect(outcome).toEqual({ injected: false, display: expect.not.stringMatching('none'), refused: expect.any(Number) });
  expect(outcome.refused).toBeGreaterThanOrEqual(2);
});

/** A page of another origin on the same machine. */
async function attackerPage(): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><title>attacker</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}/` };
}

test('a page of another origin reads nothing and opens nothing (C4)', async () => {
  const { browser, uiUrl } = await launch();
  const attacker = await attackerPage();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(attacker.url);
  const target = new URL('/', uiUrl).origin;
  const read = await page.evaluate(async (origin) => {
    const attempts: Array<Promise<string | null>> = [];
    const readable = async (request: () => Promise<Response>): Promise<string | null> => {
      try {
        const response = await request();
        return response.type === 'opaque' ? null : `read ${(await response.text()).slice(0, 40)}`;
      } catch {
        return null;
      }
    };
    for (const path of ['/', '/index.html', '/contract'])
      for (const mode of ['cors', 'no-cors'] as const)
        for (const method of ['GET', 'POST'])
          attempts.push(
            readable(() =>
              fetch(origin + path, { mode, method, body: method === 'POST' ? '{}' : null, credentials: 'include' }),
            ),
          );
    const loads = (tag: 'img' | 'script' | 'iframe', url: string) =>
      new Promise<string | null>((resolve) => {
        const element = document.createElement(tag);
        element.onload = () => resolve(tag === 'iframe' ? frameText(element as HTMLIFrameElement) : `${tag} loaded`);
        element.onerror = () => resolve(null);
        element.src = url;
        document.body.append(element);
        setTimeout(() => resolve(null), 1_500);
      });
    const frameText = (frame: HTMLIFrameElement): string | null => {
      try {
        return frame.contentDocument === null || frame.contentDocument.body.innerText === '' ? null : 'frame read';
      } catch {
        return null;
      }
    };
    attempts.push(loads('img', `${origin}/`), loads('script', `${origin}/index.html`), loads('iframe', `${origin}/`));
    const sockets = [['hookbench'], ['hookbench', `hookbench.${'A'.repeat(43)}`], []];
    for (const protocols of sockets)
      attempts.push(
        new Promise((resolve) => {
          const socket = new WebSocket(`${origin.replace('http', 'ws')}/contract`, protocols);
          socket.onopen = () => resolve('socket open');
          socket.onerror = () => resolve(null);
        }),
      );
    attempts.push(
      new Promise((resolve) => {
        const source = new EventSource(`${origin}/contract`);
        source.onopen = () => resolve('events open');
        source.onerror = () => {
          source.close();
          resolve(null);
        };
      }),
    );
    navigator.sendBeacon(`${origin}/contract`, '{}');
    return (await Promise.all(attempts)).filter((outcome) => outcome !== null);
  }, target);
  expect(read).toEqual([]);
  attacker.server.close();
});

for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])
  test(`a form of another origin, ${enctype}, is refused (C4)`, async () => {
    const { browser, uiUrl } = await launch();
    const attacker = await attackerPage();
    const page = await (await browser.newContext()).newPage();
    await page.goto(attacker.url);
    const target = new URL('/contract', uiUrl).href;
    const answered = page.waitForResponse(target);
    await page.evaluate(
      ([action, type]) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post', enctype: type });
        const field = document.createElement('input');
        Object.assign(field, { name: '{"m":"q","a":["', value: '"]}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      [target, enctype] as const,
    );
    expect((await answered).status()).toBe(403);
    attacker.server.close();
  });

test('a page of another origin cannot lead a tab to the interface', async () => {
  const { browser, uiUrl } = await launch();
  const attacker = await attackerPage();
  const page = await (await browser.newContext()).newPage();
  await page.goto(attacker.url);
  const answered = page.waitForResponse(new URL('/', uiUrl).href);
  await page.evaluate((url) => window.location.assign(url), new URL('/', uiUrl).href);
  expect((await answered).status()).toBe(403);
  attacker.server.close();
});
