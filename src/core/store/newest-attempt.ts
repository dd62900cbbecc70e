/** Row id of the newest attempt, open or ended, as SQL. 0 when there is none. */
export const NEWEST_ATTEMPT = `max(coalesce((SELECT max(id) FROM open_attempts), 0),
  coalesce((SELECT max(id) FROM attempts), 0))`;
