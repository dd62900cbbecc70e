/** Tables of the aggregates that charts are drawn from; part of migration 2. */
export const METRICS_SCHEMA = `
-- Messages by the minute (since the epoch) of their receipt. Rows older than 24 h are dropped.
CREATE TABLE metric_minutes (
  minute INTEGER PRIMARY KEY,
  received INTEGER NOT NULL CHECK (received >= 0),
  not_selected INTEGER NOT NULL CHECK (not_selected >= 0),
  rejected INTEGER NOT NULL CHECK (rejected >= 0),
  first_round INTEGER NOT NULL CHECK (first_round >= 0),
  retried INTEGER NOT NULL CHECK (retried >= 0),
  delivered INTEGER NOT NULL CHECK (delivered >= 0),
  failed INTEGER NOT NULL CHECK (failed >= 0),
  expired INTEGER NOT NULL CHECK (expired >= 0),
  stopped INTEGER NOT NULL CHECK (stopped >= 0),
  -- JSON objects: code to count.
  rejected_by TEXT NOT NULL,
  not_selected_by TEXT NOT NULL,
  -- JSON array: bucket, count, bucket, count …
  delivery_ms TEXT NOT NULL
) STRICT;

-- Attempts by webhook and the minute of their start; missed by the minute of the message's receipt.
CREATE TABLE metric_attempts (
  minute INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  accepted INTEGER NOT NULL CHECK (accepted >= 0),
  failed INTEGER NOT NULL CHECK (failed >= 0),
  timed_out INTEGER NOT NULL CHECK (timed_out >= 0),
  no_connection INTEGER NOT NULL CHECK (no_connection >= 0),
  refused_certificate INTEGER NOT NULL CHECK (refused_certificate >= 0),
  declined INTEGER NOT NULL CHECK (declined >= 0),
  throttled INTEGER NOT NULL CHECK (throttled >= 0),
  interrupted INTEGER NOT NULL CHECK (interrupted >= 0),
  missed INTEGER NOT NULL CHECK (missed >= 0),
  -- JSON arrays by the limit in force: below 4 s, from 4 s, from 5 s, from 10 s.
  answered TEXT NOT NULL,
  unanswered TEXT NOT NULL,
  -- JSON array: bucket, count, bucket, count …
  response_ms TEXT NOT NULL,
  PRIMARY KEY (minute, webhook_id)
) STRICT, WITHOUT ROWID;
`;

/** Repeated calls, by the minute of their own receipt. */
export const COUNT_REPEATS = `
ALTER TABLE metric_minutes ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0 CHECK (repeats >= 0);
`;
