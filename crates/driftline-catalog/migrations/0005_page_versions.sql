-- A version is a page: an error or a redirect is not one, as `is_page` in src/address.rs has it. It differs from the
-- page before it of the same address, in its body or its status. A status that is not known (a revisit without headers)
-- is not a difference. "Not modified", and a revisit that does not say of which body, are passed over. A page that fails
-- once and then answers with the same body has one version.

DROP VIEW version;
CREATE VIEW version AS
SELECT
    id, previous, url_id, at, kind, status, mime, digest, payload_length, redirect, record_id,
    original_url, original_at, segment_id, start, length
FROM (
    SELECT
        capture.*,
        LAG(id) OVER (PARTITION BY url_id ORDER BY at, id) AS previous,
        LAG(digest) OVER (PARTITION BY url_id ORDER BY at, id) AS previous_digest,
        LAG(status) OVER (PARTITION BY url_id ORDER BY at, id) AS previous_status
    FROM capture
    WHERE (status IS NULL OR status BETWEEN 200 AND 299) AND (kind <> 1 OR digest IS NOT NULL)
) AS run
WHERE previous IS NULL OR digest IS DISTINCT FROM previous_digest OR status <> previous_status;

-- Changes from or to an error or a redirect, which `archive rebuild` measured before.
DELETE FROM change WHERE newer_id IN (SELECT id FROM capture WHERE status NOT BETWEEN 200 AND 299)
    OR older_id IN (SELECT id FROM capture WHERE status NOT BETWEEN 200 AND 299);
