/**
 * The workspaces that this user opened before. Each has a file of its own in one folder outside any workspace, so that
 * two processes never write the same file, and a damaged file costs no other entry.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { KnownWorkspace } from '../contract/workspaces.ts';
import { isDemoFolder } from './demo-folder.ts';
import type { Environment } from './start-options.ts';
import { truePath } from './true-path.ts';

/** The oldest entries go when there are more. */
const MOST = 20;
const ENTRY = /^[0-9a-f]{24}\.json$/;

/** `HOOKBENCH_KNOWN`, else a folder beside the default workspace; null when it is empty: then none is kept. */
export const knownPlace = (env: Environment, home = homedir()): string | null =>
  env.HOOKBENCH_KNOWN === '' ? null : (env.HOOKBENCH_KNOWN ?? join(home, '.hookbench', '.known'));

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const entryOf = (folder: string): string =>
  `${createHash('sha256').update(truePath(folder)).digest('hex').slice(0, 24)}.json`;

interface Entry {
  readonly folder: string;
  readonly openedAt: number;
}

/** Null for a file that is no entry. */
function readEntry(path: string): Entry | null {
  try {
    const { folder, openedAt } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Entry>;
    return typeof folder === 'string' && folder !== '' && Number.isFinite(openedAt)
      ? { folder, openedAt: Number(openedAt) }
      : null;
  } catch {
    return null;
  }
}

export class KnownWorkspaces {
  readonly #place: string | null;
  readonly #now: () => number;

  /** `place` is the folder of the entries; null keeps none. */
  constructor(place: string | null, now: () => number = Date.now) {
    this.#place = place;
    this.#now = now;
  }

  /** Notes that a workspace was opened now. A folder that cannot be written is no reason to fail a start. */
  remember(folder: string): void {
    if (this.#place === null) return;
    try {
      mkdirSync(this.#place, { recursive: true, mode: 0o700 });
      const path = join(this.#place, entryOf(folder));
      const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
      writeFileSync(draft, JSON.stringify({ folder, openedAt: this.#now() } satisfies Entry), { mode: 0o600 });
      renameSync(draft, path);
      for (const { file } of this.#entries().slice(MOST)) rmSync(join(this.#place, file), { force: true });
    } catch {
      // The list lacks this workspace, which still opens.
    }
  }

  /** The newest first, without the one in `folder`. */
  others(folder: string): KnownWorkspace[] {
    const own = entryOf(folder);
    return this.#entries()
      .filter(({ file }) => file !== own)
      .map(({ entry }) => ({
        ...entry,
        name: basename(entry.folder),
        isDemo: isDemoFolder(entry.folder),
        isThere: isFolder(entry.folder),
      }));
  }

  #entries(): ReadonlyArray<{ readonly file: string; readonly entry: Entry }> {
    const place = this.#place;
    if (place === null || !isFolder(place)) return [];
    return readdirSync(place)
      .filter((file) => ENTRY.test(file))
      .map((file) => ({ file, entry: readEntry(join(place, file)) }))
      .filter((one): one is { file: string; entry: Entry } => one.entry !== null)
      .sort((a, b) => b.entry.openedAt - a.entry.openedAt);
  }
}
