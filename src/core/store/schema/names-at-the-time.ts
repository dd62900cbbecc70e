/**
 * Names of the webhooks, and which were on, at the time of each attempt. A webhook can be edited, removed or replaced,
 * and earlier attempts keep the name that it had. An attempt has its own name and URL in its row.
 */

/**
 * The webhooks in force after the attempt `after_attempt`, as JSON `[[id, slot, name, 0 or 1], …]`. Ids of attempts
 * only grow and are never reused, so no clock is needed. Nothing is known about attempts before the first row.
 */
const LINE_UPS = `
CREATE TABLE line_ups (
  after_attempt INTEGER PRIMARY KEY,
  webhooks TEXT NOT NULL
) STRICT;
INSERT INTO line_ups (after_attempt, webhooks)
  SELECT coalesce((SELECT max(id) FROM attempts), 0), json_group_array(json_array(id, slot, name, enabled))
  FROM (SELECT * FROM webhooks ORDER BY slot);
`;

/**
 * Counts by minute belong to a webhook by its name and URL at the time. Older counts get the name and URL of the newest
 * attempt. Slot 0 marks a webhook that has neither attempts nor a row any more.
 */
const METRIC_WEBHOOKS = `
CREATE TABLE metric_webhooks (
  id INTEGER PRIMARY KEY,
  webhook_id INTEGER NOT NULL,
  slot INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 5),
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  UNIQUE (webhook_id, slot, name, url)
) STRICT;
CREATE TEMP TABLE newest_names AS
  SELECT webhook_id, slot, webhook_name AS name, url, max(id) FROM attempts GROUP BY webhook_id;
INSERT INTO metric_webhooks (webhook_id, slot, name, url)
  SELECT m.webhook_id, coalesce(a.slot, w.slot, 0), coalesce(a.name, w.name, ''), coalesce(a.url, w.url, '')
  FROM (SELECT DISTINCT webhook_id FROM metric_attempts) m
  LEFT JOIN newest_names a ON a.webhook_id = m.webhook_id
  LEFT JOIN webhooks w ON w.id = m.webhook_id;
DROP TABLE newest_names;

ALTER TABLE metric_attempts RENAME TO metric_attempts_by_id;
CREATE TABLE metric_attempts (
  minute INTEGER NOT NULL,
  -- A row of metric_webhooks.
  webhook INTEGER NOT NULL,
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
  PRIMARY KEY (minute, webhook)
) STRICT, WITHOUT ROWID;
INSERT INTO metric_attempts
  SELECT m.minute, w.id, m.accepted, m.failed, m.timed_out, m.no_connection, m.refused_certificate, m.declined,
    m.throttled, m.interrupted, m.missed, m.answered, m.unanswered, m.response_ms
  FROM metric_attempts_by_id m JOIN metric_webhooks w ON w.webhook_id = m.webhook_id;
DROP TABLE metric_attempts_by_id;
`;

export const NAMES_AT_THE_TIME = `${LINE_UPS}\n${METRIC_WEBHOOKS}`;
