/**
 * A replay may carry bytes of its own and go to URLs that are no webhook: an attempt there has slot 0. It may have
 * several rounds, and says how it ended. The text of the
 * table is edited in place, as in `states-by-name.ts`; the rows stay as they are. `replay_jobs` counts what replays of
 * many messages did. No selection is stored, because a filter can name a user. The index has the attempts that took
 * long, so that their messages are counted without reading all attempts.
 */
export const EDITED_REPLAYS = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (slot BETWEEN 1 AND 5)', 'CHECK (slot BETWEEN 0 AND 5)') WHERE name = 'attempts';
PRAGMA writable_schema = RESET;

ALTER TABLE replays ADD COLUMN sent TEXT NOT NULL DEFAULT 'delivered' CHECK (sent IN ('delivered', 'received', 'edited'));
ALTER TABLE replays ADD COLUMN signed INTEGER NOT NULL DEFAULT 1 CHECK (signed IN (0, 1));
ALTER TABLE replays ADD COLUMN body BLOB;
ALTER TABLE replays ADD COLUMN retry_until INTEGER;
ALTER TABLE replays ADD COLUMN next_at INTEGER;
ALTER TABLE replays ADD COLUMN ended TEXT CHECK (ended IN ('done', 'expired', 'stopped', 'interrupted'));

CREATE INDEX attempts_slow ON attempts (message_id, duration_ms) WHERE duration_ms >= 1000;

CREATE TABLE replay_jobs (
  id INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'stopped', 'failed', 'interrupted')),
  problem TEXT,
  total INTEGER NOT NULL CHECK (total >= 0),
  targets INTEGER NOT NULL CHECK (targets >= 0),
  rate INTEGER NOT NULL CHECK (rate > 0),
  begun INTEGER NOT NULL DEFAULT 0 CHECK (begun >= 0),
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed >= 0),
  damaged INTEGER NOT NULL DEFAULT 0 CHECK (damaged >= 0),
  CHECK ((finished_at IS NULL) = (state = 'running')),
  CHECK (begun + removed + damaged <= total)
) STRICT;
`;

/** In front of the table, for readers of a store that is not migrated yet. */
export const REPLAYS_VIEW = `
CREATE TEMP VIEW replays AS SELECT *, 'delivered' AS sent, 1 AS signed, NULL AS body, NULL AS retry_until,
  NULL AS next_at, NULL AS ended FROM main.replays`;
