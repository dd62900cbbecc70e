/** The named sets of delivery rules, in words. */
import type { ProfileNameView } from '../../contract/rules.ts';

export interface ProfileWords {
  readonly name: string;
  /** What sets it apart from the others. */
  readonly what: string;
  /** Where its rules come from. */
  readonly from: string;
}

export const PROFILE_WORDS: Readonly<Record<ProfileNameView | 'own', ProfileWords>> = {
  documented: {
    name: 'Documented',
    what: 'The documented fields, 5 s to answer, 5xx and timeouts retried for 4 h.',
    from: 'The published behaviour of the Webhooks destination. Where it says nothing, the choices of Hookbench.',
  },
  classic: {
    name: 'Classic as coded',
    what: 'The whole message, 3 s to answer, every refusal retried, a webhook left out after 25 errors.',
    from: 'What the code of the classic Webhooks destination does, which differs from its documentation.',
  },
  actions: {
    name: 'Actions as coded',
    what: 'The whole message, 10 s to answer, redirects followed, Retry-After ignored.',
    from: 'What the code of the newer Webhooks (Actions) destination does.',
  },
  'standard-webhooks': {
    name: 'Standard Webhooks',
    what: 'Signed with webhook-id, webhook-timestamp and webhook-signature; ten rounds over about three days.',
    from: 'The open specification of that name, with its example schedule.',
  },
  own: {
    name: 'Own',
    what: 'Rules changed here that no longer match a profile.',
    from: 'Choose a profile to go back to its rules.',
  },
};

/** In the order of the menu. */
export { PROFILE_NAMES as PROFILES } from '../../contract/names.ts';
