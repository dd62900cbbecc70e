/**
 * The only connection to the engine. It is `connecting` until the first greeting, then `open`. When the channel closes
 * it is `lost` and tries again after 250 ms, doubling up to 5 s. A channel over which nothing comes any more counts as
 * closed (`silence.ts`). It is `refused` when the engine does not know this tab's token, and then tries again only on
 * request. Each greeting names the last change seen, so that the engine can send the difference or a reset.
 */
import { type Channel, type Client, connectContract } from '../../contract/channel.ts';
import { ContractError } from '../../contract/errors.ts';
import type { ChangeBatch, Hello } from '../../contract/live.ts';
import { type Opener, TokenRefused } from './openers.ts';
import { SilenceWatch } from './silence.ts';

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

/** Receives what the engine sends, in order. */
export interface Feed {
  /** Runs with each greeting of the engine, before the state is `open`. */
  greeted(hello: Hello): void;
  /** Runs with each batch of changes after it. */
  changed(batch: ChangeBatch): void;
  /** Runs at each change of {@link connectionState}. */
  connection(state: ConnectionState): void;
}

let opener: Opener | null = null;
let feed: Feed | null = null;
let open: { client: Client; channel: Channel; watch: SilenceWatch } | null = null;
let state: ConnectionState = 'connecting';
let since: { epoch: string; seq: number } | undefined;
let retryMs = FIRST_RETRY_MS;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
/** Increases with every start and loss, so that results of older attempts are dropped. */
let generation = 0;

/** Starts or restarts with this way of opening a channel. `listener` receives what comes over it. */
export function startConnection(way: Opener, listener: Feed): void {
  stopConnection();
  opener = way;
  feed = listener;
  void tryOpen();
}

/** Closes the channel and forgets the last change seen. For tests and for leaving the page. */
export function stopConnection(): void {
  generation += 1;
  clearTimeout(retryTimer);
  closeOpen();
  opener = null;
  since = undefined;
  retryMs = FIRST_RETRY_MS;
  setState('connecting');
}

/** Calls a command of the contract. Rejects with a {@link ContractError}; `stopped` while there is no connection. */
export const call: Client['call'] = async (name, ...input) => {
  if (open === null) throw noConnection();
  const { client } = open;
  try {
    return await client.call(name, ...input);
  } catch (error) {
    throw error instanceof ContractError || open?.client === client ? error : noConnection();
  }
};

const noConnection = () =>
  new ContractError('stopped', 'There is no connection to the engine. Hookbench tries again by itself.');

export const connectionState = (): ConnectionState => state;

/** Tries again at once, for a button. */
export function retryNow(): void {
  if ((state !== 'lost' && state !== 'refused') || opener === null) return;
  clearTimeout(retryTimer);
  void tryOpen();
}

async function tryOpen(): Promise<void> {
  if (opener === null) return;
  generation += 1;
  const mine = generation;
  try {
    const channel = await opener(() => lose(mine));
    if (mine !== generation) return channel.close();
    await greet(channel, mine);
  } catch (error) {
    if (error instanceof TokenRefused) end(mine, 'refused');
    else lose(mine);
  }
}

async function greet(channel: Channel, mine: number): Promise<void> {
  // Batches may overtake the answer to the greeting, so they wait for it here.
  let early: ChangeBatch[] | null = [];
  const watch = new SilenceWatch(sendVisibility, () => lose(mine));
  const client = connectContract(overheard(channel, watch), (batch) => {
    if (mine !== generation) return;
    if (early !== null) early.push(batch);
    else applyBatch(batch);
  });
  open = { client, channel, watch };
  const hello = await client.call('app.hello', since === undefined ? {} : { since });
  if (mine !== generation) return;
  since = { epoch: hello.epoch, seq: hello.seq };
  feed?.greeted(hello);
  retryMs = FIRST_RETRY_MS;
  setState('open');
  const waiting = early.filter((batch) => batch.seq > hello.seq);
  early = null;
  waiting.forEach(applyBatch);
  if (document.hidden) sendVisibility();
}

/** The channel, with a watch that hears what comes over it. */
const overheard = (channel: Channel, watch: SilenceWatch): Channel => ({
  ...channel,
  onText: (listener) =>
    channel.onText((text) => {
      watch.heard();
      listener(text);
    }),
});

function applyBatch(batch: ChangeBatch): void {
  if (since !== undefined) since = { epoch: since.epoch, seq: batch.seq };
  feed?.changed(batch);
}

/** False when a later attempt has taken over. */
function end(mine: number, next: ConnectionState): boolean {
  if (mine !== generation) return false;
  generation += 1;
  closeOpen();
  setState(next);
  return true;
}

function closeOpen(): void {
  open?.watch.stop();
  open?.client.close();
  open?.channel.close();
  open = null;
}

function lose(mine: number): void {
  if (!end(mine, 'lost')) return;
  retryTimer = setTimeout(() => void tryOpen(), retryMs);
  retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
}

function setState(next: ConnectionState): void {
  if (state === next) return;
  state = next;
  feed?.connection(next);
}

function sendVisibility(): void {
  if (state !== 'open') return;
  call('app.visibility', { hidden: document.hidden }).catch(() => {});
}

/** Tells the engine when the window is hidden (it then sends at most two batches a second). */
export function watchVisibility(): () => void {
  document.addEventListener('visibilitychange', sendVisibility);
  return () => document.removeEventListener('visibilitychange', sendVisibility);
}
