/** What the live screen knows of the stream at one moment. */
import type { ContractError } from '../../../contract/errors.ts';
import { emptyQuery, type Query } from './filter.ts';
import type { CountsView } from './filter-counts.ts';
import type { LiveList } from './list.ts';
import type { ViewMode } from './view-mode.ts';

/**
 * The rows of the list by position, 0 the newest. It reads the list as it stands, and each change of the list
 * publishes another view, so that whatever was made from one is made anew.
 */
export interface ListView extends Pick<LiveList, 'idAt' | 'positionOf' | 'breaks'> {
  /** True for a row that is shown although it no longer matches the filter. */
  isUnmatched(id: number): boolean;
  /** True for a row that entered at the top a moment ago. */
  justEntered(id: number): boolean;
  /** Why a row that exists is not in the list, or null. */
  hiddenBy(id: number): 'cleared' | 'filter' | null;
}

export const listViewOf = (
  list: LiveList,
  marks: Pick<ListView, 'isUnmatched' | 'justEntered' | 'hiddenBy'>,
): ListView => ({
  idAt: (position) => list.idAt(position),
  positionOf: (id) => list.positionOf(id),
  breaks: () => list.breaks(),
  ...marks,
});

export const NO_ROWS: ListView = {
  idAt: () => undefined,
  positionOf: () => undefined,
  breaks: () => [],
  isUnmatched: () => false,
  justEntered: () => false,
  hiddenBy: () => null,
};

export interface LiveSnapshot {
  /** `loading` until the first rows are there. */
  readonly phase: 'loading' | 'ready';
  /** What the last question failed with, or null. */
  readonly failure: ContractError | null;
  /** The rows; another one whenever rows entered, left or became known. */
  readonly list: ListView;
  /** Grows when the screen has to go to the top: another list, or the newest rows were asked for. */
  readonly listVersion: number;
  readonly mode: ViewMode;
  readonly pausedAt: number | null;
  readonly count: number;
  readonly held: number;
  readonly matching: number | null;
  /** Rows that are shown although they no longer match. */
  readonly unmatched: number;
  /** Rows hidden by Clear. */
  readonly cleared: number;
  /** The filter is still reading. */
  readonly scanning: boolean;
  /** Another filter was set and its first rows are not there yet: what is shown is of the one before. */
  readonly starting: boolean;
  /** Messages a second while the list applies at 4 Hz, or null. */
  readonly rate: number | null;
  /** As it stands in the field. */
  readonly query: Query;
  /** As it was last read and asked for: tokens in the text stand in their places. */
  readonly read: Query;
  /** What of the text cannot be read; the list stays as it was. */
  readonly problem: string | null;
  /** What matches by state, the states of the filter itself left out of it; null while only states are asked for. */
  readonly counts: CountsView | null;
}

export const startSnapshot: LiveSnapshot = {
  phase: 'loading',
  failure: null,
  list: NO_ROWS,
  listVersion: 0,
  mode: 'following',
  pausedAt: null,
  count: 0,
  held: 0,
  matching: null,
  unmatched: 0,
  cleared: 0,
  scanning: false,
  starting: false,
  rate: null,
  query: emptyQuery,
  read: emptyQuery,
  problem: null,
  counts: null,
};
