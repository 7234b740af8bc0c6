-- What stores that are derived from captures have still to do, such as a search index.

CREATE TABLE outbox_consumer (
    name {text} PRIMARY KEY
);

-- A row for each consumer and capture, written with the capture. A consumer deletes what it has done.
CREATE TABLE outbox (
    id {id},
    consumer {text} NOT NULL REFERENCES outbox_consumer (name) ON DELETE CASCADE,
    kind BIGINT NOT NULL,             -- 0 added, 1 removed
    capture_id BIGINT NOT NULL        -- of a removed one only the number is left
);
CREATE INDEX outbox_next ON outbox (consumer, id);
