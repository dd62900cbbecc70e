/**
 * Loads one message with everything about it and keeps it up to date. It fetches the attempts again when the message's
 * row changes, and the schedule too when the message moved: at most every 250 ms, and twice a second while a request is
 * open.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ContractError } from '../../contract/errors.ts';
import type { MessageDetail, MessageRow, TriedView } from '../../contract/values.ts';
import { call } from '../platform/connect.ts';
import { cacheRows, getRow, useRecords, useRow } from '../stores/records.ts';

const REFRESH_MS = 250;
const OPEN_REFRESH_MS = 500;

export type DetailPhase = 'loading' | 'ready' | 'absent' | 'failed';

export interface LoadedDetail {
  readonly phase: DetailPhase;
  /** The newest known row. Available before the detail. */
  readonly row: MessageRow | undefined;
  readonly detail: MessageDetail | null;
  /** Why it could not be read, or why it does not exist. */
  readonly error: string | null;
  /** Asks for everything again. */
  reload(): void;
  /** Asks for the attempts again, soon. */
  refresh(): void;
}

interface Loaded {
  readonly id: number;
  readonly phase: DetailPhase;
  readonly detail: MessageDetail | null;
  readonly error: string | null;
}

const hasOpen = (detail: MessageDetail): boolean =>
  detail.attempts.some((attempt) => attempt.outcome === null) ||
  detail.replays.some((replay) => replay.finishedAt === null);

export function useMessageDetail(id: number): LoadedDetail {
  const row = useRow(id);
  const resets = useRecords((state) => state.resets);
  const connection = useRecords((state) => state.connection);
  const destination = useRecords((state) => state.destination);
  const [reloads, setReloads] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>({ id, phase: 'loading', detail: null, error: null });
  const refresher = useRef<Refresher | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset, a new connection or new settings ask again
  useEffect(() => {
    let live = true;
    const before = getRow(id);
    setLoaded((old) => (old.id === id ? old : { id, phase: 'loading', detail: null, error: null }));
    const own = new Refresher(id, (part) =>
      setLoaded((old) =>
        live && old.id === id && old.detail !== null ? { ...old, detail: { ...old.detail, ...part } } : old,
      ),
    );
    call('messages.get', { id }).then(
      (detail) => {
        if (!live) return;
        if (getRow(id) === undefined) cacheRows([detail.message]);
        setLoaded({ id, phase: 'ready', detail, error: null });
        own.loaded(detail.message);
        refresher.current = own;
        if (getRow(id) !== before && before !== undefined) own.soon();
      },
      (error: unknown) => {
        if (!live) return;
        const absent = error instanceof ContractError && error.code === 'message_not_found';
        const text = error instanceof Error ? error.message : '';
        setLoaded((old) => ({
          id,
          phase: absent ? 'absent' : old.detail === null ? 'failed' : old.phase,
          detail: absent ? null : old.detail,
          error: text,
        }));
      },
    );
    return () => {
      live = false;
      own.stop();
      refresher.current = null;
    };
  }, [id, resets, connection === 'open', destination, reloads]);

  const current = loaded.id === id ? loaded : { id, phase: 'loading' as const, detail: null, error: null };
  const ready = current.phase === 'ready';
  const gone = row === undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new row means that attempts may have changed
  useEffect(() => {
    if (ready && !gone) refresher.current?.soon();
  }, [row]);
  useEffect(() => {
    if (ready && gone) setReloads((n) => n + 1);
  }, [ready, gone]);

  const open = current.detail !== null && hasOpen(current.detail);
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => refresher.current?.soon(), OPEN_REFRESH_MS);
    return () => clearInterval(timer);
  }, [open]);

  const reload = useCallback(() => setReloads((n) => n + 1), []);
  const refresh = useCallback(() => refresher.current?.soon(), []);
  const newest = row ?? current.detail?.message;
  return {
    phase: current.phase,
    row: current.phase === 'absent' ? undefined : newest,
    detail: current.detail,
    error: current.error,
    reload,
    refresh,
  };
}

type Part = TriedView & Partial<Pick<MessageDetail, 'schedule'>>;

/** A value that changes with every move that affects the schedule. */
const moveOf = (row: MessageRow | undefined): string =>
  row === undefined ? '' : [row.state, row.round, row.nextDueAt, row.windowEndsAt].join();

/** Fetches attempts on request: at once, then at most every {@link REFRESH_MS}, and never two at a time. */
class Refresher {
  readonly #id: number;
  readonly #take: (part: Part) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #again = false;
  #stopped = false;
  /** The move whose schedule is shown. */
  #move = '';

  constructor(id: number, take: (part: Part) => void) {
    this.#id = id;
    this.#take = take;
  }

  /** The detail that is shown came with this row. */
  loaded(message: MessageRow): void {
    this.#move = moveOf(message);
  }

  soon(): void {
    if (this.#stopped) return;
    if (this.#busy || this.#timer !== undefined) {
      this.#again = true;
      return;
    }
    void this.#fetch();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** A move changes the schedule, which only the whole detail contains. */
  async #ask(): Promise<Part> {
    const move = moveOf(getRow(this.#id));
    if (move === this.#move) return call('messages.attempts', { id: this.#id });
    const { attempts, replays, lineUps, schedule, message } = await call('messages.get', { id: this.#id });
    this.#move = moveOf(message);
    return { attempts, replays, lineUps, schedule };
  }

  async #fetch(): Promise<void> {
    this.#busy = true;
    this.#again = false;
    try {
      const part = await this.#ask();
      if (!this.#stopped) this.#take(part);
    } catch {
      // Ignored: after a lost connection everything loads again, and a removed message loses its row.
    }
    this.#busy = false;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#again) void this.#fetch();
    }, REFRESH_MS);
  }
}
