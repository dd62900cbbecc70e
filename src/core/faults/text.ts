/** Cuts a text that a client chose to `max` characters, for keeping. */
export const cut = (text: string, max: number): string => (text.length <= max ? text : text.slice(0, max));
