/** The tail of a shorter secret would reveal too much of it (decisions, Delivery). */
const MIN_LENGTH = 12;

/** The last two characters of a secret, so that a person can tell secrets apart; empty for a short one. */
export const tailOf = (secret: string): string => (secret.length < MIN_LENGTH ? '' : secret.slice(-2));
