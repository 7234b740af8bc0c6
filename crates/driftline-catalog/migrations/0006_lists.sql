-- Lists of watches and events: a page of either is one query that reads one index in its order.

-- A watch is a row as soon as it is loaded. What lists show, filter and sort by is in the row itself.
ALTER TABLE watch ADD COLUMN kind {text} NOT NULL DEFAULT '';
ALTER TABLE watch ADD COLUMN site {text} NOT NULL DEFAULT '';
ALTER TABLE watch ADD COLUMN list {text};                          -- the list that it is a member of, by its UUID
ALTER TABLE watch ADD COLUMN paused BIGINT NOT NULL DEFAULT 0;
ALTER TABLE watch ADD COLUMN removed_at BIGINT;                    -- NULL while it is watched
ALTER TABLE watch ADD COLUMN state BIGINT NOT NULL DEFAULT 0;      -- 0 new, 1 working, 2 failing, 3 absent, 4 paused
ALTER TABLE watch ADD COLUMN sort_name {text} NOT NULL DEFAULT ''; -- the beginning of its title, in lower case
ALTER TABLE watch ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0; -- its last change; 0 if there is none
ALTER TABLE watch ADD COLUMN changed_event BIGINT;                 -- the event that says so
ALTER TABLE watch ADD COLUMN change_importance DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE watch ADD COLUMN change_summary {text} NOT NULL DEFAULT '';

ALTER TABLE watch_state ADD COLUMN version_at BIGINT;
ALTER TABLE watch_state ADD COLUMN failing_since BIGINT;
ALTER TABLE watch_state ADD COLUMN absent_since BIGINT;
CREATE INDEX watch_state_next ON watch_state (next);
UPDATE watch SET state = 1 WHERE EXISTS
    (SELECT 1 FROM watch_state WHERE watch_state.watch_id = watch.id AND watch_state.checked IS NOT NULL);

-- The sort columns are those of `watch`, so that the watches of a tag are read in their order.
CREATE TABLE watch_tag (
    tag {text} NOT NULL,
    watch_id BIGINT NOT NULL REFERENCES watch (id) ON DELETE CASCADE,
    sort_name {text} NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (watch_id, tag)
);
CREATE INDEX watch_tag_changed ON watch_tag (tag, changed_at, watch_id);
CREATE INDEX watch_tag_name ON watch_tag (tag, sort_name, watch_id);

-- The words of title, address and tags, for lists by text.
CREATE TABLE watch_word (
    word {text} NOT NULL,
    watch_id BIGINT NOT NULL REFERENCES watch (id) ON DELETE CASCADE,
    PRIMARY KEY (watch_id, word)
);
CREATE INDEX watch_word_word ON watch_word (word, watch_id);

CREATE INDEX watch_changed ON watch (changed_at, id) WHERE removed_at IS NULL;
CREATE INDEX watch_name ON watch (sort_name, id) WHERE removed_at IS NULL;
CREATE INDEX watch_site_changed ON watch (site, changed_at, id) WHERE removed_at IS NULL;
CREATE INDEX watch_site_name ON watch (site, sort_name, id) WHERE removed_at IS NULL;
CREATE INDEX watch_kind_changed ON watch (kind, changed_at, id) WHERE removed_at IS NULL;
CREATE INDEX watch_kind_name ON watch (kind, sort_name, id) WHERE removed_at IS NULL;
CREATE INDEX watch_by_state_changed ON watch (state, changed_at, id) WHERE removed_at IS NULL;
CREATE INDEX watch_by_state_name ON watch (state, sort_name, id) WHERE removed_at IS NULL;

-- Events: what a list shows, and the marks of an inbox.
ALTER TABLE event ADD COLUMN summary {text} NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN read_at BIGINT;                       -- NULL while nobody has read it
ALTER TABLE event ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;       -- 1 if a person keeps it for later
UPDATE event SET summary = {summary};
DROP INDEX event_at;
DROP INDEX event_watch;
DROP INDEX event_site;
CREATE INDEX event_at ON event (at, id);
CREATE INDEX event_watch ON event (watch_id, at, id);
CREATE INDEX event_site ON event (site, at, id);
CREATE INDEX event_kind ON event (kind, at, id);
CREATE INDEX event_unread ON event (at, id) WHERE read_at IS NULL;

-- With its time, so that the events of a tag are read in their order.
CREATE TABLE tagged_event (
    tag {text} NOT NULL,
    event_id BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    PRIMARY KEY (event_id, tag)
);
INSERT INTO tagged_event (tag, event_id, at)
    SELECT event_tag.tag, event_tag.event_id, event.at FROM event_tag JOIN event ON event.id = event_tag.event_id;
DROP TABLE event_tag;
ALTER TABLE tagged_event RENAME TO event_tag;
CREATE INDEX event_tag_at ON event_tag (tag, at, event_id);

-- The last change of each watch.
UPDATE watch SET changed_event = (SELECT event.id FROM event WHERE event.watch_id = watch.id
    AND event.kind NOT IN ('check-failing', 'check-recovered', 'zone-lost', 'zone-found')
    ORDER BY event.at DESC, event.id DESC LIMIT 1);
UPDATE watch SET
    changed_at = (SELECT event.at FROM event WHERE event.id = watch.changed_event),
    change_importance = (SELECT event.importance FROM event WHERE event.id = watch.changed_event),
    change_summary = (SELECT event.summary FROM event WHERE event.id = watch.changed_event)
    WHERE changed_event IS NOT NULL;

-- Nothing ever wrote here but tests.
DROP TABLE finding;
