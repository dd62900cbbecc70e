/** What the live screen knows about the stream at one moment. */

import type { ContractError } from '../../../contract/errors.ts';
import type { FilterProblem } from '../../../contract/filter.ts';
import { emptyQuery, type Query } from './filter.ts';
import type { CountsView } from './filter-counts.ts';
import type { LiveList } from './list.ts';
import type { ViewMode } from './view-mode.ts';

/** `hidden`: by the user, this message alone. */
export type HiddenBy = 'cleared' | 'filter' | 'hidden';

/**
 * The rows of the list by position, 0 the newest. It reads the list live. Each change of the list publishes a new view,
 * so that everything derived from a view is recomputed.
 */
export interface ListView extends Pick<LiveList, 'idAt' | 'positionOf' | 'breaks'> {
  /** True for a row that is shown although it no longer matches the filter. */
  isUnmatched(id: number): boolean;
  /** True for a row that entered at the top a moment ago. */
  justEntered(id: number): boolean;
  /** Why a row that exists is not in the list, or null. */
  hiddenBy(id: number): HiddenBy | null;
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
  /** `loading` until the first rows have arrived. */
  readonly phase: 'loading' | 'ready';
  /** The error of the last request, or null. */
  readonly failure: ContractError | null;
  /** The rows. A new object whenever rows near the screen entered, left or became known. */
  readonly list: ListView;
  /** Increases when the screen must scroll to the top: for another list, or when the user asked for the newest rows. */
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
  /** Rows that the user hid one by one. */
  readonly hidden: number;
  /** True while the filter is still reading. */
  readonly scanning: boolean;
  /**
   * True when a new filter was set and its first rows have not arrived. The shown rows are those of the filter before.
   */
  readonly starting: boolean;
  /** Messages a second while the list applies at 4 Hz, or null. */
  readonly rate: number | null;
  /** The text in the field. */
  readonly query: Query;
  /** The query as last parsed and requested, with the tokens of the text moved to their fields. */
  readonly read: Query;
  /** What is unreadable in the text. The list stays as it was. */
  readonly problem: FilterProblem | null;
  /** Matches by state, ignoring the states in the filter itself; null while the filter has only states. */
  readonly counts: CountsView | null;
}

/** The part of a snapshot that decides which rows are on screen, and where. */
export type LiveRows = Pick<LiveSnapshot, 'list' | 'listVersion' | 'mode' | 'count' | 'matching'>;

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
  hidden: 0,
  scanning: false,
  starting: false,
  rate: null,
  query: emptyQuery,
  read: emptyQuery,
  problem: null,
  counts: null,
};
