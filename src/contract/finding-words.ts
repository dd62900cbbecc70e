/** Findings about a person in words, the same in the interface and on the command line. */
import type { Finding } from './persons.ts';

export interface FindingWords {
  readonly title: string;
  /** One sentence of fact, or two. */
  readonly detail: string;
}

/** `time` writes a wall time in epoch milliseconds. */
export function findingWords(finding: Finding, time: (at: number) => string): FindingWords {
  switch (finding.kind) {
    case 'identify_after_track': {
      const { anonymousCalls: n, anonymousId, userId } = finding;
      return {
        title: `identify after track: ${n} ${n === 1 ? 'call' : 'calls'} before ${n === 1 ? 'was' : 'were'} anonymous`,
        detail: `${n === 1 ? 'It carries' : 'They carry'} only anonymousId ${anonymousId}. No receiver can tie ${n === 1 ? 'it' : 'them'} to ${userId}.`,
      };
    }
    case 'shared_anonymous_id': {
      const { anonymousId, before, after, until } = finding;
      return {
        title: 'Two users on one anonymousId: no reset at logout',
        detail: `${anonymousId} belonged to ${before} until ${time(until)}, then to ${after}.`,
      };
    }
    case 'trait_type': {
      const { trait, was, is, calls } = finding;
      return {
        title: `A trait changed its type: ${trait}`,
        detail: `It was ${typed(was)} in ${calls} ${calls === 1 ? 'call' : 'calls'} and is ${typed(is)} since this one.`,
      };
    }
    case 'email_as_user_id':
      return {
        title: 'The userId looks like an email',
        detail: `${finding.userId} changes when the person changes the address, and then counts as somebody else.`,
      };
    case 'twice': {
      const { event, ms } = finding;
      return {
        title: `${event} came twice within 100 ms`,
        detail: `Both have the same properties, and ${ms === 0 ? 'the same time' : `${ms} ms lie between them`}.`,
      };
    }
    case 'alias_loop':
      return {
        title: `Aliases form a loop: ${finding.ids.join(' → ')}`,
        detail:
          finding.ids.length === 2
            ? 'The call renames an id to itself, so it ties nothing together.'
            : 'No id of the loop is the last one, so receivers disagree about who this is.',
      };
  }
}

export function typeWord(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `a string ("12")`, `a number (12)`; of lists and objects the type alone. */
const typed = (value: unknown): string =>
  typeof value === 'object' ? typeWord(value) : `${typeWord(value)} (${JSON.stringify(value)})`;
