-- How the pages of a change were read: zones as they were, what is ignored, normalisers. Watches of one page that read it in different ways
-- have changes of their own between the same captures.

CREATE TABLE reading (
    fingerprint {text} PRIMARY KEY,
    body {text} NOT NULL              -- JSON
);

-- A change by the whole page, read as it is, has no reading.
CREATE TABLE read_change (
    older_id BIGINT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
    newer_id BIGINT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
    reading {text} NOT NULL DEFAULT '', -- its fingerprint
    recipe BIGINT NOT NULL,
    degree DOUBLE PRECISION NOT NULL,
    importance DOUBLE PRECISION,
    body {text} NOT NULL,             -- JSON
    PRIMARY KEY (newer_id, older_id, reading)
);
INSERT INTO read_change (older_id, newer_id, reading, recipe, degree, importance, body)
    SELECT older_id, newer_id, '', recipe, degree, importance, body FROM change;
DROP TABLE change;
ALTER TABLE read_change RENAME TO change;
CREATE INDEX change_older ON change (older_id);

ALTER TABLE event ADD COLUMN older_id BIGINT REFERENCES capture (id) ON DELETE SET NULL;
ALTER TABLE event ADD COLUMN reading {text} NOT NULL DEFAULT '';
CREATE INDEX event_older ON event (older_id);
