import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RendererFiles, readRendererFiles } from '../../../src/shell/renderer-files.ts';

const NAMES = {
  'index.html': false,
  'index-DvKWbx1E.html': false,
  'app-DvKWbx1E.js': false,
  'assets/app-DvKWbx1E.js': true,
  'assets/live-screen-J77B_-Nn.css': true,
  'assets/geist-latin-wght-normal-BgDaEnEv.woff2': true,
  'assets/app.js': false,
  'assets/app-DvKWbx1.js': false,
  'assets/app-DvKWbx1E.html': false,
  'assets/app-DvKWbx1E.js.map': false,
  'assets/more/app-DvKWbx1E.js': false,
};

let folder = '';
let files: RendererFiles = new Map();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbench-files-'));
  mkdirSync(join(folder, 'assets/more'), { recursive: true });
  for (const name of Object.keys(NAMES)) writeFileSync(join(folder, name), name);
  files = readRendererFiles(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(NAMES))('a browser may keep %s: %s', (name, isLasting) => {
  expect(files.get(`/${name}`)).toMatchObject({ isLasting, bytes: Buffer.from(name) });
});

test('the page itself is asked for each time', () => expect(files.get('/')?.isLasting).toBe(false));
