/** Who is in the audience of one rule. */
import {
  type AudienceRule,
  type CompiledRule,
  comingChanges,
  compileRule,
  type EventCondition,
  type Explanation,
  evaluateRule,
  explainRule,
  isIn,
  leaveOf,
  type RuleFacts,
} from '../model/audience-rule.ts';
import type { CallColumn, ColumnSpec } from './call-column.ts';
import { NONE } from './call-log.ts';
import { grown } from './grown.ts';
import { Watch, type WatchData } from './watch.ts';

/** The columns that a rule needs, in the order of its event conditions. */
export const columnsOfRule = (rule: AudienceRule): ColumnSpec[] => {
  const { nodes, events } = compileRule(rule);
  return events.map((index) => {
    const { event, where } = nodes[index]!.node as EventCondition;
    return { event, where, path: null };
  });
};

export interface Leave {
  readonly userId: string;
  /** Retry-clock time. */
  readonly at: number;
  /** The condition that changes then. */
  readonly id: string;
}

const NOBODY: readonly number[] = [];

export class RuleWatch extends Watch {
  readonly #rule: CompiledRule;
  readonly #counts: number[];
  /** Which nodes hold, for each person. */
  #holding = new Int32Array(0);
  #leavesAt = new Float64Array(0);
  /** How often somebody came in or went since it is counted. */
  joined = 0;
  left = 0;

  constructor(data: WatchData, rule: AudienceRule, columns: readonly CallColumn[]) {
    super(data, columns);
    this.#rule = compileRule(rule);
    this.#counts = this.#rule.nodes.map(() => 0);
  }

  get members(): number {
    return this.#counts[0]!;
  }

  /** For how many people each node holds; the rule itself is left out. */
  get counts(): Array<{ readonly id: string; readonly people: number }> {
    return this.#rule.nodes.slice(1).map(({ id }, i) => ({ id, people: this.#counts[i + 1]! }));
  }

  isMember(person: number): boolean {
    return isIn(this.#holding[person] ?? 0);
  }

  evaluate(person: number, now: number): number {
    const facts = this.#factsOf(person);
    const holding = evaluateRule(this.#rule, facts, now);
    this.#set(person, holding);
    this.#leavesAt = grown(this.#leavesAt, person + 1, Number.POSITIVE_INFINITY);
    if (this.#rule.events.length === 0) return Number.POSITIVE_INFINITY;
    this.#leavesAt[person] = leaveOf(this.#rule, facts, now)?.at ?? Number.POSITIVE_INFINITY;
    return comingChanges(this.#rule, facts, now)[0] ?? Number.POSITIVE_INFINITY;
  }

  drop(person: number): void {
    this.#set(person, 0);
    if (person < this.#leavesAt.length) this.#leavesAt[person] = Number.POSITIVE_INFINITY;
  }

  #set(person: number, holding: number): void {
    this.#holding = grown(this.#holding, person + 1);
    const before = this.#holding[person]!;
    this.#holding[person] = holding;
    const changed = before ^ holding;
    if (changed === 0) return;
    for (let node = 0; node < this.#counts.length; node += 1)
      if ((changed & (1 << node)) !== 0) this.#counts[node]! += (holding & (1 << node)) !== 0 ? 1 : -1;
    if (!this.isCounted || (changed & 1) === 0) return;
    if (isIn(holding)) this.joined += 1;
    else this.left += 1;
    this.noteMove(person);
  }

  #factsOf(person: number): RuleFacts {
    const { events } = this.#rule;
    const traits = this.data.people.traits(person);
    if (events.length === 0) return { traits, times: () => NOBODY };
    const times = events.map((): number[] => []);
    this.eachRow(person, (column, row) => times[column]!.push(this.data.log.at(row)));
    for (const list of times) sortNewestFirst(list);
    return { traits, times: (node) => times[events.indexOf(node)]! };
  }

  /** The next member to leave if nothing but time happens; null when nobody does. */
  nextLeave(now: number): Leave | null {
    let person = NONE;
    let at = Number.POSITIVE_INFINITY;
    for (let one = 0; one < this.#leavesAt.length; one += 1)
      if (this.#leavesAt[one]! < at) {
        at = this.#leavesAt[one]!;
        person = one;
      }
    if (person === NONE) return null;
    const leave = leaveOf(this.#rule, this.#factsOf(person), now);
    return leave && { ...leave, userId: this.data.people.userId(person)! };
  }

  explain(person: number, now: number): Explanation {
    return explainRule(this.#rule, this.#factsOf(person), now);
  }
}

/** Turns newest-first rows into ascending times. Rows are nearly always in order already. */
function sortNewestFirst(times: number[]): void {
  times.reverse();
  for (let i = 1; i < times.length; i += 1) if (times[i]! < times[i - 1]!) return void times.sort((a, b) => a - b);
}
