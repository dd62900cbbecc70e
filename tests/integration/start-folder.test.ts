/** npm start from another folder: npm changes to the package's, and a relative path means where the person was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { removeFolder } from '../../tools/remove-folder.mjs';

const root = join(import.meta.dirname, '../..');

test.skipIf(process.platform === 'win32')(
  'npm start -- --workspace w is relative to where npm was started',
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hb-folder-')));
    const ports = ['--ingest-port=0', '--ui-port=0', '--receivers-port=0', '--receivers-https-port=0'];
    const args = ['--prefix', root, 'run', 'start:headless', '--silent', '--', '--workspace', 'w', '--json', ...ports];
    const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { workspace, pid } = JSON.parse(String(line)) as { workspace: string; pid: number };
    expect(workspace).toBe(join(folder, 'w'));
    expect(existsSync(join(folder, 'w'))).toBe(true);
    process.kill(pid, 'SIGTERM');
    await exited;
    await removeFolder(folder);
  },
);
