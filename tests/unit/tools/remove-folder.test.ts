import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** How a program ended that wanted this folder removed at its exit. */
function endOf(folder: string) {
  const tools = new URL('../../../tools/remove-folder.mjs', import.meta.url).href;
  const program = `import { removeAtExit } from '${tools}'; removeAtExit(${JSON.stringify(folder)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('a folder that is removed at the exit of a program', () => {
  it('is gone with all that it holds', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hb-at-exit-'));
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a', 'b'), '');
    expect(endOf(folder)).toEqual({ status: 0, stderr: '' });
    expect(existsSync(folder)).toBe(false);
  });

  it('is named when it cannot be removed, and the exit code stays', () => {
    const { status, stderr } = endOf('no\0folder');
    expect(stderr).toContain('could not be removed: ');
    expect(status).toBe(0);
  });
});
