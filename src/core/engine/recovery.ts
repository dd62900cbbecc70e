/** Recovery at start: makes what a crash left open due at once. */
import { failpoint } from '../failpoint.ts';
import { StoreDamagedError } from '../ports.ts';
import type { EngineParts } from './parts.ts';

type RecoveryParts = Pick<EngineParts, 'stores' | 'write' | 'clockKeeper' | 'retryClock' | 'metrics' | 'ports'>;

/** Recovers everything in one transaction. In a damaged store, each row gets its own. */
export async function recover(parts: RecoveryParts): Promise<void> {
  const { recovery } = parts.stores;
  if (!recovery.areDueTimesTrusted) return recoverApart(parts);
  try {
    const interrupted = await recoverTogether(parts);
    if (interrupted > 0) parts.ports.logger.log('warn', 'attempts_interrupted', { attempts: interrupted });
  } catch (error) {
    if (!(error instanceof StoreDamagedError)) throw error;
    recovery.distrustDueTimes();
    await recoverApart(parts);
  }
}

/** Returns how many attempts were interrupted. */
function recoverTogether({ stores, write, clockKeeper, retryClock, metrics, ports }: RecoveryParts): Promise<number> {
  return write((changes) => {
    clockKeeper.keep(changes);
    failpoint('recovering');
    const dueAt = retryClock.now();
    const interrupted = stores.recovery.recover(dueAt, ports.clock.wall(), changes);
    metrics.recovered(stores.metrics.recovered(changes.messages, dueAt));
    return interrupted;
  });
}

/** Recovers each message with its own write, so that one that cannot be written does not block the others. */
async function recoverApart({ stores, write, clockKeeper, retryClock, ports }: RecoveryParts): Promise<void> {
  const { recovery } = stores;
  const now = retryClock.now();
  const at = ports.clock.wall();
  const { attempts, messages } = recovery.leftOpen();
  await Promise.allSettled([
    write((changes) => clockKeeper.keep(changes)),
    ...attempts.map((id) => write((changes) => recovery.interruptOne(id, changes))),
    ...messages.map((id) => write((changes) => recovery.recoverOne(id, now, at, changes))),
    write((changes) => recovery.finishOpenReplays(at, changes)),
  ]);
}
