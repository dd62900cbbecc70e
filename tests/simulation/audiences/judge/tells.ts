/** Planned calls as texts that can be compared. */
import type { CallFact } from '../rows.ts';

export type Tells = ReadonlyArray<Pick<CallFact, 'userId' | 'type' | 'value'>>;

export const textsOf = (plan: Tells): string[] =>
  plan.map(({ userId, type, value }) => `${JSON.stringify(userId)} ${type} ${value}`);

export const textOf = (plan: Tells): string => textsOf(plan).join(', ');
