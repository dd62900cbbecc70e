/** Sends texts to a running shell's contract one by one and says what became of each. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeadlessShell } from '../../src/headless/shell.ts';
import { startHeadless } from '../../src/headless/shell.ts';
import { type Dial, dials, type Line } from './lines.ts';
import { someTexts } from './texts.ts';

/** Every so manieth text goes as bytes, where the way knows them. */
const BINARY_EVERY = 40;

/** Runs `act` on a shell with the real engine in its worker, in a folder of its own. */
async function withShell<T>(act: (shell: HeadlessShell) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hb-fuzz-'));
  const rendererFolder = join(folder, 'page');
  mkdirSync(rendererFolder);
  writeFileSync(join(rendererFolder, 'index.html'), 'page');
  const workerPath = new URL('../../src/core/engine/engine-worker.ts', import.meta.url);
  const ports = { ingestPort: 0, uiPort: 0 };
  const shell = await startHeadless({ workspace: join(folder, 'w'), workerPath, rendererFolder, ...ports, env: {} });
  try {
    return await act(shell);
  } finally {
    await shell.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks for the status over a line; null when the line is closed instead. */
function statusOver(line: Line, id: string): Promise<{ badTexts: { count: number } | null } | null> {
  return new Promise((resolve) => {
    void line.closed.then(() => resolve(null));
    line.onText((text) => {
      const { t, i, r } = JSON.parse(text);
      if (t === 's' && i === id) resolve(r.value);
    });
    line.send(JSON.stringify({ t: 'q', i: id, m: 'call', a: ['app.status', null] }));
  });
}

async function play(shell: HeadlessShell, dial: Dial, texts: readonly string[]): Promise<number> {
  let closed = 0;
  let line: Line | null = null;
  for (const [n, text] of texts.entries()) {
    line ??= await dial(shell);
    line.send(text, n % BINARY_EVERY === 0);
    if ((await statusOver(line, `status-${n}`)) !== null) continue;
    closed += 1;
    line = null;
  }
  line?.close();
  return closed;
}

export interface FuzzResult {
  /** Texts that ended their connection, by way. */
  readonly closed: Readonly<Record<string, number>>;
  /** What the engine counted; less than the sum where the shell itself refused one. */
  readonly counted: number;
  readonly restarts: number;
}

/** `texts` for each way. */
export const fuzzContract = (texts: number, seed: number): Promise<FuzzResult> =>
  withShell(async (shell) => {
    let restarts = 0;
    shell.engine.onState(({ state }) => {
      if (state !== 'running') restarts += 1;
    });
    const closed: Record<string, number> = {};
    for (const [n, [way, dial]] of Object.entries(dials).entries())
      closed[way] = await play(shell, dial, someTexts(texts, seed + n));
    const line = await dials['local socket']!(shell);
    const status = await statusOver(line, 'last');
    line.close();
    return { closed, counted: status?.badTexts?.count ?? 0, restarts };
  });
