/**
 * Attempts of earlier versions hold values of static headers in clear, unless the name looked like a secret. Every
 * value is replaced by its length, except those of Hookbench's own headers, whose names no static header could have.
 */
const OURS = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'content-type',
  'transfer-encoding',
  'user-agent',
  'x-signature',
];

/** Hookbench sends these in one profile only, so they are recognised by their form. */
const STANDARD_WEBHOOKS = `
     (lower(h.value ->> 0) = 'webhook-id' AND h.value ->> 1 GLOB 'msg_[0-9]*' AND substr(h.value ->> 1, 5) NOT GLOB '*[^0-9]*')
  OR (lower(h.value ->> 0) = 'webhook-timestamp' AND length(h.value ->> 1) = 10 AND h.value ->> 1 NOT GLOB '*[^0-9]*')`;

/** Hides the value of one entry `[name, value]`. An entry that is already hidden has no value. */
const STAYS = `(h.value ->> 1 IS NULL
  OR lower(h.value ->> 0) IN (${OURS.map((name) => `'${name}'`).join(', ')})
  OR ${STANDARD_WEBHOOKS})`;

/** A result without values of static headers. */
const SEALED = `json_set(result, '$.requestHeaders', json((
  SELECT json_group_array(json(
    CASE WHEN ${STAYS} THEN h.value ELSE json_array(h.value ->> 0, NULL, length(h.value ->> 1)) END
  ) ORDER BY h.key)
  FROM json_each(result, '$.requestHeaders') AS h)))`;

const TO_SEAL = `json_valid(result)
  AND EXISTS (SELECT 1 FROM json_each(result, '$.requestHeaders') AS h WHERE NOT ${STAYS})`;

/**
 * The last characters of a short secret are removed too. Overwritten bytes remain in free parts of the file. So a file
 * that ever had a webhook is rewritten after the migration (store/scrub.ts).
 */
export const SEAL_ATTEMPT_HEADERS = `
UPDATE attempt_results SET result = ${SEALED} WHERE ${TO_SEAL};

UPDATE secrets SET last2 = '' WHERE length < 12;

INSERT OR REPLACE INTO settings (key, value)
  SELECT 'scrub_due', '1' WHERE EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'webhooks');
`;

/** A view in front of the table, for readers of a store that is not migrated yet. */
export const SEALED_VIEW = `
CREATE TEMP VIEW attempt_results AS
  SELECT id, CASE WHEN ${TO_SEAL} THEN ${SEALED} ELSE result END AS result, response_body FROM main.attempt_results`;
