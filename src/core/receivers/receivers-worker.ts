/** The receivers' thread. It serves until it is terminated and reports changes at most every 100 ms. */
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { systemClock, systemTimers } from '../adapters/clock.ts';
import { HitLog } from './hit-log.ts';
import type { FromReceivers, Questions, ToReceivers } from './messages.ts';
import { ReceiverSet } from './receiver-set.ts';
import { ReceiversServer } from './server.ts';

const TELL_EVERY_MS = 100;

const parent = parentPort!;
const say = (message: FromReceivers): void => parent.postMessage(message);

// No log has a request in every millisecond, so the next one begins above it.
const set = new ReceiverSet(systemClock, new HitLog(undefined, systemClock.wall()));
const dirty = new Set<string>();
let telling = false;
let postedAt = Number.NEGATIVE_INFINITY;

function changed(id: string): void {
  dirty.add(id);
  if (telling) return;
  telling = true;
  systemTimers.after(Math.max(0, postedAt + TELL_EVERY_MS - systemClock.mono()), tell);
}

function tell(): void {
  telling = false;
  postedAt = systemClock.mono();
  const states = [...dirty].filter((id) => set.get(id) !== undefined).map((id) => set.state(id));
  dirty.clear();
  if (states.length > 0) say({ type: 'changed', states });
}

const server = new ReceiversServer({
  set,
  clock: systemClock,
  timers: systemTimers,
  // Loaded only when needed, because it takes longer than everything else here.
  certificate: async () => (await import('./certificate.ts')).makeSelfSigned(systemClock.wall()),
  catchUp,
  changed,
});

const answers: { [N in keyof Questions]: (argument: Questions[N][0]) => Questions[N][1] | Promise<Questions[N][1]> } = {
  configure: (receivers) => {
    set.configure(receivers);
    for (const { id } of receivers) changed(id);
    return null;
  },
  listen: ({ scheme, port }) => server.listen(scheme, port),
  hits: ({ id, before, limit }) => set.log.page(id, before, limit),
  hit: ({ id, hit }) => {
    const kept = set.log.get(id, hit);
    return kept === undefined
      ? set.log.isOfLogBefore(hit)
        ? 'of_log_before'
        : null
      : { hit: kept.hit, headers: JSON.parse(kept.headers) as string[], body: kept.body, wire: kept.wire };
  },
  find: (sent) => set.log.find(sent)?.id ?? null,
  restart: ({ id }) => {
    set.restart(id);
    changed(id);
    return null;
  },
  clear: ({ id }) => {
    set.log.clear(id);
    changed(id);
    return null;
  },
  erase: ({ userIds, forGood }) => {
    const { entries, receivers } = set.log.erase(new Set(userIds), forGood);
    if (forGood) for (const id of receivers) changed(id);
    return entries;
  },
};

async function answer({ n, name, argument }: Extract<ToReceivers, { type: 'ask' }>): Promise<void> {
  try {
    say({ type: 'answer', n, value: await answers[name](argument as never) });
  } catch (error) {
    say({ type: 'failed', n, message: error instanceof Error ? error.message : String(error) });
  }
}

function hear(message: ToReceivers): void {
  if (message.type === 'secret') set.setSecret(message.secret);
  else void answer(message);
}

/** A request that the engine signed with a new secret can arrive in the same turn as the secret, and be read first. */
function catchUp(): void {
  for (let next = receiveMessageOnPort(parent); next !== undefined; next = receiveMessageOnPort(parent))
    hear(next.message as ToReceivers);
}

parent.on('message', hear);
