/** Marks that a filter asks for with `is:`; the contract has the same names. */
export type Mark = 'dropped' | 'silent' | 'noted' | 'repeated' | 'replayed';

/** Reasons of rejection that Segment's API answers with 400; all others it answers with 200, and drops the call. */
export const loudReasons = ['call_too_large', 'batch_too_large', 'invalid_json', 'not_an_object'] as const;
