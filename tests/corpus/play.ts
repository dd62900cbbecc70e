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
  /** How long the event loop stood still under each case, the longest processor time first. */
  readonly blocks: readonly Block[];
}

/** The longest turn of the event loop under a case, in milliseconds. */
export interface Block {
  readonly topic: string;
  readonly case: CorpusCase;
  readonly cpuMs: number;
  readonly wallMs: number;
}

export const blockName = ({ topic, case: { name } }: Block): string => `${topic}: ${name}`;

export async function play(engine: CorpusEngine, topics: readonly Topic[], mode: Mode): Promise<Played> {
  const client = new WireClient(engine.port);
  const failures: Failure[] = [];
  const expected: Record<string, number> = {};
  const blocks: Block[] = [];
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
      blocks.push({ topic, case: one, cpuMs: longestCpuMs, wallMs: longestMs });
    }
  }
  client.close();
  return { cases, failures, expected, blocks: blocks.sort((a, b) => b.cpuMs - a.cpuMs) };
}

/**
 * The shortest of `takes` blocks under the same case. A busy machine makes processor time longer, never shorter, so the
 * shortest says most about the code.
 */
export async function shortestBlock(engine: CorpusEngine, block: Block, mode: Mode, takes: number): Promise<number> {
  let shortest = block.cpuMs;
  for (let take = 1; take < takes; take += 1) {
    const again = await play(engine, [{ topic: block.topic, cases: [block.case] }], mode);
    shortest = Math.min(shortest, again.blocks[0]!.cpuMs);
  }
  return shortest;
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
