/**
 * Migration 8: audiences and computed traits, and what their syncs send. A user has one row in an audience, with the
 * value that it has now and the one that the receivers were told last, both as JSON. So "to be sent" is a property of one row,
 * and a small partial index holds those rows.
 */
export const AUDIENCES_SCHEMA = `
CREATE TABLE audiences (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('audience', 'trait')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  property TEXT NOT NULL CHECK (length(property) BETWEEN 1 AND 100),
  -- The rule or definition as JSON; NULL when members are a list.
  definition TEXT CHECK (definition IS NULL OR json_valid(definition)),
  sync_when TEXT NOT NULL CHECK (sync_when IN ('hand', 'change', 'every')),
  every_ms INTEGER CHECK (every_ms > 0),
  -- Retry-clock time of the next scheduled sync.
  next_sync_at INTEGER,
  track INTEGER NOT NULL CHECK (track IN (0, 1)),
  created_at INTEGER NOT NULL,
  -- 1 while its rows are being removed in steps.
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  CHECK ((sync_when = 'every') = (every_ms IS NOT NULL)),
  CHECK (next_sync_at IS NULL OR sync_when = 'every')
) STRICT;
CREATE UNIQUE INDEX audiences_name ON audiences (kind, name) WHERE removed = 0;
CREATE UNIQUE INDEX audiences_property ON audiences (property) WHERE removed = 0;

CREATE TABLE audience_users (
  audience_id INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  -- JSON: true and false of an audience, any value of a trait. value NULL: none now. sent NULL: nothing was told.
  value TEXT,
  sent TEXT,
  -- Wall time since which it has the value.
  since INTEGER NOT NULL,
  label TEXT,
  PRIMARY KEY (audience_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audience_users_pending ON audience_users (audience_id, user_id) WHERE value IS NOT NULL AND value IS NOT sent;

CREATE TABLE syncs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  audience_id INTEGER NOT NULL,
  n INTEGER NOT NULL CHECK (n > 0),
  state TEXT NOT NULL CHECK (state IN ('preparing', 'running', 'stopped', 'done')),
  -- Part of the messageId of each of its calls.
  token TEXT NOT NULL,
  started_by TEXT NOT NULL CHECK (started_by IN ('person', 'change', 'clock')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- NULL while it prepares.
  expected INTEGER,
  sent INTEGER NOT NULL DEFAULT 0,
  added INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  -- Frozen when it is done. Until then sync_calls has them.
  delivered INTEGER,
  failed INTEGER,
  -- JSON arrays.
  events TEXT NOT NULL,
  series TEXT NOT NULL DEFAULT '[]',
  UNIQUE (audience_id, n),
  CHECK ((state = 'done') = (delivered IS NOT NULL AND failed IS NOT NULL AND ended_at IS NOT NULL)),
  CHECK (state <> 'done' OR delivered + failed = expected)
) STRICT;
CREATE INDEX syncs_open ON syncs (id) WHERE state <> 'done';

CREATE TABLE sync_calls (
  sync_id INTEGER NOT NULL,
  -- From 1, in the order of sending.
  position INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('identify', 'track')),
  -- JSON: what it tells, and what was told before.
  value TEXT NOT NULL,
  before TEXT,
  -- Row id of its message. NULL until it is sent.
  message_id INTEGER,
  outcome TEXT CHECK (outcome IN ('delivered', 'failed')),
  reason TEXT,
  PRIMARY KEY (sync_id, position),
  CHECK (outcome IS NULL OR message_id IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_calls_open ON sync_calls (sync_id, position) WHERE message_id IS NOT NULL AND outcome IS NULL;
CREATE INDEX sync_calls_failed ON sync_calls (sync_id, position) WHERE outcome = 'failed';
`;
