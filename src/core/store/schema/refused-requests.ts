/**
 * What tells a repeat of a refused request (SDKs try a 400 again, up to ten times): a digest of it, and the first of
 * its messages, whose neighbours are the others. Requests that are not refused have neither, and cost nothing.
 */
export const REFUSED_REQUESTS = `
ALTER TABLE requests ADD COLUMN fingerprint BLOB;
ALTER TABLE requests ADD COLUMN first_message INTEGER;
CREATE INDEX requests_refused ON requests (fingerprint) WHERE fingerprint IS NOT NULL;
`;

/** Names of track events that a source has switched off, as a JSON array. */
export const EVENTS_OFF = `
ALTER TABLE sources ADD COLUMN events_off TEXT NOT NULL DEFAULT '[]';
`;
