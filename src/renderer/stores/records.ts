/**
 * The engine's records: all live parts in one zustand store, and message rows by id in a bounded map beside it.
 * Greetings and change batches write it (`feed.ts`); pages that a screen fetched come in through {@link cacheRows}.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import type { ChangeBatch, Hello, LiveParts, WorkspaceInfo } from '../../contract/live.ts';
import type { MessageRow, SourceView, WebhookView } from '../../contract/values.ts';
import { type ConnectionState, connectionState } from '../platform/connect.ts';

/** Initial values of these parts before the first greeting. The others are undefined until then. */
const FIRST_PARTS = {
  clock: { speed: 1, paused: false, wallAt: 0, clockAt: 0 },
  sources: [],
  webhooks: [],
} satisfies Partial<LiveParts>;

/** One record per live part, by its name in the contract. */
type PartRecords = Partial<LiveParts> & Pick<LiveParts, keyof typeof FIRST_PARTS>;

export interface Records extends PartRecords {
  /** `connecting` until the first greeting, `lost` while the engine is out of reach. */
  connection: ConnectionState;
  /** False until the first greeting. */
  ready: boolean;
  /** Increases when cached rows were dropped, so that lists fetch again. */
  resets: number;
  workspace: WorkspaceInfo | null;
}

const start: Records = { connection: 'connecting', ready: false, resets: 0, workspace: null, ...FIRST_PARTS };

export const useRecords = create<Records>()(() => start);

/** How many message rows are kept; a screen shows a few hundred at most. */
export const MAX_CACHED_ROWS = 20_000;

const rows = new Map<number, MessageRow>();
const rowListeners = new Map<number, Set<() => void>>();
let epoch: string | null = null;

/** The cached row, or undefined when it has to be fetched. */
export const getRow = (id: number): MessageRow | undefined => rows.get(id);

/** Re-renders the component when this row changes; undefined while it is not cached. */
export function useRow(id: number | null): MessageRow | undefined {
  const subscribe = useCallback((listener: () => void) => (id === null ? () => {} : subscribeRow(id, listener)), [id]);
  return useSyncExternalStore(subscribe, () => (id === null ? undefined : rows.get(id)));
}

/** Caches fetched rows and notifies their components. */
export function cacheRows(fetched: readonly MessageRow[]): void {
  for (const row of fetched) {
    rows.delete(row.id);
    rows.set(row.id, row);
  }
  evictOldest();
  for (const row of fetched) notifyRow(row.id);
}

function subscribeRow(id: number, listener: () => void): () => void {
  const listeners = rowListeners.get(id) ?? new Set();
  rowListeners.set(id, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) rowListeners.delete(id);
  };
}

function notifyRow(id: number): void {
  for (const listener of rowListeners.get(id) ?? []) listener();
}

/** The map keeps insertion order, so the oldest writes come first. Rows on screen stay. */
function evictOldest(): void {
  if (rows.size <= MAX_CACHED_ROWS) return;
  for (const id of rows.keys()) {
    if (rows.size <= MAX_CACHED_ROWS) return;
    if (!rowListeners.has(id)) rows.delete(id);
  }
}

function removeRows(ids: readonly number[]): void {
  for (const id of ids) {
    rows.delete(id);
    notifyRow(id);
  }
}

function dropRows(): void {
  const ids = [...rows.keys()];
  rows.clear();
  ids.forEach(notifyRow);
}

/** Takes over a greeting. True when everything known before is void. */
export function applyHello(hello: Hello): boolean {
  const stale = hello.reset || (epoch !== null && epoch !== hello.epoch);
  const first = epoch === null;
  epoch = hello.epoch;
  if (stale) dropRows();
  useRecords.setState((before) => ({
    ready: true,
    resets: stale ? before.resets + 1 : before.resets,
    workspace: hello.workspace,
    ...hello.parts,
  }));
  return first || stale;
}

export function applyBatch(batch: ChangeBatch): void {
  if (batch.reset) dropRows();
  removeRows(batch.removedMessages);
  cacheRows(batch.messages);
  useRecords.setState((before) => ({
    resets: batch.reset ? before.resets + 1 : before.resets,
    ...batch.parts,
  }));
}

export const applyConnection = (connection: ConnectionState): void => useRecords.setState({ connection });

/** Stores an answer of the engine at once, before its batch arrives. */
export const applyAnswer = (answer: Partial<LiveParts>): void => useRecords.setState(answer);
export const applyWebhook = (saved: WebhookView): void =>
  useRecords.setState((before) => ({ webhooks: replaceById(before.webhooks, saved).sort((a, b) => a.slot - b.slot) }));
export const applySource = (saved: SourceView): void =>
  useRecords.setState((before) => ({ sources: replaceById(before.sources, saved) }));

function replaceById<T extends { id: number }>(list: readonly T[], item: T): T[] {
  return list.some((other) => other.id === item.id)
    ? list.map((other) => (other.id === item.id ? item : other))
    : [...list, item];
}

/** Back to the state before the first greeting; for tests. */
export function clearRecords(): void {
  epoch = null;
  dropRows();
  useRecords.setState({ ...start, connection: connectionState() }, true);
}
