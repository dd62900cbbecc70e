/** Which live parts a client gets: all of them when it connects, then those that changed. */
import type { ChangeBatch, LivePart, LiveParts, WorkspaceInfo } from '../../contract/live.ts';
import type { ListStore } from '../store/ports/lists.ts';
import type { Pending } from './feed.ts';
import { messageRow } from './views.ts';

/** Reads the current value of each live part. */
export type LiveReaders = { readonly [P in LivePart]: () => LiveParts[P] };

const partsOf = (names: Iterable<LivePart>, readers: LiveReaders): Partial<LiveParts> =>
  Object.fromEntries([...names].map((name) => [name, readers[name]()]));

export const allParts = (readers: LiveReaders): LiveParts =>
  partsOf(Object.keys(readers) as LivePart[], readers) as LiveParts;

export const batchOf = (pending: Pending, lists: Pick<ListStore, 'messages'>, readers: LiveReaders): ChangeBatch => ({
  seq: pending.seq,
  reset: pending.reset,
  messages: lists.messages(pending.messages).map(messageRow),
  removedMessages: [...pending.removed],
  parts: partsOf(pending.parts, readers),
});

/** A workspace is named after its folder. */
export const workspaceInfo = (info: Omit<WorkspaceInfo, 'name'>): WorkspaceInfo => ({
  name: info.folder.split(/[\\/]/).filter(Boolean).at(-1) ?? 'workspace',
  ...info,
});
