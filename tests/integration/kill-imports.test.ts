/** An import whose process is killed, once at each of its failpoints, and is run again. */
import { expect, test } from 'vitest';
import { IMPORT_FAILPOINTS, type ImportFailpoint } from '../../src/core/failpoint.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { builtCli } from '../kill/built-cli.ts';
import { killImport } from '../kill/import-kills.ts';

const PIECES = 3;
const EACH = 40;
const pieces = Array.from({ length: PIECES }, (_, piece) =>
  Array.from({ length: EACH }, (_, i) => `user-${piece * EACH + i}`),
);
/** Pieces that the store holds after a kill at the second hit. */
const WHOLE: Readonly<Record<ImportFailpoint, number>> = { import_piece_written: 1, import_piece_committed: 2 };

test.each(IMPORT_FAILPOINTS)(
  'an import that is killed at %s leaves whole pieces, and run again stores the rest once',
  { timeout: 300_000 },
  async (name) => {
    const cli = await builtCli('failpoints');
    const after = await killImport({ cli, folder: tempWorkspace(), name, nth: 2, pieces });
    const kept = WHOLE[name] * EACH;
    const all = pieces.flat();
    expect(after.isReached).toBe(true);
    expect(after.found).toEqual(all.slice(0, kept));
    expect(after.again).toMatchObject({ duplicates: kept, imported: all.length - kept, refused: 0 });
    expect(after.users).toEqual(all);
    expect([...after.arrived].toSorted()).toEqual(all.toSorted());
  },
);
