/** Plays cases to an engine, one after the other on a kept connection. */
import type { CorpusCase, Mode, Topic } from './case.ts';
import { WireClient } from './client.ts';
import type { CorpusEngine } from './engine.ts';
import { faultsOf } from './judge.ts';

export interface Failure {
  readonly topic: string;
  readonly name: string;
  readonly faults: readonly string[];
}

export interface Played {
  readonly cases: number;
  readonly failures: readonly Failure[];
  /** Messages that the cases say, by state. */
  readonly expected: Readonly<Record<string, number>>;
  /** The case under which the event loop stood still for the longest processor time, in milliseconds. */
  readonly slowest: { readonly name: string; readonly cpuMs: number; readonly wallMs: number };
}

export async function play(engine: CorpusEngine, topics: readonly Topic[], mode: Mode): Promise<Played> {
  const client = new WireClient(engine.port);
  const failures: Failure[] = [];
  const expected: Record<string, number> = {};
  let slowest = { name: '', cpuMs: 0, wallMs: 0 };
  let cases = 0;
  let lastId = 0;
  for (const { topic, cases: ofTopic } of topics) {
    for (const one of ofTopic) {
      const faults = await playOne(client, engine, one, mode, lastId);
      lastId = faults.lastId;
      cases += 1;
      if (faults.said.length > 0) failures.push({ topic, name: one.name, faults: faults.said });
      for (const { state } of one.messages) expected[state] = (expected[state] ?? 0) + 1;
      const { longestCpuMs, longestMs } = await engine.facts();
      if (longestCpuMs > slowest.cpuMs)
        slowest = { name: `${topic}: ${one.name}`, cpuMs: longestCpuMs, wallMs: longestMs };
    }
  }
  client.close();
  return { cases, failures, expected, slowest };
}

async function playOne(
  client: WireClient,
  engine: CorpusEngine,
  one: CorpusCase,
  mode: Mode,
  lastId: number,
): Promise<{ said: readonly string[]; lastId: number }> {
  const isHead = Buffer.from(one.bytes.subarray(0, 5)).toString('latin1') === 'HEAD ';
  try {
    const answer = await client.exchange(one.bytes, isHead);
    const ended = await client.hasEnded(answer, one.closes === true || answer.status === 0);
    const rows = engine.rowsAfter(lastId);
    return { said: faultsOf(one, mode, answer, rows, ended), lastId: rows.at(-1)?.id ?? lastId };
  } catch (error) {
    client.close();
    return { said: [(error as Error).message], lastId: engine.rowsAfter(lastId).at(-1)?.id ?? lastId };
  }
}
