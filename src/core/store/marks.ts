/** What a message can be asked to be; the contract has the same names. */
export type Mark = 'silent' | 'noted' | 'repeated' | 'replayed';

/** Reasons of rejection that Segment's API answers with 400; all others it answers with 200, and drops the call. */
export const loudReasons = ['call_too_large', 'invalid_json', 'not_an_object'] as const;
