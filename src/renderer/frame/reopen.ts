/** How a tab with the token of an earlier start gets the current token. */
export const REOPEN = 'Open the address that it printed in the terminal, here or in a new tab.';
