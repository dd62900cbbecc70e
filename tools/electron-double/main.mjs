// The double's start: Chromium without a window, then the app's main file, as `electron APP …` would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../chromium.mjs';
import { removeAtExit, removeFolder } from '../remove-folder.mjs';

const require = createRequire(import.meta.url);
const { runtime } = require('./runtime.cjs');
// Loaded whole before the browser's address is printed. Playwright waits for that address and then has the debugger
// evaluate `require('electron')`, which can happen while another module is half loaded.
const { app, webContents } = require('./electron.cjs');

const profile = mkdtempSync(join(tmpdir(), 'electron-double-'));
const browserArguments = [
  ...chromiumArguments,
  '--headless',
  '--no-startup-window',
  '--no-first-run',
  '--remote-debugging-port=0',
  `--user-data-dir=${profile}`,
];

const path = chromiumPath();
if (path === null) {
  console.error('The double of Electron needs Chromium: set CHROMIUM_PATH.');
  process.exit(1);
}
const browserProcess = spawn(path, browserArguments, { stdio: ['ignore', 'ignore', 'pipe'] });
// A page must not outlive the app, however the app ends.
process.on('exit', () => browserProcess.kill('SIGKILL'));
removeAtExit(profile);

async function devToolsAddress() {
  for await (const line of createInterface({ input: browserProcess.stderr })) {
    const address = /^DevTools listening on (ws:\/\/.*)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('Chromium ended before it listened.');
}

const address = await devToolsAddress();
browserProcess.stderr.resume();
console.error(`DevTools listening on ${address}`);
const browser = await chromium.connectOverCDP(address);
runtime.context = browser.contexts()[0];
runtime.endBrowser = async () => {
  const exited = once(browserProcess, 'exit');
  browserProcess.kill('SIGTERM');
  await Promise.race([exited, new Promise((done) => setTimeout(done, 1_000).unref())]);
  browserProcess.kill('SIGKILL');
  // Its children write to the profile until they notice. What stays is named at the exit.
  await removeFolder(profile).catch(() => {});
};

// Chromium gives the main frame of a page the id of its target.
await require('./downloads.cjs').serveDownloads(
  await browser.newBrowserCDPSession(),
  join(profile, 'downloads'),
  (frameId) => webContents.fromDevToolsTargetId(frameId),
);

const folder = process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.';
runtime.appFolder = resolve(folder);
runtime.about = JSON.parse(readFileSync(join(runtime.appFolder, 'package.json'), 'utf8'));
await import(pathToFileURL(join(runtime.appFolder, runtime.about.main)).href);
app.becomeReady();
