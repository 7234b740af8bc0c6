-- What a capture says without its codings, where it came from, which ones may not come back, and which belong together.

ALTER TABLE capture ADD COLUMN body_digest {text}; -- of the body without its codings; NULL if it is not known

-- A version is a page whose content differs from the page before it. Where both digests of bodies are known they decide: the same
-- text packed in another way is the same version. An older driftline noted none, and then the digests of the payloads decide.
DROP VIEW version;
CREATE VIEW version AS
SELECT
    id, previous, url_id, at, kind, status, mime, digest, payload_length, redirect, record_id,
    original_url, original_at, segment_id, start, length, body_digest
FROM (
    SELECT
        capture.*,
        LAG(id) OVER (PARTITION BY url_id ORDER BY at, id) AS previous,
        LAG(digest) OVER (PARTITION BY url_id ORDER BY at, id) AS previous_digest,
        LAG(body_digest) OVER (PARTITION BY url_id ORDER BY at, id) AS previous_body_digest,
        LAG(status) OVER (PARTITION BY url_id ORDER BY at, id) AS previous_status
    FROM capture
    WHERE (status IS NULL OR status BETWEEN 200 AND 299) AND (kind <> 1 OR digest IS NOT NULL)
) AS run
WHERE previous IS NULL OR status <> previous_status OR CASE
    WHEN body_digest IS NOT NULL AND previous_body_digest IS NOT NULL THEN body_digest <> previous_body_digest
    ELSE digest IS DISTINCT FROM previous_digest END;

-- Of captures that were imported: from which file, and by whom and when.
CREATE TABLE capture_origin (
    capture_id BIGINT PRIMARY KEY REFERENCES capture (id) ON DELETE CASCADE,
    source {text} NOT NULL,           -- the file, as the importer names it
    start BIGINT NOT NULL,            -- where the record begins in it
    added_at BIGINT,
    operator {text} NOT NULL
);

-- Captures that were removed for a reason, and are not imported again.
CREATE TABLE tombstone (
    id {id},
    url_id BIGINT NOT NULL REFERENCES url (id),
    at BIGINT NOT NULL,
    digest {text},
    reason {text} NOT NULL,
    removed_at BIGINT NOT NULL,
    operator {text} NOT NULL
);
CREATE INDEX tombstone_url_at ON tombstone (url_id, at);

CREATE TABLE collection (
    id {id},
    name {text} NOT NULL UNIQUE,
    title {text} NOT NULL,
    created BIGINT NOT NULL
);
CREATE TABLE collection_member (
    collection_id BIGINT NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    capture_id BIGINT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
    PRIMARY KEY (collection_id, capture_id)
);
CREATE INDEX collection_member_capture ON collection_member (capture_id);
