/** The user's actions while `serve` is killed: replays and new secrets, over the local socket. */
import { openRunning, type Running } from '../../src/cli/running.ts';
import { REPLAY_SLOT, SECRETS } from './messages.ts';

/** Actions that were answered before the kill. */
export interface Driven {
  /** Ids of replays. */
  readonly replays: number[];
  /** The last secret that was accepted, by its place in SECRETS. */
  secret: number;
}

/** The messages to replay: the newest delivered ones. */
const CHOICE = 50;

async function sendReplays(running: Running, driven: Driven): Promise<never> {
  const { webhooks } = (await running.call('app.hello', {})).parts;
  const webhook = webhooks.find(({ slot }) => slot === REPLAY_SLOT)!;
  for (let n = 0; ; n++) {
    const { rows } = await running.call('messages.list', {
      filter: { terms: [{ key: 'status', values: ['delivered'] }] },
      limit: CHOICE,
    });
    const row = rows[n % Math.max(1, rows.length)];
    if (row === undefined) continue;
    const { id } = await running.call('replay.send', { id: row.id, webhookIds: [webhook.id] });
    driven.replays.push(id);
  }
}

async function changeSecret(running: Running, driven: Driven): Promise<never> {
  for (;;) {
    const next = (driven.secret + 1) % SECRETS.length;
    await running.call('destination.setSecret', { secret: SECRETS[next]! });
    driven.secret = next;
  }
}

/** Continues until the kill. */
export async function drive(what: 'replays' | 'secrets', workspace: string, driven: Driven): Promise<void> {
  const running = await openRunning(workspace);
  if (running === null) return;
  const act = what === 'replays' ? sendReplays : changeSecret;
  await act(running, driven).catch(() => {});
  running.close();
}
