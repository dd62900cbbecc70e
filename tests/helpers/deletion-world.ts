/** A simulated engine with three sources, for tests of deletions. */
import { connectContract } from '../../src/contract/channel.ts';
import type { CommandInput, CommandName, CommandOutput } from '../../src/contract/commands.ts';
import type { Config } from '../../src/contract/config.ts';
import type { DeletionDetail } from '../../src/contract/deletions.ts';
import type { MessageRow } from '../../src/contract/values.ts';
import { type SimEngine, type SimEngineSetup, startSimEngine } from './sim-engine.ts';
import { turnUntilDone } from './turns.ts';

export const HOOK = 'http://receiver.test/hook';

/** `web` and `api` have the destination on, `app` has it off. */
export const deletionConfig = (over: Partial<Config> = {}): Config => ({
  sources: [
    { name: 'web', writeKey: 'wk_web', kind: 'web', enabled: true, webhooks: true },
    { name: 'api', writeKey: 'wk_api', kind: 'server', enabled: true, webhooks: true },
    { name: 'app', writeKey: 'wk_app', kind: 'mobile', enabled: true, webhooks: false },
  ],
  webhooks: { entries: [{ name: 'CRM', url: HOOK, headers: {}, enabled: true }] },
  clock: { speed: 1 },
  ...over,
});

export interface DeletionWorld extends SimEngine {
  /** Lets time pass until the work is done. */
  until<T>(work: Promise<T>): Promise<T>;
  call<N extends CommandName>(name: N, input?: CommandInput<N>): Promise<CommandOutput<N>>;
  /** Track calls of a user through a source, as one batch. */
  track(writeKey: string, userId: string, count?: number): Promise<void>;
  rows(): Promise<MessageRow[]>;
  /** The request once it is finished and, by default, every notice has ended. */
  finished(id: number, delivered?: boolean): Promise<DeletionDetail>;
  /** Bodies of the notices that were sent, in order. */
  notices(): string[];
}

export async function startDeletionWorld(setup: SimEngineSetup = {}): Promise<DeletionWorld> {
  const sim = await startSimEngine({ config: deletionConfig(), start: Date.UTC(2026, 10, 20, 12), ...setup });
  const { call: ask } = connectContract(sim.open(), () => {});
  const until = <T>(work: Promise<T>): Promise<T> => turnUntilDone(work, (ms) => sim.pass(5 * ms));
  const asked = ask as (name: string, input?: unknown) => Promise<unknown>;
  const call = <N extends CommandName>(name: N, input?: CommandInput<N>): Promise<CommandOutput<N>> =>
    until(asked(name, input) as Promise<CommandOutput<N>>);
  return {
    ...sim,
    until,
    call,
    track: async (writeKey, userId, count = 1) => {
      const batch = Array.from({ length: count }, (_, i) => ({
        type: 'track',
        event: `E${i}`,
        userId,
        properties: {},
      }));
      await sim.post('/v1/batch', { batch }, writeKey);
      await sim.pass(20);
    },
    rows: async () => (await call('messages.list', { filter: {}, limit: 1_000 })).rows,
    finished: async (id, delivered = true) => {
      for (let looks = 0; ; looks++) {
        const detail = await call('deletions.get', { id });
        if (looks > 400) throw new Error(`Not finished: ${JSON.stringify(detail)}`);
        if (detail.phase === 'finished' && (!delivered || detail.notices.waiting === 0)) return detail;
        await sim.pass(50);
      }
    },
    notices: () => sim.transport.sent.map(({ body }) => body).filter((body) => body.includes('"type":"delete"')),
  };
}
