/**
 * How a repeat of a refused request is recognised (SDKs retry a 400 up to ten times): by a digest of the request, and
 * its first message, whose neighbours are the other ones. Other requests have neither, and cost nothing.
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
