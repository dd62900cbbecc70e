/** The traits of a person as identify calls changed them. */
import type { PersonView } from '../../../contract/persons.ts';
import type { PersonCall } from '../../store/ports/user-calls.ts';
import { traitsOf } from './person-calls.ts';

/** Values before that are kept. */
const KEPT_VALUES = 3;

type TraitView = PersonView['traits'][number];

/** The one changed last first. A null takes nothing away: it is a value like any other. */
export function traitHistory(calls: readonly PersonCall[]): TraitView[] {
  const found = new Map<string, TraitView>();
  for (const call of calls)
    for (const [trait, value] of traitsOf(call)) {
      const before = found.get(trait);
      if (before !== undefined && isSame(before.value, value)) continue;
      const was = before === undefined ? [] : [before.value, ...before.was.filter((one) => !isSame(one, before.value))];
      // Put in again, so that the newest change stands last.
      found.delete(trait);
      found.set(trait, {
        trait,
        value,
        call: call.id,
        changedAt: call.receivedAt,
        was: was.filter((one) => !isSame(one, value)).slice(0, KEPT_VALUES),
      });
    }
  return [...found.values()].reverse();
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
