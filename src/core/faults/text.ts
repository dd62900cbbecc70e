/** At most `max` characters: what is kept of texts that clients choose. */
export const cut = (text: string, max: number): string => (text.length <= max ? text : text.slice(0, max));
