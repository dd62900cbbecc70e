/** Below this a tail would give too much of a secret away (decisions, Delivery). */
const MIN_LENGTH = 12;

/** The last two characters of a secret, by which a person tells it from another one; empty for a short one. */
export const tailOf = (secret: string): string => (secret.length < MIN_LENGTH ? '' : secret.slice(-2));
