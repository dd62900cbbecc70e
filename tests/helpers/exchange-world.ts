/** A workspace with sources and webhooks, for tests of export and import. */
import { connectContract } from '../../src/contract/channel.ts';
import type { CommandInput, CommandName, CommandOutput } from '../../src/contract/commands.ts';
import type { CallImportView } from '../../src/contract/exchange.ts';
import { outcomeOfStatus } from '../../src/core/model/attempt.ts';
import { type SimEngine, type SimEngineSetup, startSimEngine } from './sim-engine.ts';
import { type Behaviour, result } from './sim-transport.ts';
import { turnUntilDone } from './turns.ts';

export const WRITE_KEY = 'wk-exchange-1';
export const STATIC_SECRET = 'static-header-secret';
export const SHARED_SECRET = 'shared-secret-of-the-test';
export const WEBHOOK = 'http://receiver.test/hook';

const CONFIG: SimEngineSetup['config'] = {
  sources: [{ name: 'Shop', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
  webhooks: {
    sharedSecret: SHARED_SECRET,
    entries: [{ name: 'Receiver', url: WEBHOOK, headers: { 'X-Api-Key': STATIC_SECRET }, enabled: true }],
  },
};

/** Every webhook answers so, to the headers that were really sent. */
export const answering =
  (status: number, text: string): Behaviour =>
  ({ headers }) => {
    const responseBody = Buffer.from(text);
    const parts = { status, requestHeaders: headers, responseBody, responseBytes: responseBody.length };
    return { afterMs: 1, result: result(outcomeOfStatus(status), parts) };
  };

type ExportInput = CommandInput<'messages.export'>;

export class ExchangeWorld {
  readonly sim: SimEngine;
  readonly #client;

  constructor(sim: SimEngine) {
    this.sim = sim;
    this.#client = connectContract(sim.open(), () => {});
  }

  /** Calls a command and moves time until it answers. */
  async ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
    const call = this.#client.call as (name: N, input: CommandInput<N>) => Promise<CommandOutput<N>>;
    return turnUntilDone(call(name, input), (ms) => this.sim.pass(ms));
  }

  /** Posts calls of a library to a path, and waits until they are delivered. */
  async post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.sim.post(path, body, WRITE_KEY, headers);
    await this.sim.pass(200);
  }

  /** The whole file, slice by slice. */
  async export(
    asked: Omit<ExportInput, 'cursor' | 'of'> & { of?: ExportInput['of'] },
  ): Promise<{ text: string; written: number; slices: number }> {
    let text = '';
    let cursor: ExportInput['cursor'];
    for (let slices = 1; ; slices += 1) {
      const slice = await this.ask('messages.export', { of: { filter: {} }, ...asked, cursor });
      text += slice.text;
      if (slice.next === null) return { text, written: slice.written, slices };
      cursor = slice.next;
    }
  }

  /** Imports a file in pieces of `size`. */
  async import(text: string, { deliver = false, size = 50_000 } = {}): Promise<CallImportView> {
    let view = await this.ask('messages.importOpen', { deliver });
    for (let at = 0; at === 0 || at < text.length; at += size)
      view = await this.ask('messages.importText', {
        import: view.import,
        text: text.slice(at, at + size),
        last: at + size >= text.length,
      });
    await this.ask('messages.importClose', { import: view.import });
    return view;
  }

  async rows(): Promise<CommandOutput<'messages.list'>['rows']> {
    return (await this.ask('messages.list', { filter: {}, limit: 1000 })).rows.reverse();
  }
}

export async function startExchange(setup: SimEngineSetup = {}): Promise<ExchangeWorld> {
  const sim = await startSimEngine({ config: CONFIG, start: Date.UTC(2026, 10, 20, 12), ...setup });
  sim.transport.on(WEBHOOK, answering(200, 'ok'));
  return new ExchangeWorld(sim);
}
