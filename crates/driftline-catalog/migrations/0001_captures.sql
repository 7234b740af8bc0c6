-- Where each capture lies, who is watched, and what changed.
-- {id}, {text} and {bytes} differ between SQLite and PostgreSQL: src/catalog/schema.rs.
-- Never edit a migration that has been released; add the next one.

CREATE TABLE segment (
    id {id},
    name {text} NOT NULL UNIQUE,
    state BIGINT NOT NULL,            -- 0 open, 1 closed, 2 stored, 3 dropped
    bytes BIGINT NOT NULL             -- acknowledged; what lies behind may be torn
);

-- An address, once. No index holds it: an address may be longer than PostgreSQL indexes (2,704 bytes).
CREATE TABLE url (
    id {id},
    fingerprint {bytes} NOT NULL UNIQUE, -- the first 16 bytes of the address's SHA-256
    key {text} NOT NULL,              -- the first 1,024 bytes of its SURT
    key_rest {text} NOT NULL,         -- the rest of it, if it is longer
    url {text} NOT NULL
);
CREATE INDEX url_key ON url (key);

CREATE TABLE capture (
    id {id},
    url_id BIGINT NOT NULL REFERENCES url (id),
    at BIGINT NOT NULL,               -- microseconds since 1970
    kind BIGINT NOT NULL,             -- 0 response, 1 revisit, 2 resource, 3 conversion
    status BIGINT,
    mime {text},
    digest {text},
    payload_length BIGINT,
    redirect {text},
    record_id {text},
    original_url {text},
    original_at BIGINT,
    segment_id BIGINT NOT NULL REFERENCES segment (id),
    start BIGINT NOT NULL,            -- where the record begins in the segment
    length BIGINT NOT NULL
);
CREATE INDEX capture_url_at ON capture (url_id, at);
-- Which capture holds a body: for whoever keeps a body once.
CREATE INDEX capture_url_digest ON capture (url_id, digest, at) WHERE kind <> 1;
CREATE UNIQUE INDEX capture_segment_start ON capture (segment_id, start);

-- A version differs from the capture before it of the same address, in its body or its status.
-- A status that is not known (a revisit without headers) is no difference. "Not modified", and a revisit that does
-- not say of which body, stand for the capture before them: they are passed over. A page that fails once and comes
-- back as it was makes three versions.
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
    WHERE status IS DISTINCT FROM 304 AND (kind <> 1 OR digest IS NOT NULL)
) AS run
WHERE previous IS NULL OR digest IS DISTINCT FROM previous_digest OR status <> previous_status;

CREATE TABLE watch (
    id {id},
    uuid {text} NOT NULL UNIQUE,
    url {text} NOT NULL,
    title {text} NOT NULL,
    tags {text} NOT NULL,             -- a JSON array
    settings {text} NOT NULL,         -- JSON
    created BIGINT NOT NULL
);

CREATE TABLE change (
    older_id BIGINT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
    newer_id BIGINT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
    recipe BIGINT NOT NULL,
    degree DOUBLE PRECISION NOT NULL,
    importance DOUBLE PRECISION,
    body {text} NOT NULL,             -- JSON
    PRIMARY KEY (newer_id, older_id)
);
CREATE INDEX change_older ON change (older_id);

CREATE TABLE event (
    id {id},
    at BIGINT NOT NULL,
    kind {text} NOT NULL,
    url {text} NOT NULL,
    watch_id BIGINT REFERENCES watch (id) ON DELETE CASCADE,
    capture_id BIGINT REFERENCES capture (id) ON DELETE SET NULL,
    body {text} NOT NULL              -- JSON
);
CREATE INDEX event_at ON event (at);
CREATE INDEX event_watch ON event (watch_id, at);
CREATE INDEX event_capture ON event (capture_id);

CREATE TABLE import (
    id {id},
    fingerprint {bytes} NOT NULL UNIQUE, -- of the source, as in `url`
    source {text} NOT NULL,
    size BIGINT NOT NULL,
    modified BIGINT,
    reached BIGINT NOT NULL,          -- everything before this byte is in the archive
    done BIGINT NOT NULL
);
