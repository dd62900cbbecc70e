/**
 * Tables of the receivers lab, part of migration 2. A built-in receiver has a row only while it differs from its
 * default.
 */
export const RECEIVERS_SCHEMA = `
CREATE TABLE receivers (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64 AND id NOT GLOB '*[^a-z0-9-]*'),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  tls INTEGER NOT NULL CHECK (tls IN (0, 1)),
  steps TEXT NOT NULL CHECK (json_valid(steps) AND json_array_length(steps) BETWEEN 1 AND 20),
  check_on INTEGER NOT NULL CHECK (check_on IN (0, 1)),
  on_mismatch TEXT NOT NULL CHECK (on_mismatch IN ('reject', 'mark')),
  check_secret TEXT NOT NULL CHECK (check_secret IN ('shared', 'wrong')),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
