/** The workspace of the running test, on a real SQLite file, and what its tests share. */
import { readFileSync } from 'node:fs';
import { beforeEach } from 'vitest';
import type { LivePart } from '../../../src/contract/live.ts';
import { createSealer } from '../../../src/core/adapters/sealer.ts';
import { Authorities } from '../../../src/core/delivery/authorities.ts';
import { SqliteWorkspace } from '../../../src/core/store/workspace.ts';
import { Workspace } from '../../../src/core/workspace/workspace.ts';
import { Core } from '../../helpers/core-fixture.ts';
import { countingIds } from '../../helpers/sim-ports.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

export const OWN_PORT = 8765;
/** All of these are new for each test. */
export let core: Core;
export let parts: LivePart[];
export let commits: number;
export let workspace: Workspace;

/** The workspace in the store of `over`, as after a restart. Another `key` cannot unseal what this one sealed. */
export function openWorkspace(over: Core, key = 7): Workspace {
  return new Workspace({
    store: new SqliteWorkspace(over.db, createSealer(new Uint8Array(32).fill(key))),
    write: (job) => over.writer.write(job),
    clock: over.time,
    ids: countingIds(),
    ownPorts: () => [OWN_PORT],
    authorities: new Authorities((path) => readFileSync(path)),
    changed: (part) => void parts.push(part),
  });
}

beforeEach(() => {
  parts = [];
  commits = 0;
  core = new Core({
    folder: tempWorkspace(),
    onCommit: () => {
      commits += 1;
    },
  });
  workspace = openWorkspace(core);
});

export const done = <T>(promise: Promise<T>): Promise<T> => core.done(promise);
export const source = (name: string, over: object = {}) => ({
  name,
  kind: 'server' as const,
  enabled: true,
  webhooks: true,
  ...over,
});
export const webhook = (over: object = {}) => ({
  name: '',
  url: 'https://example.test/hook',
  headers: [],
  enabled: true,
  ...over,
});
