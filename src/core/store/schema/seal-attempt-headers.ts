/**
 * Attempts of earlier versions hold values of static headers in clear, unless the name looked like a secret. Every
 * value becomes its length but those that Hookbench itself writes; no static header could have one of these names.
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

/** Ours in one profile only, so these are told by their form. */
const STANDARD_WEBHOOKS = `
     (lower(h.value ->> 0) = 'webhook-id' AND h.value ->> 1 GLOB 'msg_[0-9]*' AND substr(h.value ->> 1, 5) NOT GLOB '*[^0-9]*')
  OR (lower(h.value ->> 0) = 'webhook-timestamp' AND length(h.value ->> 1) = 10 AND h.value ->> 1 NOT GLOB '*[^0-9]*')`;

/** Of one entry `[name, value]`; one that is hidden already has no value. */
const STAYS = `(h.value ->> 1 IS NULL
  OR lower(h.value ->> 0) IN (${OURS.map((name) => `'${name}'`).join(', ')})
  OR ${STANDARD_WEBHOOKS})`;

/** A result with no value of a static header in it. */
const SEALED = `json_set(result, '$.requestHeaders', json((
  SELECT json_group_array(json(
    CASE WHEN ${STAYS} THEN h.value ELSE json_array(h.value ->> 0, NULL, length(h.value ->> 1)) END
  ) ORDER BY h.key)
  FROM json_each(result, '$.requestHeaders') AS h)))`;

const TO_SEAL = `json_valid(result)
  AND EXISTS (SELECT 1 FROM json_each(result, '$.requestHeaders') AS h WHERE NOT ${STAYS})`;

/**
 * Nor does the tail of a short secret stay. What was overwritten still lies in free parts of the file: where there
 * ever was a webhook, it is rewritten after the migration (store/scrub.ts).
 */
export const SEAL_ATTEMPT_HEADERS = `
UPDATE attempt_results SET result = ${SEALED} WHERE ${TO_SEAL};

UPDATE secrets SET last2 = '' WHERE length < 12;

INSERT OR REPLACE INTO settings (key, value)
  SELECT 'scrub_due', '1' WHERE EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'webhooks');
`;

/** Stands before the table for a reader of a store that was not migrated yet. */
export const SEALED_VIEW = `
CREATE TEMP VIEW attempt_results AS
  SELECT id, CASE WHEN ${TO_SEAL} THEN ${SEALED} ELSE result END AS result, response_body FROM main.attempt_results`;
