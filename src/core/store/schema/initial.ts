/**
 * Migration 1, as it was released. The hot tables compare with `OR` and not with `IN (…)`. For a list of more than two,
 * SQLite builds a temporary table each time it checks a row, which doubled the cost of a message's three writes.
 */
export const INITIAL = `
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  write_key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('server', 'web', 'mobile')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  webhooks INTEGER NOT NULL CHECK (webhooks IN (0, 1)),
  made_by_key INTEGER NOT NULL DEFAULT 0 CHECK (made_by_key IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slot INTEGER NOT NULL UNIQUE CHECK (slot BETWEEN 1 AND 5),
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  sealed_headers BLOB NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL,
  last2 TEXT NOT NULL,
  length INTEGER NOT NULL
) STRICT;

CREATE TABLE requests (
  id INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  encoding TEXT,
  decoded_bytes INTEGER NOT NULL,
  write_key TEXT,
  source_id INTEGER,
  status INTEGER NOT NULL,
  code TEXT
) STRICT;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  source_id INTEGER,
  request_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK (origin = 'sdk' OR origin = 'composer' OR origin = 'import' OR origin = 'audience' OR origin = 'deletion'),
  type TEXT NOT NULL CHECK (type = 'track' OR type = 'identify' OR type = 'page' OR type = 'screen' OR type = 'group' OR type = 'alias' OR type = 'delete' OR type = 'unknown'),
  name TEXT NOT NULL,
  user_id TEXT,
  anonymous_id TEXT,
  state TEXT NOT NULL CHECK (state = 'delivered' OR state = 'delivering' OR state = 'queued' OR state = 'retrying' OR state = 'paused' OR state = 'rejected' OR state = 'not_selected' OR state = 'failed' OR state = 'expired' OR state = 'stopped'),
  reason TEXT,
  reason_detail TEXT,
  received_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  round INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  next_due_at INTEGER,
  first_attempt_at INTEGER,
  window_ends_at INTEGER,
  finished_at INTEGER,
  cells TEXT NOT NULL DEFAULT '.....' CHECK (length(cells) = 5),
  repeats INTEGER NOT NULL DEFAULT 0,
  replays INTEGER NOT NULL DEFAULT 0,
  notes TEXT,
  CHECK (next_due_at IS NOT NULL OR NOT (state = 'delivering' OR state = 'queued' OR state = 'retrying')),
  CHECK (next_due_at IS NULL OR (state = 'delivering' OR state = 'queued' OR state = 'retrying' OR state = 'paused')),
  CHECK ((first_attempt_at IS NULL) = (window_ends_at IS NULL))
) STRICT;
CREATE INDEX messages_message_id ON messages (message_id);
CREATE INDEX messages_due ON messages (next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX messages_rare ON messages (state, id) WHERE state <> 'delivered' AND state <> 'delivering' AND state <> 'queued';

CREATE TABLE message_bodies (
  id INTEGER PRIMARY KEY,
  wire BLOB NOT NULL,
  crc32 INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  replay_id INTEGER,
  webhook_id INTEGER NOT NULL,
  slot INTEGER NOT NULL CHECK (slot BETWEEN 1 AND 5),
  webhook_name TEXT NOT NULL,
  url TEXT NOT NULL,
  round INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  clock_at INTEGER NOT NULL,
  outcome TEXT CHECK (outcome = 'accepted' OR outcome = 'failed' OR outcome = 'timed_out' OR outcome = 'no_connection' OR outcome = 'refused_certificate' OR outcome = 'declined' OR outcome = 'throttled' OR outcome = 'interrupted'),
  status INTEGER,
  duration_ms REAL
) STRICT;
CREATE INDEX attempts_message ON attempts (message_id);
CREATE INDEX attempts_open ON attempts (id) WHERE outcome IS NULL;

-- Apart from attempts: a row that grew from 100 to 700 bytes at its end would split pages all the time.
CREATE TABLE attempt_results (
  id INTEGER PRIMARY KEY,
  result TEXT NOT NULL,
  response_body BLOB
) STRICT;

CREATE TABLE replays (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  webhook_ids TEXT NOT NULL
) STRICT;
CREATE INDEX replays_message ON replays (message_id);

CREATE TABLE counters (
  state TEXT PRIMARY KEY,
  n INTEGER NOT NULL CHECK (n >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO counters (state, n) VALUES
  ('rejected', 0), ('not_selected', 0), ('queued', 0), ('delivering', 0), ('retrying', 0),
  ('paused', 0), ('delivered', 0), ('failed', 0), ('expired', 0), ('stopped', 0);
`;
