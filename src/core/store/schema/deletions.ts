/**
 * Migration 9: deletion requests with their users and notices, and the suppressed users. These tables are the proof of a
 * deletion, so they are the only ones that still name its users after it.
 */
const REQUESTS = `
CREATE TABLE deletion_requests (
  id INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  -- How many different ids it has.
  users INTEGER NOT NULL CHECK (users > 0),
  -- JSON: the sources as they were, [{sourceId, name, kind, destinationOn}].
  sources TEXT NOT NULL CHECK (json_valid(sources)),
  erase INTEGER NOT NULL CHECK (erase IN (0, 1)),
  suppress INTEGER NOT NULL CHECK (suppress IN (0, 1)),
  forget INTEGER NOT NULL CHECK (forget IN (0, 1)),
  -- The newest message and request when it was made: what is erased.
  up_to INTEGER NOT NULL,
  up_to_request INTEGER NOT NULL,
  -- Messages up to this id were looked at, and erased where that was asked for.
  looked_at INTEGER NOT NULL DEFAULT 0,
  -- JSON: what was erased so far.
  erased TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(erased)),
  erased_at INTEGER,
  -- JSON: what a look through the store found; NULL until it ended.
  search TEXT CHECK (search IS NULL OR json_valid(search)),
  -- Set once everything but the delivery of its notices is done.
  finished_at INTEGER,
  forgotten_at INTEGER
) STRICT;
CREATE INDEX deletion_requests_unfinished ON deletion_requests (id) WHERE finished_at IS NULL;

CREATE TABLE deletion_users (
  request_id INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position > 0),
  -- NULL once it was forgotten.
  user_id TEXT,
  erased INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (request_id, position)
) STRICT, WITHOUT ROWID;
`;

/** A row for each user and source that knew the user, with a notice or the reason why there is none. */
const NOTICES = `
CREATE TABLE deletion_notices (
  request_id INTEGER NOT NULL,
  -- That of the user.
  position INTEGER NOT NULL,
  source_id INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  -- Why there is no notice.
  reason TEXT,
  -- NULL until the notice is stored.
  message_id INTEGER,
  -- The final state of the message, which storage limits may remove.
  outcome TEXT,
  PRIMARY KEY (request_id, position, source_id),
  CHECK (reason IS NULL OR (message_id IS NULL AND outcome IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX deletion_notices_open ON deletion_notices (message_id)
  WHERE message_id IS NOT NULL AND outcome IS NULL;
`;

const SUPPRESSIONS = `
CREATE TABLE suppressions (
  user_id TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  request_id INTEGER,
  hits INTEGER NOT NULL DEFAULT 0 CHECK (hits >= 0),
  last_hit_at INTEGER
) STRICT, WITHOUT ROWID;

-- How many calls were cut out of the stored bytes of a request: of erased or suppressed users.
CREATE TABLE request_cuts (
  request_id INTEGER PRIMARY KEY,
  calls INTEGER NOT NULL CHECK (calls > 0)
) STRICT;
`;

export const DELETIONS_SCHEMA = `${REQUESTS}\n${NOTICES}\n${SUPPRESSIONS}`;
