import type { Cell } from '../../../contract/names.ts';

/** Results of a webhook as they are typed, and the cell that shows each. */
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
