/** The options of a kill run, and its report. */
import { readFileSync } from 'node:fs';
import type { AttemptView, MessageRow } from '../../src/contract/values.ts';
import type { Failpoint } from '../../src/core/failpoint.ts';
import { duplicates, type Evidence, FINAL_RESENT, judge, LOST, type Violation } from './judge.ts';
import { type FromProducer, type FromReceiver, readArrival } from './messages.ts';
import type { LifePlan } from './plan.ts';
import { listed } from './processes.ts';

export interface KillOptions {
  readonly plan: readonly LifePlan[];
  /** Calls a second that the producer makes. */
  readonly perSecond: number;
  /** Seed of the times of the kills. */
  readonly seed: number;
  /** Path of the built command line. */
  readonly cli: string;
  /** How long delivery of everything may take after the last kill, besides a time for each message. */
  readonly settleMs: number;
  readonly say: (line: string) => void;
}

export interface FailpointKills {
  readonly name: Failpoint;
  readonly kills: number;
  /** Lives that did not reach it, which is a fault of the harness. */
  readonly missed: number;
}

/** Violations that the killer itself saw. */
export interface Seen {
  readonly kills: number;
  readonly killsDuringStart: number;
  readonly failpoints: readonly FailpointKills[];
  readonly inFlightAtKills: { readonly total: number; readonly most: number };
  readonly medianStartMs: number;
  readonly integrity: string;
  readonly broken: readonly Violation[];
  readonly finalBeforeLife: Evidence['finalBeforeLife'];
  readonly openAtKills: Evidence['openAtKills'];
  readonly replays: Evidence['replays'];
}

/** Results of the load. */
export interface Loaded {
  /** Time until everything was acknowledged. */
  readonly seconds: number;
  /** Time during which calls were made. */
  readonly loadSeconds: number;
  readonly settledMs: number;
  readonly produced: Extract<FromProducer, { type: 'done' }>;
  readonly received: Extract<FromReceiver, { type: 'done' }>;
  readonly logs: { readonly acknowledged: string; readonly arrivals: string };
}

export interface KillReport
  extends Pick<Seen, 'kills' | 'killsDuringStart' | 'failpoints' | 'inFlightAtKills' | 'medianStartMs' | 'integrity'> {
  readonly seed: number;
  readonly seconds: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly sentPerSecond: number;
  readonly acknowledgedPerSecond: number;
  readonly stored: number;
  readonly arrivals: number;
  /** Requests of which only a part arrived. */
  readonly halfRequests: number;
  readonly replays: number;
  /** Calls that were answered 200 and are not stored. */
  readonly lost: number;
  /** Arrivals of messages that were final before. */
  readonly finalResent: number;
  readonly duplicates: number;
  readonly settledMs: number;
  readonly violations: readonly Violation[];
}

const LEAST_PER_SECOND = 300;

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

export const violation = (rule: string, example: string): Violation => ({ rule, count: 1, examples: [example] });

function faultsOfLoad({ produced, received }: Loaded, perSecond: number): Violation[] {
  const found: Violation[] = [];
  if (perSecond < LEAST_PER_SECOND) found.push(violation('too few messages a second', `${perSecond}`));
  if (received.badSignatures > 0) found.push(violation('a signature was wrong', `${received.badSignatures} times`));
  if (produced.otherAnswers > 0) found.push(violation('a call was refused', `${produced.otherAnswers} answers`));
  return found;
}

export async function reportOf(options: KillOptions, workspace: string, seen: Seen, load: Loaded): Promise<KillReport> {
  const { cli } = options;
  const rows = await listed(cli, 'messages', workspace, ({ messageId, state }: MessageRow) => ({ messageId, state }));
  const attempts = await listed(
    cli,
    'attempts',
    workspace,
    ({ message, slot, outcome }: AttemptView & { message: string }) => ({ message, slot, outcome }),
  );
  const acknowledged = linesOf(load.logs.acknowledged);
  const arrivals = linesOf(load.logs.arrivals).map(readArrival);
  const { broken, finalBeforeLife, openAtKills, replays, ...shown } = seen;
  const perSecond = Math.round(load.produced.sent / load.loadSeconds);
  const judged = judge({ acknowledged, arrivals, rows, attempts, finalBeforeLife, openAtKills, replays });
  const countOf = (rule: string): number => judged.find((one) => one.rule === rule)?.count ?? 0;
  return {
    ...shown,
    seed: options.seed,
    seconds: Math.round(load.seconds),
    sent: load.produced.sent,
    acknowledged: acknowledged.length,
    sentPerSecond: perSecond,
    acknowledgedPerSecond: Math.round(acknowledged.length / load.seconds),
    stored: rows.length,
    arrivals: arrivals.length,
    halfRequests: load.received.halfRequests,
    replays: replays.stored.length,
    lost: countOf(LOST),
    finalResent: countOf(FINAL_RESENT),
    duplicates: [...duplicates(arrivals).values()].reduce((sum, n) => sum + n, 0),
    settledMs: load.settledMs,
    violations: [...broken, ...faultsOfLoad(load, perSecond), ...judged],
  };
}
