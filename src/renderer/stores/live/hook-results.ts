import type { Cell } from '../../../contract/names.ts';

/** Names of a webhook's results in the filter field, and the cell of each. */
export const HOOK_RESULTS: Readonly<Record<string, Cell>> = {
  accepted: 'a',
  failed: 'f',
  timeout: 't',
  'no-connection': 'n',
  refused: 'r',
  declined: 'd',
  redirect: 'm',
  throttled: 'l',
  interrupted: 'i',
  sending: 's',
  waiting: 'w',
  'not-needed': 'x',
  paused: 'p',
};
