-- Where each watch stands, what waits to be told, and who has been told.

CREATE TABLE watch_state (
    watch_id BIGINT PRIMARY KEY REFERENCES watch (id) ON DELETE CASCADE,
    next BIGINT,                      -- when it is checked next, in microseconds since 1970
    checked BIGINT,                   -- when it was checked last
    body {text} NOT NULL              -- JSON
);

-- By its address, of which PostgreSQL cannot index more than 2,704 bytes.
CREATE INDEX watch_url ON watch (substr(url, 1, 512));

-- Events of earlier formats have no key; they were never told, and wait for nothing.
ALTER TABLE event ADD COLUMN key {text};
ALTER TABLE event ADD COLUMN site {text} NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN importance DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE event ADD COLUMN held_until BIGINT;    -- not released before; NULL once it is
ALTER TABLE event ADD COLUMN folded_into {text};   -- the key of the event that explains it
CREATE UNIQUE INDEX event_key ON event (key);
CREATE INDEX event_site ON event (site, at);
CREATE INDEX event_held ON event (held_until) WHERE held_until IS NOT NULL;
CREATE INDEX event_held_site ON event (site) WHERE held_until IS NOT NULL;

CREATE TABLE event_tag (
    tag {text} NOT NULL,
    event_id BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, event_id)
);
CREATE INDEX event_tag_event ON event_tag (event_id);

CREATE TABLE delivery (
    id {id},
    event_id BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    target {text} NOT NULL,
    key {text} NOT NULL,              -- what a receiver knows a repeat by
    batch {text} NOT NULL,            -- those of one batch go in one message
    state BIGINT NOT NULL,            -- 0 pending, 1 sending, 2 acknowledged, 3 dead
    due BIGINT NOT NULL,              -- while it is sent: when it may be sent again
    attempts BIGINT NOT NULL,
    settled BIGINT,                   -- since when it is acknowledged or dead
    error {text} NOT NULL,            -- why the last attempt failed
    UNIQUE (event_id, target)
);
CREATE INDEX delivery_due ON delivery (due) WHERE state < 2;
CREATE INDEX delivery_dead ON delivery (id) WHERE state = 3;

-- What is known about a site's documents, as the detector of redesigns keeps it.
CREATE TABLE stream (
    site {text} PRIMARY KEY,
    body {bytes} NOT NULL
);

-- The pages of a list that is watched.
CREATE TABLE member (
    watch_id BIGINT NOT NULL REFERENCES watch (id) ON DELETE CASCADE,
    fingerprint {bytes} NOT NULL,     -- of the address, as in `url`
    url {text} NOT NULL,
    title {text} NOT NULL,
    PRIMARY KEY (watch_id, fingerprint)
);
