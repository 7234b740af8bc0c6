-- What is made from captures and can be made again, and what was found out about pages and sites.

CREATE TABLE derived (
    capture_id BIGINT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
    kind {text} NOT NULL,
    recipe BIGINT NOT NULL,
    body {bytes} NOT NULL,
    PRIMARY KEY (capture_id, kind)
);

CREATE TABLE finding (
    id {id},
    at BIGINT NOT NULL,
    kind {text} NOT NULL,
    url {text} NOT NULL,
    recipe BIGINT NOT NULL,
    body {text} NOT NULL              -- JSON
);
CREATE INDEX finding_at ON finding (at);
